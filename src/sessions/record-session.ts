/** Records a live session as a trace: the present content of its files, then every input, until it is stopped. */
import path from 'node:path'
import { isAgentName } from '../agents/agent-names.ts'
import { agents } from '../agents/registry.ts'
import type { Clock } from '../core/clock.ts'
import { LullError } from '../core/lull-error.ts'
import { createTraceRedactor } from '../core/redact/redact-trace.ts'
import type { TraceEvent } from '../core/trace/trace.ts'
import { writeEvent, writeHeader } from '../core/trace/trace-write.ts'
import { attempt } from '../os/attempt.ts'
import { makeOwnFolder, type Places } from '../os/file/places.ts'
import { readAppended, unread } from '../os/file/tail-file.ts'
import { agentFilesOnly, readStatusFile } from './discover/agent-file-search.ts'
import { readSurroundings } from './discover/surroundings.ts'
import type { LiveSession, SessionSource } from './session-source.ts'

export type RecordOptions = {
  readonly clock: Clock
  /** Keep secrets. */
  readonly keepsSecrets?: boolean
}

type Recorded = Pick<TraceEvent, 'at' | 'code' | 'data'>

/** @throws {LullError} USAGE where it leaves no raw input: a trace of it could not be judged */
export function checkRecordable({ agent, id, name = id }: LiveSession): void {
  if (agent === 'command')
    throw new LullError(
      'USAGE',
      `a command that runs already can't be recorded: lull run --record FILE -- CMD… records one from its start`,
    )
  if (agent === 'terminal')
    throw new LullError(
      'USAGE',
      `terminal ${name} can't be recorded, only agents can: lull run --pty --record FILE -- CMD… records what runs in a terminal of its own`,
    )
}

/** Where recordings lie that nobody gave another place to; the page plays them. */
export const recordingsOf = ({ state }: Places): string => path.join(state, 'recordings')

/**
 * A file for a new recording in that folder, which is made.
 * @param wall ms since the epoch
 * @throws {LullError} BAD_PLACE
 */
export function newRecording(places: Places, { agent, id }: LiveSession, wall: number): string {
  const folder = recordingsOf(places)
  makeOwnFolder(places.state)
  makeOwnFolder(folder)
  const time = new Date(wall)
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .replaceAll(':', '')
  return path.join(folder, `${agent}-${id}-${time}.cast`)
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
  const redactor = keepsSecrets ? undefined : createTraceRedactor()
  const linesOf = (event: Recorded): string[] => (redactor?.push(event) ?? [event]).map(writeEvent)
  const from = clock.now()
  const events = await source.events(session.id, from)
  try {
    yield writeHeader({
      agent: session.agent,
      ...(isAgentName(session.agent) ? {} : { isOwn: true }),
      ...(session.session.facts.version === undefined ? {} : { agentVersion: session.session.facts.version }),
      attached: true,
      session: session.id,
      startedAt: clock.wall(),
    })
    for (const event of before(session)) yield* linesOf(event)
    for await (const event of events) {
      yield* linesOf(event)
      if (event.code === 'x') break
    }
    yield* (redactor?.end() ?? []).map(writeEvent)
  } finally {
    await events.return?.()
  }
}

function* before({ agent, pid, status, transcript }: LiveSession): Generator<Recorded> {
  if (!isAgentName(agent)) return
  const options = agentFilesOnly(agents[agent], readSurroundings(pid))
  const read = transcript === undefined ? undefined : attempt(() => readAppended(unread(transcript), options))
  const lines = read?.lines ?? []
  for (const line of lines.slice(-linesBefore))
    yield { at: 0, code: 't', data: JSON.stringify({ path: transcript, line }) }
  const content = status === undefined ? undefined : attempt(() => readStatusFile(status, options))
  if (content !== undefined) yield { at: 0, code: 'f', data: JSON.stringify({ path: status, content }) }
}
