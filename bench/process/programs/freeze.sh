#!/bin/bash
# Freezes PID in a cgroup (v2) of its own, or thaws and removes it: `freeze.sh PID`, `freeze.sh PID thaw`.
root=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
group=$root/lull-bench-$1
if [ "$2" = thaw ]; then
  echo 0 > "$group/cgroup.freeze"
  cat "$root/cgroup.procs" > /dev/null
  echo "$1" > "$root/cgroup.procs"
  rmdir "$group"
else
  mkdir "$group" && echo "$1" > "$group/cgroup.procs" && echo 1 > "$group/cgroup.freeze"
fi
