/** Opens what replay and explain judge: a trace, or a transcript with its hooks and growth. */

import path from 'node:path'
import { agentNames, isAgentName } from '../agents/agent-names.ts'
import type { Agent } from '../agents/kit/agent.ts'
import { agents } from '../agents/registry.ts'
import { defined } from '../core/defined.ts'
import { usageOf } from '../core/error-sentence.ts'
import { LullError } from '../core/lull-error.ts'
import { newSession, type Session } from '../core/session.ts'
import { parseTyped } from '../core/text/duration.ts'
import { parseIso } from '../core/trace/time-stamp.ts'
import { type Complaint, readHeader } from '../core/trace/trace.ts'
import { type Line, readLines } from '../os/file/lines.ts'
import { readTranscript } from '../track/bare-transcript.ts'
import { newDecoder } from '../track/decode.ts'
import { type Change, eventsOf, type ReplayOptions, replay, replayEvents } from '../track/replay.ts'

export type Recording = {
  readonly name: string
  /** ms since the epoch at instant 0, where times are shown as wall time. */
  readonly epoch?: number
  readonly changes: Generator<Change, Session>
}

export type TranscriptFiles = {
  readonly agent?: string
  readonly transcript?: string
  readonly hooks?: string
  readonly growth?: string
}

export type InputOptions = TranscriptFiles & {
  /** The instant to stop at, from the command line: a duration from the start, or ISO time. */
  readonly until?: string
  readonly complain: (file: string, complaint: Complaint) => void
}

function agentNamed(name: string | undefined): Agent | undefined {
  if (name === undefined) return undefined
  if (isAgentName(name)) return agents[name]
  throw new LullError('USAGE', `--agent ${name}: unknown agent; use one of ${agentNames.join(', ')}`)
}

export function openTrace(file: string, options: InputOptions): Recording {
  const agent = agentNamed(options.agent)
  const until = options.until === undefined ? undefined : durationOption(options.until)
  const complain = (complaint: Complaint) => options.complain(file, complaint)
  const changes = replay(texts(file), defined({ complain, until, agent }))
  return { name: path.basename(file).replace(/\.cast(\.gz)?$/, ''), changes }
}

/** The agent that its header names; empty where it names none. */
export function agentOfTrace(file: string): string {
  const first = texts(file).next()
  const { agent = '', cli } = readHeader(first.done ? '' : first.value)
  return cli !== undefined && isAgentName(cli) ? cli : agent
}

/** The instant of its last event, ms from the start. */
export function endOfTrace(file: string): number {
  const rows = texts(file)
  rows.next()
  let end = 0
  for (const { at } of eventsOf(rows, undefined)) end = at
  return end
}

/** All of its lines are put into the order of their times, in memory. The largest in sight have some 50 MB. */
const mostTranscript = 256 * 1024 * 1024

export function openTranscript(options: InputOptions): Recording {
  const { transcript, hooks, growth } = options
  const agent = agentNamed(options.agent)
  if (!agent || transcript === undefined) {
    throw new LullError('USAGE', 'a bare transcript needs both: --agent NAME --transcript FILE')
  }
  const files = { transcript, hooks: hooks ?? transcript, growth: growth ?? transcript }
  const { epoch, events } = readTranscript(
    defined({
      path: transcript,
      lines: readLines(transcript, mostTranscript),
      hooks: hooks === undefined ? undefined : linesOf(hooks),
      growth: growth === undefined ? undefined : linesOf(growth),
    }),
    (complaint, part) => options.complain(files[part], complaint),
  )
  const complain: ReplayOptions['complain'] = (complaint, event) =>
    options.complain(event?.code === 'h' ? files.hooks : transcript, complaint)
  const until = options.until === undefined ? undefined : untilInstant(options.until, epoch)
  const changes = replayEvents(events, newDecoder(agent, epoch), newSession(0), defined({ complain, until }))
  return { name: path.basename(transcript), epoch, changes }
}

function untilInstant(text: string, epoch: number): number {
  const wall = parseIso(text)
  return wall === undefined ? durationOption(text) : wall - epoch
}

/** Its own sentence, so that the file is not blamed. */
function durationOption(text: string): number {
  try {
    return parseTyped(text)
  } catch (error) {
    throw new LullError('USAGE', `--until: ${(error as Error).message}`)
  }
}

/** The lines of a file besides the one that is judged: where it can't be read, the sentence names it. */
function* linesOf(file: string): Generator<Line> {
  try {
    yield* readLines(file, mostTranscript)
  } catch (error) {
    throw usageOf(error, file)
  }
}

function* texts(file: string): Generator<string> {
  for (const { text } of readLines(file)) yield text
}
