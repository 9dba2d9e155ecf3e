/** Processes on macOS, from `ps`. Not tested on a Mac: written from ps(1) of macOS 14. */

/**
 * `ww`: rows are not cut at 79 characters. Each column without a heading; the command last, as it may hold blanks. `lstart` is
 * five words in the C locale.
 */
export const psArguments = [
  '-axwwo',
  'pid=,ppid=,pgid=,tpgid=,uid=,state=,rss=,time=,wchan=,lstart=,command=',
] as const

export type PsRow = {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly foreground: number
  readonly uid: number
  /** In Linux's letters: R S D T Z. */
  readonly state: string
  readonly residentBytes: number
  /** ns */
  readonly cpu: number
  readonly wchan: string
  /** As `ps` writes it: distinguishes a reused pid. */
  readonly started: string
  readonly command: string
}

const row =
  /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(-?\d+)\s+(\d+)\s+(\S+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\w{3}\s+\w{3}\s+\d+\s+[\d:]+\s+\d{4})\s+(.*)$/

/** `I` sleeps for more than 20 s; `U` waits without being interruptible. */
const states: Readonly<Record<string, string>> = { I: 'S', U: 'D' }

/** `1:02.50`, `01:02:03`, or `2-01:02:03`: ns. */
export function parseTime(text: string): number {
  const [days, clock] = text.includes('-') ? text.split('-') : ['0', text]
  const seconds = (clock ?? '').split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return Math.round((Number(days) * 86_400 + seconds) * 1e9)
}

/** A row that is not understood is left out. */
export const parsePs = (text: string): readonly PsRow[] =>
  text.split('\n').flatMap(line => {
    const fields = row.exec(line)
    if (!fields) return []
    const [
      ,
      pid,
      parent,
      group,
      foreground,
      uid,
      state = '',
      rss,
      time = '',
      wchan = '',
      started = '',
      command = '',
    ] = fields
    const letter = state.charAt(0)
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      foreground: Number(foreground) > 0 ? Number(foreground) : -1,
      uid: Number(uid),
      state: states[letter] ?? letter,
      residentBytes: Number(rss) * 1024,
      cpu: parseTime(time),
      wchan: wchan === '-' ? '' : wchan,
      started: started.replaceAll(/\s+/g, ' '),
      command,
    }
  })

/** The root and its descendants, the root first. Empty where it is gone. */
export function branchOf(rows: readonly PsRow[], root: number): readonly PsRow[] {
  const children = Map.groupBy(rows, ({ parent }) => parent)
  const found = rows.filter(({ pid }) => pid === root)
  // The list grows while it is walked. A process is nobody's child twice.
  for (const { pid } of found) if (found.length <= rows.length) found.push(...(children.get(pid) ?? []))
  return found
}

/**
 * What a program prints within 5 s.
 * @throws {Error} where it is missing, fails or takes longer; `stdout` holds what it has printed
 */
export const runTool = (program: string, parameters: readonly string[]): string =>
  process.getBuiltinModule('node:child_process').execFileSync(program, parameters, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 5000,
    maxBuffer: 16 * 1024 * 1024,
    env: { ...process.env, LC_ALL: 'C' },
  })
