/** `lull send --wait` to an agent: registered for the turn that the text begins, and judged by the agent's own track. */

import { exitCode } from '../../core/exit-codes.ts'
import type { SendResult, Terminal, TypeOptions, WaitOptions } from '../../drive/open-terminal.ts'
import { findSession } from '../../sessions/address.ts'
import { lastingChanges } from '../../sessions/lasting-changes.ts'
import type { LiveSession, SessionSource } from '../../sessions/session-source.ts'
import { wait } from '../../sessions/wait/wait.ts'
import type { Done, WaitRequest } from '../../sessions/wait/wait-step.ts'
import { realClock } from '../../track/clock.ts'
import { here } from '../caller-context.ts'
import { connect } from '../connect.ts'
import { printJson } from '../with-terminal.ts'
import { endFields, endSentence } from './wait-command.ts'

/** docs/seeds.md#002: agents take 30 to 120 s to answer. */
const agentMs = 120_000

export type Around = {
  readonly live: SessionSource
  readonly wait: WaitOptions
  readonly json: boolean
}

/** @throws {LullError} REFUSED_TO_TYPE, SOURCE_GONE */
export async function sendToAgent(
  agent: LiveSession,
  terminal: Terminal,
  text: Buffer,
  options: TypeOptions,
  { live, wait: { timeout = agentMs }, json }: Around,
): Promise<void> {
  const request: WaitRequest = {
    for: ['idle'],
    next: true,
    mode: 'all',
    ignoreBackground: false,
    settled: 0,
    timeout,
  }
  const changes = await lastingChanges(live, connect, () =>
    process.stderr.write('lull: the host is gone; looking for myself from here on\n'),
  )
  const stop = new AbortController()
  let typing: Promise<SendResult> | undefined
  try {
    const done = await wait(request, sessions => [findSession(agent.id, sessions, here())], {
      changes,
      clock: realClock(true),
      signal: stop.signal,
      onRegistered: () => {
        typing = terminal.send(text, options)
        typing.catch(() => stop.abort())
      },
    })
    const sent = await typing
    if (done) report(done, request, sent, json)
  } finally {
    await changes.close()
  }
}

function report(done: Done, request: WaitRequest, sent: SendResult | undefined, json: boolean): void {
  process.exitCode = exitCode[done.outcome]
  const fields = {
    ...endFields(done, request),
    ...(sent ? { sent: { bytes: sent.bytes, entered: sent.isEntered, read: sent.isRead } } : {}),
  }
  if (json) printJson({ event: 'ended', ...fields })
  else process.stdout.write(`${endSentence(done, request)}\n`)
}
