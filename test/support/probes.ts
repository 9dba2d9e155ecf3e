/**
 * Looks at a terminal as plain data, written the way docs/research/terminal.md writes them: `ce pselect6 "ada@box:~$
 * "`.
 */

import type { TerminalVerdict } from '../../src/terminal/classify/terminal-verdict.ts'
import type { Probe, StreamMarks, TerminalCall, TerminalProcess } from '../../src/terminal/probe/probed.ts'

/** `read(8192)`, `pselect6`, `poll+2` (others beside the terminal), `poll~` (with a timeout); `@5344` a depth; `write!`, `-wait4`, `running`, `hidden`. */
function call(text: string): TerminalCall {
  if (text === 'running' || text === 'hidden') return { type: text }
  if (text.endsWith('!')) return { type: 'writes', name: text.slice(0, -1) }
  if (text.startsWith('-')) return { type: 'blocked', name: text.slice(1) }
  const [, name, count, others, timed, depth] =
    /^(\w+?)(?:\((\d+)\))?(?:\+(\d+))?(~)?(?:@(\d+))?$/.exec(text) ?? []
  if (name === undefined) throw new Error(`no call: ${text}`)
  return {
    type: 'reads',
    name,
    ...(count === undefined ? {} : { count: Number(count) }),
    others: Number(others ?? 0),
    isTimed: timed !== undefined,
    ...(depth === undefined ? {} : { depth: Number(depth) }),
  }
}

/** `bash` or `python3 -c 1`, its pid, and what it does. */
export function process(command: string, calls: string, pid = 100, state = 'S'): TerminalProcess {
  const args = command.split(' ')
  const program = (args[0] as string).split('/').at(-1)?.replace(/^-/, '') as string
  return {
    pid,
    parent: 1,
    name: program.slice(0, 15),
    program,
    args,
    state,
    uid: 1000,
    readChars: 1000,
    switches: 10,
    calls: calls.split(' ').map(call),
  }
}

export type Told = Partial<Omit<Probe, 'stream'>> & {
  /** `CE` a common terminal, `ce` raw, `Ce` no echo, `cE` single keys. */
  readonly mode?: string
  /** The cursor's line up to the cursor, and what stands above it. */
  readonly line?: string
  readonly above?: readonly string[]
  readonly isAlternate?: boolean
  readonly stream?: Partial<StreamMarks>
}

export function probeOf(processes: readonly TerminalProcess[], told: Told = {}): Probe {
  const { mode = 'CE', line, above = [], isAlternate = false, stream, ...rest } = told
  return {
    at: 10_000,
    tty: '/dev/pts/9',
    leader: 100,
    hasKernel: true,
    termios: { canonical: mode.includes('C'), echo: mode.includes('E'), signals: true },
    queued: 0,
    foreground: processes[0]?.pid ?? 100,
    processes,
    ...(line === undefined
      ? {}
      : {
          screen: {
            rows: [...above, line.trimEnd()],
            columns: 80,
            cursor: { row: above.length, column: [...line].length },
            alternate: isAlternate,
          },
        }),
    ...(stream ? { stream: { lastOutput: 0, ...stream } } : {}),
    ...rest,
  }
}

/** `idle/shell`, `waiting/password`, `working`, `frozen`. */
export function word({ state, health }: TerminalVerdict): string {
  if (health.level === 'confirmed_stuck')
    return health.cause === 'output' ? 'frozen' : `stuck/${health.cause}`
  switch (state.kind) {
    case 'idle':
      return `idle/${state.at}`
    case 'waiting':
      return `waiting/${state.for}`
    default:
      return state.kind
  }
}
