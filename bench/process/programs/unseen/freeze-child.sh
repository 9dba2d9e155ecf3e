#!/bin/bash
# Freezes the process PID, or the first child of it, by the freezer of cgroup v1 or v2: `freeze-child.sh v1|v2 PID self|child|thaw`.
version=$1 pid=$2
type=$([ "$version" = v1 ] && echo freezer || echo cgroup2)
root=$(awk -v type="$type" '$3 == type || ($3 == "cgroup" && "," $4 "," ~ "," type ",") { print $2; exit }' /proc/mounts)
group=$root/lull-bench-$pid
freeze() {
  if [ "$version" = v1 ]; then echo "$([ "$1" = 1 ] && echo FROZEN || echo THAWED)" > "$group/freezer.state"; else echo "$1" > "$group/cgroup.freeze"; fi
}
if [ "$3" = thaw ]; then
  freeze 0
  while read -r one; do echo "$one" > "$root/cgroup.procs"; done < "$group/cgroup.procs"
  rmdir "$group"
else
  [ "$3" = child ] && pid=$(cut -d' ' -f1 "/proc/$pid/task/$pid/children")
  mkdir "$group" && echo "$pid" > "$group/cgroup.procs" && freeze 1
fi
