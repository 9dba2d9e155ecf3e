/**
 * The line that asks a shell how its last command has ended, where it does not tell by itself (OSC 133;D), and the answer to
 * it. Pure.
 */
import { programName, shellOf } from '../../terminal/classify/shells.ts'
import type { Observation } from '../../terminal/observer-step.ts'

/** The variable with the code: `$?` in POSIX (XCU 2.5.2), `$status` in fish(1) and csh(1). Other shells are not asked. */
const posix = ['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'mksh', 'lksh', 'oksh', 'pdksh', 'yash']
const variables: ReadonlyMap<string, string> = new Map([
  ...posix.map(name => [name, '$?'] as const),
  ...['fish', 'csh', 'tcsh'].map(name => [name, '$status'] as const),
])

/** The variable to print, or a sentence on why the shell can't be asked. */
export function codeVariable({ verdict, probe }: Observation): string | { readonly why: string } {
  const { state, health, tier, behind, isContinuation, reader } = verdict
  if (behind !== undefined) return { why: `what reads is behind ${behind}, and can’t be seen from here` }
  if (state.kind !== 'idle' || state.at !== 'shell') return { why: 'no shell stands at its prompt' }
  if (isContinuation || health.level !== 'healthy' || tier === 'inferred')
    return { why: 'it is not sure that a shell stands at its prompt' }
  const process = (probe.inner ?? probe).processes.find(({ pid }) => pid === reader)
  const name = process && (shellOf(process)?.name ?? programName(process))
  return variables.get(name ?? '') ?? { why: `how ${name ?? 'it'} keeps an exit code is not known` }
}

/**
 * The shell's code is the same afterwards. The blank in front keeps it out of many a history.
 * @param mark what no program that ran before can know
 */
export const codeQuestion = (variable: string, mark: string): string =>
  ` sh -c 'printf "%s:%s\\n" ${mark} "$1"; exit "$1"' - ${variable}`

/** The typed line is among the rows too, without a number behind the mark. */
export function codeIn(rows: readonly string[], mark: string): number | undefined {
  const code = rows.findLast(row => row.startsWith(`${mark}:`))?.slice(mark.length + 1)
  return code !== undefined && /^\d{1,3}\s*$/.test(code) ? Number(code) : undefined
}
