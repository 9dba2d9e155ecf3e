#!/bin/sh
# Plays a coding agent: does what it is told, an order a line. FORWARDER and AGENT stand in its environment.
#   line FILE JSON   appends a line to its transcript
#   hook JSON        reports an event, as the agent's settings would: through lull's forwarder
while IFS= read -r order; do
  words=${order#* }
  case $order in
    'line '*) printf '%s\n' "${words#* }" >> "${words%% *}" ;;
    'hook '*) printf '%s' "$words" | LULL_PID=$$ "$FORWARDER" "$AGENT" ;;
  esac
done
