/**
 * Takes secrets out of a trace as it is written. What a program prints in two writes is read as one text, so output waits
 * for what follows it; everything else waits behind it, in its order.
 */
import { isRecord, parseJson, type TraceEvent } from '../trace/trace.ts'
import { redact, redactAll } from './redact.ts'

type Event = Pick<TraceEvent, 'at' | 'code' | 'data'>

export type TraceRedactor = {
  /** @returns the events that nothing that follows can change, in their order */
  push(event: Event): Event[]
  /** @returns the rest */
  end(): Event[]
}

/** A line that is typed or printed by and by is read as one; ms. A recorder's samples of processes come every 5 s. */
const patience = 2000
/** Twice as long as a private key of RSA; characters. */
const overlap = 16 * 1024
const longestHeld = 4 * overlap

/** Each of them is one text, cut into events at will. */
const streams = ['o', 'i'] as const

export function createTraceRedactor(): TraceRedactor {
  let held: Event[] = []
  let heldLength = 0
  let mostHeld = longestHeld
  const before = { o: '', i: '' }

  const release = (isDue: (event: Event, lengthBehind: number) => boolean): Event[] => {
    const clean = new Map<Event, string>()
    for (const code of streams) {
      const mine = held.filter(event => event.code === code)
      const [, ...texts] = redactAll([before[code], ...mine.map(({ data }) => data)])
      for (const [i, event] of mine.entries()) clean.set(event, texts[i] ?? '')
    }
    let left = heldLength
    let count = 0
    for (const event of held) {
      const rest = left - lengthOf(event)
      if (!isDue(event, rest)) break
      left = rest
      count++
      if (isStream(event.code)) before[event.code] = (before[event.code] + event.data).slice(-overlap)
    }
    const due = held.slice(0, count).map(event => ({ ...event, data: clean.get(event) ?? event.data }))
    held = held.slice(count)
    heldLength = left
    mostHeld = Math.max(longestHeld, heldLength + overlap)
    return due
  }
  return {
    push(event) {
      const isText = isStream(event.code)
      if (!isText && held.length === 0) return [{ ...event, data: cleanData(event) }]
      held.push(isText ? event : { ...event, data: cleanData(event) })
      heldLength += lengthOf(event)
      const isOld = event.at - (held[0]?.at ?? event.at) >= patience
      if (!isOld && heldLength < mostHeld) return []
      return release(({ at }, rest) => event.at - at >= patience / 2 || rest >= overlap)
    },
    end: () => release(() => true),
  }
}

/** The rows of a screen are one text: a key of several lines stands in several of them. None moves up where one is taken out. */
function cleanData({ code, data }: Event): string {
  const screen = code === 'f' && data.startsWith('{"rows":') ? parseJson(data) : undefined
  if (!isRecord(screen) || !Array.isArray(screen.rows)) return redact(data)
  const rowsAndBreaks = screen.rows.flatMap(row => [String(row ?? ''), '\n'])
  const rows = redactAll(rowsAndBreaks).filter((_, i) => i % 2 === 0)
  return redact(JSON.stringify({ ...screen, rows }))
}

const isStream = (code: string): code is (typeof streams)[number] => streams.some(stream => stream === code)
const lengthOf = ({ code, data }: Event): number => (isStream(code) ? data.length : 0)
