/** Records a live session as a trace: what stands in its files now, then all that comes, until it is stopped. */
import { readFileSync } from 'node:fs'
import type { Clock } from '../core/clock.ts'
import { redact } from '../core/trace/redact.ts'
import type { TraceEvent } from '../core/trace/trace.ts'
import { writeEvent, writeHeader } from '../core/trace/trace-write.ts'
import { attempt } from '../os/attempt.ts'
import { readAppended, unread } from '../os/file/tail-file.ts'
import type { LiveSession, SessionSource } from './session-source.ts'

export type RecordOptions = {
  readonly clock: Clock
  /** Keep secrets. */
  readonly keepsSecrets?: boolean
}

/** So much of what was written before is recorded, so that the replay knows the turn that it begins in. */
const linesBefore = 200

/**
 * The lines of the trace, each when it is due.
 * @returns ends when the session is forgotten, or the source is gone
 */
export async function* record(
  source: Pick<SessionSource, 'events'>,
  session: LiveSession,
  { clock, keepsSecrets = false }: RecordOptions,
): AsyncGenerator<string> {
  const clean = (line: string): string => (keepsSecrets ? line : redact(line))
  const from = clock.now()
  const events = await source.events(session.id, from)
  try {
    yield writeHeader({
      agent: session.agent,
      ...(session.session.facts.version === undefined ? {} : { agentVersion: session.session.facts.version }),
      attached: true,
      startedAt: clock.wall(),
    })
    for (const event of before(session)) yield clean(writeEvent(event))
    for await (const event of events) {
      yield clean(writeEvent(event))
      if (event.code === 'x') return
    }
  } finally {
    await events.return?.()
  }
}

function* before({ status, transcript }: LiveSession): Generator<Pick<TraceEvent, 'at' | 'code' | 'data'>> {
  const lines = transcript === undefined ? [] : (attempt(() => readAppended(unread(transcript)))?.lines ?? [])
  for (const line of lines.slice(-linesBefore))
    yield { at: 0, code: 't', data: JSON.stringify({ path: transcript, line }) }
  const content = status === undefined ? undefined : attempt(() => readFileSync(status, 'utf8'))
  if (content !== undefined) yield { at: 0, code: 'f', data: JSON.stringify({ path: status, content }) }
}
