/** Recordings as agents that run now: their events happen as long after one another as they did, again and again. */
import path from 'node:path'
import type { Agent } from '../agents/kit/agent.ts'
import { startedSession } from '../core/advance.ts'
import type { Clock, Timer } from '../core/clock.ts'
import { readHeader, type TraceEvent } from '../core/trace/trace.ts'
import { readLines } from '../os/file/lines.ts'
import type { LiveSession, SessionChanged, SessionProvider } from '../sessions/session-source.ts'
import { decode, newDecoder } from '../track/decode.ts'
import { agentOf, calibratedDecoder, eventsOf } from '../track/replay.ts'
import { createTrack } from '../track/track.ts'

/** Between the end of a recording and its next beginning. ms */
const pauseMs = 8000

/** @param files of recordings */
export function storySessions(clock: Clock, files: readonly string[]): SessionProvider {
  let onChange: SessionChanged = () => undefined
  const track = createTrack(clock, id => onChange(id, 'changed'))
  const timers = new Map<string, Timer>()
  const stories = new Map(files.map((file, n) => [`demo000${n}`, storyIn(file)]))

  function play(id: string, story: Story): void {
    const { agent, epoch, events } = story
    const origin = clock.now()
    let decoder = newDecoder(agent, epoch === undefined ? undefined : epoch - origin)
    track.forget(id)
    track.begin(id, startedSession(origin))
    onChange(id, 'changed')
    const next = (at: number): void => {
      const event = events[at]
      if (!event) {
        timers.set(
          id,
          clock.at(clock.now() + pauseMs, () => play(id, story)),
        )
        return
      }
      const happen = (): void => {
        const decoded = decode(decoder, { ...event, at: clock.now() })
        decoder = decoded.decoder
        if (decoded.signals.length > 0) track.file(id, decoded.signals)
        next(at + 1)
      }
      timers.set(id, clock.at(origin + event.at, happen))
    }
    next(0)
  }

  const get = (id: string): LiveSession | undefined => {
    const [story, session] = [stories.get(id), track.get(id)]
    if (!story || !session) return undefined
    const agent = story.agent?.name ?? 'command'
    const { title, recording } = story
    return { id, agent, title, recording, pid: 0, hooks: 'heard', isSeen: false, session }
  }
  return {
    start(changed) {
      onChange = changed
      for (const [id, story] of stories) play(id, story)
    },
    get,
    list: () => [...stories.keys()].flatMap(id => get(id) ?? []),
    close() {
      for (const timer of timers.values()) timer.cancel()
      track.close()
    },
  }
}

type Story = {
  readonly title: string
  readonly recording: string
  readonly agent: Agent | undefined
  /** ms since the epoch at its instant 0 */
  readonly epoch: number | undefined
  readonly events: readonly TraceEvent[]
}

function storyIn(file: string): Story {
  const rows = [...readLines(file)].map(({ text }) => text)
  const header = readHeader(rows[0] ?? '')
  const agent = agentOf(header)
  const events = [...eventsOf(rows.slice(1)[Symbol.iterator](), undefined)]
  const { epoch } = calibratedDecoder(agent, header.startedAt, events)
  const recording = path.basename(file)
  return { title: path.basename(file, '.cast.gz'), recording, agent, epoch, events }
}
