/** `lull send --wait` to an agent: prints how the turn ended that the text began, and the agent's last message. */

import { sendAndWait, type Waited } from '../../../connect/send-and-wait.ts'
import { exitCode } from '../../../core/exit-codes.ts'
import { formatDuration } from '../../../core/text/duration.ts'
import { printable } from '../../../core/text/printable.ts'
import type { BackgroundKind } from '../../../core.ts'
import type { Terminal } from '../../../drive/open-terminal.ts'
import { agentMs, type TypeOptions, type WaitOptions } from '../../../drive/terminal-options.ts'
import type { Lull } from '../../../index.ts'
import type { LiveSession } from '../../../sessions/session-source.ts'
import { isInTurn } from '../../../sessions/turn-end.ts'
import type { Done } from '../../../sessions/wait/wait-step.ts'
import { lines, onNotice, print } from '../../ui/print.ts'
import { waitFields, waitSentence } from '../../ui/print-wait.ts'
import { printEvent } from '../../with-terminal.ts'

export type Around = {
  readonly lull: Lull
  readonly wait: WaitOptions
  /** The timeout as it was given, ms: that of `wait` is what is left of it. */
  readonly given?: number | undefined
  /** Work that goes on once the turn is over is none; or only that of these kinds. */
  readonly ignoreBackground: boolean | readonly BackgroundKind[]
  readonly json: boolean
}

/** @throws {LullError} REFUSED_TO_TYPE, SOURCE_GONE */
export async function sendToAgent(
  agent: LiveSession,
  terminal: Terminal,
  text: Buffer,
  options: TypeOptions,
  { lull, wait: { timeout = agentMs }, given = timeout, ignoreBackground, json }: Around,
): Promise<void> {
  if (isInTurn(agent.session))
    onNotice('a turn still runs; the agent answers the text within it or right after it')
  const waited = await sendAndWait({ lull, agent, terminal }, text, options, { ignoreBackground, timeout })
  if (waited.done.outcome === 'timeout' && !hasBegun(waited.done, agent)) onNotice(noTurn)
  report(waited, given, json)
}

const noTurn = 'no turn has begun since; a command of the agent’s own (/status) begins none'

const hasBegun = ({ sessions: [now] }: Done, { session: { verdict: before } }: LiveSession): boolean =>
  now?.session.verdict.state.kind !== 'idle' || now.session.verdict.turn !== before.turn

function report({ done, sent, took, message }: Waited, timeout: number, json: boolean): void {
  process.exitCode = exitCode[done.outcome]
  const fields = {
    ...waitFields(done, { timeout }),
    ...(sent ? { sent: { bytes: sent.bytes, entered: sent.isEntered, read: sent.isRead } } : {}),
    took: Math.round(took) / 1000,
    ...(message === undefined ? {} : { message }),
  }
  // The time that was waited for is told already.
  const end = done.outcome === 'timeout' ? '' : ` It took ${formatDuration(took)}.`
  if (json) printEvent({ event: 'ended', ...fields })
  else
    print(
      lines(
        `${waitSentence(done, { timeout })}${end}`,
        ...(message ?? '')
          .split('\n')
          .filter(row => row !== '')
          .map(row => printable(row)),
      ),
    )
}
