#!/bin/bash
# Healthy jobs, over and over: jobs.sh build|pipeline|git|flock|tar, in the current folder.
build() {
  for i in $(seq 40); do printf '#include <stdio.h>\n#include <math.h>\nint f%d(int a) { return a * %d; }\n' "$i" "$i" > "m$i.c"; done
  printf 'all: $(patsubst %%.c,%%.o,$(wildcard m*.c))\n' > Makefile
  rm -f ./*.o
  make -s -j3
}
pipeline() { find /usr -type f 2> /dev/null | head -2000 | xargs -n 50 sha256sum 2> /dev/null | sort | gzip | wc -c; }
git_() {
  rm -rf g g2
  git init -q g && cp -r /usr/include/linux g/ && cd g || exit
  git add -A && git -c user.name=a -c user.email=a@b commit -qm x && git gc -q
  git log --stat | tail -1 && git clone -q . ../g2
  cd ..
}
flock_() {
  for _ in 1 2 3 4; do flock lock sh -c 'sleep 0.7' & done
  wait
}
tar_() { tar cf - /usr/lib/python3 2> /dev/null | xz -T2 -1 | wc -c; }
while :; do
  case $1 in
    build | pipeline) "$1" ;;
    *) "$1_" ;;
  esac
done
