/**
 * Sessions of several turns, made of the recordings of one agent: from each its work and the idleness after it, one behind
 * the other as one program would have written them. A prompt comes soon after the end before it, or later, so that what
 * is late meets the next turn.
 */
import type { TraceEvent } from '../src/core/trace/trace.ts'
import { decode } from '../src/track/decode.ts'
import { calibratedDecoder } from '../src/track/replay.ts'
import { type Episode, episodesOf, type Recording } from './corpus.ts'
import { mislabelled } from './mislabelled.ts'

/** s between the end of a turn and the next prompt, in turn: less than what a source may be late by, and more. */
const gaps = [1, 2.5, 9]
/** s of a recording before its first prompt that are kept: the key itself. */
const lead = 0.05
/** s before its program is gone in which it may be about to end. */
const quitting = 3.5
/** A turn of several minutes has nothing more to show, and every run would judge it. s */
const longest = 60

/**
 * A session for each agent and each set of things that it shows (one terminal is told of a status, another gets a title)
 * with its recordings in order, and one in the opposite order.
 */
export function severalTurns(recordings: readonly Recording[]): Recording[] {
  const alike = Map.groupBy(recordings.flatMap(partOf), part => `${part.recording.agent.name}/${part.shows}`)
  return [...alike].flatMap(([name, parts]) => {
    if (parts.length < 2) return []
    return [joined(name, parts, 0), joined(`${name}-reversed`, parts.toReversed(), 1)]
  })
}

type Part = {
  readonly recording: Recording
  /** s of the recording: its first prompt, the end of its last turn, and how long nothing happened after that. */
  readonly from: number
  readonly end: number
  readonly quietUntil: number
  readonly epoch: number
  /** What the agent calls this session: in a session of several turns, the first part's names stand for all. */
  readonly names: ReadonlyMap<string, string>
  /** The sources that show what the program does now. */
  readonly shows: string
}

function partOf(recording: Recording): Part[] {
  const { episodes, events, startedAt, agent } = recording
  const first = episodes.find(episode => episode.state === 'working')
  const last = episodes.findLast(episode => episode.state === 'idle')
  if (!first || !last || last.from <= first.from || last.from - first.from > longest) return []
  let decoder = calibratedDecoder(agent, startedAt, events)
  const { epoch } = decoder
  if (epoch === undefined || exitsBefore(recording, last)) return []
  const names = new Map<string, string>()
  const shows = new Set<string>(['turns'])
  for (const event of events) {
    if (event.at > last.from * 1000) break
    const decoded = decode(decoder, event)
    decoder = decoded.decoder
    for (const signal of decoded.signals) {
      if (signal.type === 'facts' && signal.facts.agentSession)
        names.set('session', signal.facts.agentSession)
      if (signal.type === 'sign' && signal.tier !== 'inferred') shows.add(signal.source)
    }
  }
  for (const [source, { session }] of Object.entries(decoder.memories))
    if (session) names.set(`session of the ${source}`, session)
  const writer = events.flatMap(event => writerOf(recording, event)).at(-1)
  if (writer !== undefined) names.set('process', writer)
  const quietUntil = Math.max(last.from + 1, last.to - quitting)
  const from = first.from - lead
  const seen = { names, shows: [...shows].sort().join('-') }
  return [{ recording, from, end: last.from, quietUntil, epoch, ...seen }]
}

/** How the process is called in a log that several write. */
function writerOf({ agent }: Recording, { code, data }: TraceEvent): string[] {
  const name = code === 't' ? agent.files.writer?.read(JSON.parse(data).line ?? '') : undefined
  return name === undefined ? [] : [name]
}

const exitsBefore = ({ events }: Recording, { from }: Episode): boolean =>
  events.some(event => event.code === 'x' && event.at < from * 1000)

function joined(name: string, parts: readonly Part[], shift: number): Recording {
  const first = parts[0] as Part
  const events: TraceEvent[] = []
  const truth: Recording['truth'][number][] = []
  const unsure: { from: number; to: number }[] = []
  let seconds = 0
  for (const [n, part] of parts.entries()) {
    const from = n === 0 ? 0 : part.from
    const to = part.end + (gaps[(n + shift) % gaps.length] as number)
    const by = seconds - from
    const place = <T extends { readonly from: number; readonly to: number | null }>(stretch: T): T[] => {
      const isLast = stretch.from <= part.end && (stretch.to ?? to) > part.end
      const end = isLast ? to : Math.min(stretch.to ?? to, to)
      const begin = Math.max(stretch.from, from)
      return end > begin ? [{ ...stretch, from: begin + by, to: end + by }] : []
    }
    const wrong = mislabelled.filter(m => m.trace === part.recording.name)
    truth.push(...part.recording.truth.filter(({ from: begin }) => begin <= part.end).flatMap(place))
    unsure.push(...[...part.recording.unsure, ...wrong].flatMap(place))
    events.push(...placed(part, from, Math.min(to, part.quietUntil), by, first))
    seconds += to - from
  }
  return {
    ...first.recording,
    name,
    startedAt: first.epoch,
    events,
    seconds,
    truth,
    unsure,
    episodes: episodesOf(truth, seconds),
  }
}

/** The part's events where they belong in the session, with their stamps and names. */
function placed(part: Part, from: number, to: number, by: number, first: Part): TraceEvent[] {
  const stampsBy = first.epoch - part.epoch + by * 1000
  const kept = part.recording.events.filter(e => e.code !== 'x' && e.at >= from * 1000 && e.at < to * 1000)
  return kept.map(event => ({ ...event, at: event.at + by * 1000, data: told(event) }))

  function told({ code, data }: TraceEvent): string {
    if (code === 'o' || code === 'i' || code === 'p') return data
    // Qwen Code names a turn by its session and a number (`ID########0`): such names stay apart.
    let renamed = data
    for (const [role, own] of part.names) {
      const name = first.names.get(role) ?? own
      renamed = renamed.replaceAll(own, (_, at: number) => (renamed[at + own.length] === '#' ? own : name))
    }
    return restamped(renamed, part.epoch, stampsBy)
  }
}

const isoStamp = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z/g
const msStamp = /\b1\d{12}\b/g

/** A day's stamps around the recording, in both forms that CLIs write. */
function restamped(text: string, epoch: number, by: number): string {
  const isNear = (ms: number) => Math.abs(ms - epoch) < 86_400_000
  const inMs = (stamp: string) => (isNear(Number(stamp)) ? String(Math.round(Number(stamp) + by)) : stamp)
  const inIso = (stamp: string) =>
    isNear(Date.parse(stamp)) ? new Date(Math.round(Date.parse(stamp) + by)).toISOString() : stamp
  return text.replace(isoStamp, inIso).replace(msStamp, inMs)
}
