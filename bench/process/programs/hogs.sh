#!/bin/bash
# Eight hogs that use up the processors; or with `nice` one that has to stand back behind them. The kernel shares out
# among sessions first where autogroups are on, so that the nice one's session has to be nice, too.
if [ "$1" = nice ]; then
  { echo 19 > /proc/self/autogroup; } 2> /dev/null
  exec nice -n 19 sha256sum /dev/zero
fi
for _ in 1 2 3 4 5 6 7 8; do sha256sum /dev/zero & done
echo ready
wait
