/**
 * A terminal inside of a terminal: relays and multiplexers that no table of lull's bench had. What is inside decides;
 * where another process than the foreground's holds the inner terminal, to say that it is not known is right as well.
 */

import type { UnseenTool } from '../../../scripts/unseen-tools.ts'
import type { Says, Scenario, Step } from '../scenario.ts'
import { asking, ends, input, isNotOver, last, ready, shows, working } from './repl.ts'

type Relay = {
  readonly name: string
  readonly needs?: Scenario['needs']
  /** Before the words of a command. */
  readonly opens: (command: string) => string
  /** A server holds the inner terminal, and the relay talks with it by a socket or pipe. */
  readonly isServed?: boolean
  /** Only some of the situations: the others are its neighbour's. */
  readonly does?: readonly (keyof typeof situations)[]
}

const inner = "env PS1='in:$ ' bash --norc"
const prompt = /in:.*[$#]/

/** What is done inside, when, and what is right then. */
const situations = {
  ready: [
    ['echo $((71*71))', shows(/^5041$/m)],
    last(prompt),
    ready,
    { does: ['echo $((73*73))'], seen: [shows(/^5329$/m)] },
  ],
  runs: [['echo now; sleep 60; echo over'], shows(/^now$/m), working, isNotOver],
  'runs behind its prompt': [
    ["printf 'now\\nin:$ '; sleep 60; echo over"],
    ends(/now\nin:\$/),
    working,
    isNotOver,
  ],
  asks: [
    ["read -p 'Name? ' x; echo got:$x"],
    ends(/Name\?/),
    asking,
    { does: ['yes'], seen: [shows(/^got:yes$/m)] },
  ],
  'asks a password': [
    ["read -sp 'Token? ' x; echo; echo got:$x"],
    ends(/Token\?/),
    ['waiting/password'],
    { does: ['yes'], seen: [shows(/^got:yes$/m)] },
  ],
  'is not complete': [
    ["echo 'abc"],
    ends(/'abc\n>/),
    input,
    { does: ["def' | cat -n"], seen: [shows(/2\s+def/)] },
  ],
  'a REPL': [
    ['lua5.4', last(/>/), '71*71'],
    last(/5041\n>/),
    ['idle/repl'],
    { does: ['73*73'], seen: [shows(/^5329$/m)] },
  ],
} as const satisfies Record<
  string,
  readonly [readonly Step[], ReturnType<typeof shows>, readonly Says[], Scenario['proof']]
>

const relays: readonly Relay[] = [
  { name: 'C, forkpty', needs: ['gcc'], opens: command => `{programs}/relay ${command}` },
  { name: 'pty.spawn of Python', opens: command => `{python} {programs}/relay.py ${command}` },
  {
    name: 'PTY.spawn of Ruby',
    needs: ['ruby'],
    opens: command => `ruby {programs}/relay.rb ${command}`,
    does: ['ready', 'runs', 'asks'],
  },
  {
    name: 'node-pty',
    opens: command => `{node} {programs}/relay.js {node-pty} ${command}`,
    does: ['ready', 'runs', 'runs behind its prompt', 'asks'],
  },
  {
    name: 'expect',
    needs: ['expect'],
    opens: command => `expect {programs}/relay.exp ${command}`,
    does: ['ready', 'runs', 'asks', 'a REPL'],
  },
  { name: 'unbuffer', needs: ['unbuffer'], opens: command => `unbuffer -p ${command}`, does: ['runs'] },
  {
    name: 'socat',
    needs: ['socat'],
    opens: command =>
      `socat -,raw,echo=0 "EXEC:${command.replaceAll('"', '\\"').replaceAll(':', '\\\\:')},pty,setsid,ctty,stderr"`,
    does: ['ready', 'runs', 'asks', 'asks a password'],
  },
  {
    name: 'ttyrec',
    needs: ['ttyrec'],
    opens: command => `ttyrec -e "${command}" {T}/tty`,
    does: ['ready', 'runs', 'is not complete'],
  },
  {
    name: 'asciinema',
    needs: ['asciinema'],
    opens: command => `asciinema rec -q -c "${command}" {T}/cast`,
    does: ['ready', 'runs', 'asks'],
  },
  {
    name: 'screen',
    needs: ['screen'],
    isServed: true,
    opens: command => `SCREENDIR={own} screen -c /dev/null -s -/bin/bash sh -c "exec ${command}"`,
  },
  { name: 'dtach', needs: ['dtach'], isServed: true, opens: command => `dtach -A {own}/dtach ${command}` },
  { name: 'dvtm', needs: ['dvtm'], opens: command => `dvtm "${command}"`, does: ['runs'] },
  {
    name: 'ssh by a pipe',
    needs: ['ssh', 'sshd'],
    isServed: true,
    opens: () => '{ssh-pipe}',
    does: ['runs', 'asks'],
  },
  {
    name: 'two relays',
    needs: ['gcc', 'script'],
    opens: command => `script -qc "{programs}/relay ${command}" /dev/null`,
    does: ['ready', 'runs', 'asks', 'asks a password'],
  },
  {
    name: 'a relay in an inner tmux',
    needs: ['gcc'],
    opens: command =>
      `TMUX= tmux -S {own}/inner -f /dev/null new "{programs}/relay ${command}" \\; set status off`,
    does: ['ready', 'runs', 'asks'],
  },
  {
    name: 'a sandbox',
    needs: ['bwrap', 'root'],
    opens: command => `bwrap --dev-bind / / --unshare-pid --proc /proc ${command}`,
    does: ['ready', 'runs', 'asks'],
  },
  {
    name: 'a tracer',
    needs: ['strace'],
    opens: command => `strace -f -o /dev/null ${command}`,
    does: ['ready', 'runs'],
  },
]

/** rlwrap reads the line itself, for a program that reads whole lines. */
const wrapped: readonly Scenario[] = (
  [
    ['a command', '71*71;;', ends(/5041\n#/), ['idle/repl'], ['73*73;;'], /5329/],
    [
      'it runs',
      'print_endline "now"; ignore (Sys.command "sleep 60"); print_endline "over";;',
      shows(/^now/m),
      working,
      [],
      /now/,
    ],
    ['it is not complete', 'let f x =', ends(/let f x =\n\s*/), input, ['x * 71;;', 'f 73;;'], /5183/],
    ['it asks', 'print_string "Name? "; "got:" ^ read_line ();;', ends(/Name\?/), asking, ['yes'], /got:yes/],
  ] as const
).map(([what, line, at, truth, does, seen]) => ({
  name: `rlwrap: ${what}`,
  group: 'relay',
  shell: 'bash',
  needs: ['rlwrap', 'ocaml'],
  does: ['rlwrap -H /dev/null ocaml -noinit', last(/#/), line],
  at: [at],
  truth,
  proof: { does, seen: [shows(seen), { hides: /^over/m }] },
  isUnseen: true,
}))

export const relayed: readonly Scenario[] = [
  ...relays.flatMap(
    ({ name, needs = [], opens, isServed, does = Object.keys(situations) as (keyof typeof situations)[] }) =>
      does.map((what): Scenario => {
        const [steps, at, truth, proof] = situations[what]
        const extra: readonly UnseenTool[] = what === 'a REPL' ? ['lua5.4'] : []
        return {
          name: `${name}: ${what}`,
          group: 'relay',
          shell: 'bash',
          needs: [...needs, ...extra],
          does: [opens(inner), shows(/^(?:in:|far@box).*[$#](?: *\n)*/m), ...steps],
          at: [at],
          truth: isServed ? [...truth, 'unknown'] : truth,
          proof,
          isUnseen: true,
        }
      }),
  ),
  ...wrapped,
]
