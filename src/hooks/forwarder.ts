/**
 * What hooks run: a few lines of POSIX sh that pass an agent's report on to the host's socket. A program in Node would
 * cost an agent 18–54 ms at each hook, this costs about 2 ms when nobody listens (docs/hooks.md).
 */
import { hookPlans } from '../agents/hook-plans.ts'
import { probeVariable } from '../os/proc/command-line.ts'
import { quotedWord } from '../os/spawn/shell-words.ts'
import { heldSilence } from './hook-command.ts'

export type ForwarderOptions = {
  /** The host's socket at the time of the installation: tried first unless `LULL_RUNTIME_DIR` is set. */
  readonly socket: string
  /** Where hosts note that they run, also those in other runtime folders. */
  readonly notes?: string
  /** Where programs are looked for before `PATH`: a person's own `curl` may be a wrapper that takes its time. */
  readonly programs?: string
}

const pidVariables = hookPlans.flatMap(({ name: agent, hooks }) =>
  hooks.pidVariable === undefined ? [] : [{ agent, ...hooks.pidVariable }],
)

/** The events that are held, as the forwarder is called, with where. */
const held = hookPlans.flatMap(({ name: agent, hooks: { held } }) =>
  (held?.events ?? []).map(event => ({ call: `${agent} ${event}`, where: held?.where })),
)

/**
 * The forwarder. It is called as `hook AGENT [EVENT]` with the payload on stdin, always exits 0 and prints nothing: what
 * a hook prints reaches the agent's model, and an exit code of 2 makes the agent go on. It is bounded by 2 s, also
 * where stdin is never closed. Hooks of which the agent takes an answer are the exception: they last while the host holds
 * them, and print what it answers.
 */
export const forwarderText = ({
  socket,
  notes = '',
  programs = '/usr/bin:/bin',
}: ForwarderOptions): string => `#!/bin/sh
# lull: passes what a coding agent reports on to lull, if lull listens. Written by \`lull hooks install\`.
# hook AGENT [EVENT] < PAYLOAD. Always exits 0, prints nothing, and takes at most 2 s; of a dialog that lull may answer,
# as long as it stands, and prints the answer.
PATH=${quotedWord(programs)}\${PATH:+:$PATH}

# Whether nobody else could listen in a folder: it is this user's and no link, each folder above it is this user's or the
# system's, and others may write in none of them, unless one above is sticky. Then the shell stands in it.
is_own() {
  case $1 in /*) ;; *) return 1 ;; esac
  [ -O "$1" ] && [ ! -L "$1" ] && cd -P "$1" || return 1
  at=$PWD
  set -- /
  while [ -n "$at" ]; do
    set -- "$@" "$at"
    at=\${at%/*}
  done
  # Sorted, / comes first and the folder itself last.
  LC_ALL=C ls -ldn "$@" | (
    system= own= last= isOpen=yes
    while read -r mode _ owner group _; do
      system=\${system:-$owner}
      [ "$owner" = 0 ] || [ "$owner" = "$system" ] || [ "$owner" = "\${own:=$owner}" ] || exit 1
      last=$owner
      isOpen=
      case $mode in
        d???????w*) isOpen=yes ;;
        d????w*) [ "$group" = "$owner" ] || isOpen=yes ;;
      esac
      [ -n "$isOpen" ] || continue
      case $mode in d????????[tT]*) ;; *) exit 1 ;; esac
    done
    [ -z "$isOpen" ] && [ "\${own:-$last}" = "$last" ]
  )
}

# Whether a host of this user's listens at a socket, and lives, as far as its lock tells. One whose process can't be seen
# from here (in a container) may listen all the same.
listens() {
  [ -S "$1" ] && [ -O "$1" ] && is_own "\${1%/*}" || return 1
  socket=$PWD/\${1##*/}
  lock=
  [ -f host.lock ] && [ -O host.lock ] && read -r lock < host.lock
  # Its pid alone may be another process' by now. No number and no start: a lull of another version.
  case $lock in '{"pid":'[1-9]*'"start":"'[0-9]*) ;; *) return 0 ;; esac
  pid=\${lock#*:}
  start=\${lock#*'"start":"'}
  read -r stat < "/proc/\${pid%%[!0-9]*}/stat" && set -- \${stat##*)} && [ "\${20}" = "\${start%%[!0-9]*}" ] && return 0
  silent=\${silent:-$socket}
  return 1
}

# The first host that lives: in the folder that the environment names, in the one of who installed this, and in those
# where hosts note that they run. Whoever wrote a note, only a socket of this user's is used.
find_host() {
  silent=
  [ -n "$LULL_RUNTIME_DIR" ] && listens "$LULL_RUNTIME_DIR/host.sock" && return
  listens ${quotedWord(socket)} && return
  for note in ${quotedWord(notes)}/* "\${XDG_STATE_HOME:-$HOME/.local/state}/lull/hosts"/*; do
    [ -f "$note" ] && [ -O "$note" ] && read -r folder < "$note" && listens "$folder/host.sock" && return
  done
  socket=$silent
  [ -n "$socket" ]
}

forward() {
  [ -t 0 ] && return
  limit=
  command -v timeout && limit='timeout 2'
  # What lull itself asks something is nobody's session.
  [ -z "$${probeVariable}" ] || { $limit cat; return; }
  # Nobody of this user listens: the payload is still read, or the agent would be told of a broken pipe.
  find_host || { $limit cat; return; }
  # LULL_PID: who ran the shell that runs this.${pidVariables.map(({ name, why }) => ` ${name} ${why}.`).join('')}
  pid=\${LULL_PID:-$PPID}
${pidVariables.map(({ agent, name }) => `  [ "$1" = ${agent} ] && pid=\${${name}:-$pid}\n`).join('')}  path=/hooks/$1\${2:+?event=$2}
  hold=
  case "$1 $2" in${held.map(({ call, where }) => `\n    '${call}') [ "$${where?.name}" = ${quotedWord(where?.value ?? '')} ] && hold=yes ;;`).join('')}
  esac
  if [ -n "$hold" ] && command -v curl; then
    # A host that hangs says nothing: then it ends. Of what comes the last line is the answer, if there is one.
    answer=$(curl -q -s -N --connect-timeout 1 --speed-limit 1 --speed-time ${heldSilence} --noproxy '*' \\
      --unix-socket "$socket" --data-binary @- -H 'content-type: application/json' -H 'lull-hold: yes' \\
      -H "lull-pid: $pid" -H "lull-pane: $TMUX_PANE" -H 'expect:' "http://localhost$path") || return
    answer=\${answer##*"
"}
    case $answer in '{'*'}') printf '%s\\n' "$answer" >&3 ;; esac
  elif command -v curl; then
    # -q: no settings of the person's; an empty header is not sent.
    $limit curl -q -s -m 1 --noproxy '*' --unix-socket "$socket" -o /dev/null --data-binary @- \\
      -H 'content-type: application/json' -H "lull-pid: $pid" -H "lull-pane: $TMUX_PANE" -H 'expect:' \\
      "http://localhost$path"
  elif command -v nc; then
    LC_ALL=C
    body=$($limit cat)
    {
      printf 'POST %s HTTP/1.0\\r\\nhost: localhost\\r\\ncontent-type: application/json\\r\\n' "$path"
      printf 'lull-pid: %s\\r\\n' "$pid"
      [ -z "$TMUX_PANE" ] || printf 'lull-pane: %s\\r\\n' "$TMUX_PANE"
      printf 'content-length: %s\\r\\n\\r\\n%s' "\${#body}" "$body"
    } | $limit nc -U -w 1 "$socket"
  else
    $limit cat
  fi
}

forward "$@" 3>&1 > /dev/null 2>&1
exit 0
`
