/** Asks a shell how its last command has ended, by a line that is typed at its prompt: only where the user wants that. */
import { randomBytes } from 'node:crypto'
import type { DrivenTerminal } from '../../terminal/observer.ts'
import { startReadyWait } from '../ready-wait.ts'
import { type SendOptions, type Sent, sendText } from '../send-text.ts'
import { codeIn, codeQuestion, codeVariable } from './exit-code-question.ts'

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
