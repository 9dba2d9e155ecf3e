#!/bin/bash
# Two network namespaces joined by a veth pair. The server in one takes its link down 1 s after somebody connected; says
# the pid that holds the other. Needs root.
here=$(dirname "$0")
mine=$(readlink /proc/self/ns/net)
hold() { unshare -n sleep 1000 & }
hold; client=$!
hold; server=$!
for pid in $client $server; do
  for _ in $(seq 100); do [ "$(readlink /proc/$pid/ns/net)" != "$mine" ] && break; sleep 0.02; done
done
ip link add near netns $client type veth peer name far netns $server || exit 1
nsenter -t $client -n sh -c 'ip addr add 10.9.0.1/24 dev near; ip link set near up; ip link set lo up'
nsenter -t $server -n sh -c 'ip addr add 10.9.0.2/24 dev far; ip link set far up; ip link set lo up'
nsenter -t $server -n python3 "$here/vanish.py" &
wait_ready() { for _ in $(seq 100); do nsenter -t $server -n ss -ltnH | grep -q ':80' && return; sleep 0.05; done; }
wait_ready
echo "ready $client"
wait
