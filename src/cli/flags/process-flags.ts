/** By what one process is judged, as flags of `lull watch pid:N` and `lull wait pid:N`. */
import type { Command } from 'commander'
import { LullError } from '../../core/lull-error.ts'

export type LimitFlags = {
  readonly preset?: string
  readonly dwell?: string
  readonly silence?: string
  readonly escalate?: string
  readonly cpu?: string
  readonly io?: string
  readonly every?: string
  readonly limits?: string
}

const rows: readonly (readonly [flag: string, means: string])[] = [
  ['--preset <name>', 'for a process: conservative (default), balanced or aggressive'],
  ['--dwell <time>', 'for a process: how long it must be blocked before it is stuck for certain'],
  ['--silence <time>', 'for a process: longest silence that is not reported'],
  ['--escalate <time>', 'for a process: time without any activity after which it is likely stuck'],
  ['--cpu <percent>', 'for a process: less CPU than this is not computing'],
  ['--io <bytes>', 'for a process: less I/O a minute than this is none'],
  ['--every <time>', 'for a process: interval of reports without a change'],
  ['--limits <file>', 'for a process: file with these limits (default ~/.config/lull/process.yaml)'],
]

const names = rows.map(([flag]) => /^--(\w+)/.exec(flag)?.[1] as keyof LimitFlags)

export function withProcessFlags(command: Command): Command {
  for (const [flag, means] of rows) command.option(flag, means)
  return command
}

/** Whether the health of a process is asked for. */
export const isOfProcess = (flags: LimitFlags): boolean => names.some(name => flags[name] !== undefined)

export const notOfProcess = (): LullError =>
  new LullError('USAGE', `${names.map(name => `--${name}`).join(', ')} need one process: pid:N`)

/** Undefined where the address means something else. */
export function pidOf(address: string): number | undefined {
  const [, digits] = /^pid:([1-9]\d{0,9})$/.exec(address) ?? []
  return digits === undefined ? undefined : Number(digits)
}
