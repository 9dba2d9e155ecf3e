/** Asks a shell how its last command has ended, by a line that is typed at its prompt: only where the user wants that. */
import { randomBytes } from 'node:crypto'
import { programName, shellOf } from '../../terminal/classify/shells.ts'
import type { DrivenTerminal } from '../../terminal/observer.ts'
import type { Observation } from '../../terminal/observer-step.ts'
import { type SendOptions, type Sent, sendText } from '../send-text.ts'
import { startReadyWait } from '../wait/ready-wait.ts'

/** The variable with the code: `$?` in POSIX (XCU 2.5.2), `$status` in fish(1) and csh(1). Other shells are not asked. */
const posix = ['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'mksh', 'lksh', 'oksh', 'pdksh', 'yash']
const variables: ReadonlyMap<string, string> = new Map([
  ...posix.map(name => [name, '$?'] as const),
  ...['fish', 'csh', 'tcsh'].map(name => [name, '$status'] as const),
])

/** The variable to print, or a sentence on why the shell can't be asked. */
function codeVariable({ verdict, probe }: Observation): string | { readonly why: string } {
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

export type AskedCode = { readonly exitCode: number } | { readonly why: string }

/** The line is one of the last of so many rows. */
const rows = 20

/**
 * To be called by who types alone, right after the command has ended.
 * @param options as the command was typed
 * @throws {LullError} as sendText does: a line that somebody has begun by now is let alone
 */
export async function askExitCode(
  pane: DrivenTerminal,
  options: Pick<SendOptions, 'judge' | 'timeout' | 'signal'>,
): Promise<AskedCode> {
  const variable = codeVariable(await pane.settle(options.timeout))
  if (typeof variable !== 'string') return variable
  const mark = `lull-${randomBytes(6).toString('hex')}`
  let sent: Sent | undefined
  const wait = startReadyWait(pane, {
    goals: [{ type: 'ready' }],
    timeout: options.timeout,
    isConsumed: now => sent?.isConsumed(now) === true,
    ...(options.signal ? { signal: options.signal } : {}),
  })
  try {
    const entering = () => wait.restart()
    sent = await sendText(pane, codeQuestion(variable, mark), {
      ...options,
      enter: true,
      force: false,
      entering,
    })
    await wait.answer()
  } finally {
    wait.stop()
  }
  const code = codeIn(await pane.holder.readLines(rows), mark)
  return code === undefined ? { why: 'the shell did not answer' } : { exitCode: code }
}
