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
  ['--preset <name>', 'of a process: conservative (the default), balanced, aggressive'],
  ['--dwell <time>', 'of a process: how long it must have been blocked'],
  ['--silence <time>', 'of a process: a longer silence is told'],
  ['--escalate <time>', 'of a process: so long without any activity, and it is likely stuck'],
  ['--cpu <percent>', 'of a process: below that it does not compute'],
  ['--io <bytes>', 'of a process: below that in a minute it reads and writes nothing'],
  ['--every <time>', 'of a process: tell it again so often, though nothing has changed'],
  ['--limits <file>', 'of a process: all of these in a file (~/.config/lull/process.yaml)'],
]

const names = rows.map(([flag]) => /^--(\w+)/.exec(flag)?.[1] as keyof LimitFlags)

export function withProcessFlags(command: Command): Command {
  for (const [flag, means] of rows) command.option(flag, means)
  return command
}

/** Whether the health of a process is asked for. */
export const isOfProcess = (flags: LimitFlags): boolean => names.some(name => flags[name] !== undefined)

export const notOfProcess = (): LullError =>
  new LullError(
    'USAGE',
    `${names.map(name => `--${name}`).join(', ')} are for the health of one process: pid:N`,
  )
