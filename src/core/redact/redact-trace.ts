/**
 * Takes secrets out of a trace as it is written. What a program prints in two writes is read as one text, so output waits
 * for what follows it; everything else waits behind it, in its order.
 */
import { isRecord, parseJson, type TraceEvent } from '../trace/trace.ts'
import { begunIn } from './find-secrets.ts'
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
/** Letters of a key that is typed slowly are no key yet: they wait for the others, ms. */
const slowest = 30_000
/** What waits is read again so often at the most: ms. */
const between = 100
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
  let readAgainAt = -Infinity

  /** What is held without its secrets, and the events in which a key may have begun that goes on. */
  function read(): { readonly clean: ReadonlyMap<Event, string>; readonly begun: ReadonlySet<Event> } {
    const clean = new Map<Event, string>()
    const begun = new Set<Event>()
    for (const code of streams) {
      const mine = held.filter(event => event.code === code)
      const whole = [before[code], ...mine.map(({ data }) => data)]
      const [, ...texts] = redactAll(whole)
      for (const [i, event] of mine.entries()) clean.set(event, texts[i] ?? '')
      let left = (begunIn(whole.join('')) ?? Infinity) - before[code].length
      const first = mine.find(({ data }) => {
        left -= data.length
        return left < 0
      })
      if (first) begun.add(first)
    }
    return { clean, begun }
  }

  function release(now = Infinity): Event[] {
    const { clean, begun } = read()
    let left = heldLength
    let count = 0
    for (const event of held) {
      const rest = left - lengthOf(event)
      const age = now - event.at
      if (rest < overlap && (age < patience / 2 || (begun.has(event) && age < slowest))) break
      left = rest
      count++
      if (isStream(event.code)) before[event.code] = (before[event.code] + event.data).slice(-overlap)
    }
    const due = held.slice(0, count).map(event => ({ ...event, data: clean.get(event) ?? event.data }))
    held = held.slice(count)
    heldLength = left
    mostHeld = Math.max(longestHeld, heldLength + overlap)
    readAgainAt = Math.max((held[0]?.at ?? -Infinity) + patience, now + between)
    return due
  }
  return {
    push(event) {
      const isText = isStream(event.code)
      if (!isText && held.length === 0) return [{ ...event, data: cleanData(event) }]
      if (held.length === 0) readAgainAt = event.at + patience
      held.push(isText ? event : { ...event, data: cleanData(event) })
      heldLength += lengthOf(event)
      return event.at < readAgainAt && heldLength < mostHeld ? [] : release(event.at)
    },
    end: () => release(),
  }
}

/** The rows of a screen are one text: a key of several lines spans several of them. Redaction removes no row. */
function cleanData({ code, data }: Event): string {
  const screen = code === 'f' && data.startsWith('{"rows":') ? parseJson(data) : undefined
  if (!isRecord(screen) || !Array.isArray(screen.rows)) return redact(data)
  const rowsAndBreaks = screen.rows.flatMap(row => [String(row ?? ''), '\n'])
  const rows = redactAll(rowsAndBreaks).filter((_, i) => i % 2 === 0)
  return redact(JSON.stringify({ ...screen, rows }))
}

const isStream = (code: string): code is (typeof streams)[number] => streams.some(stream => stream === code)
const lengthOf = ({ code, data }: Event): number => (isStream(code) ? data.length : 0)
