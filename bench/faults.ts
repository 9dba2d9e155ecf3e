/** Faults of a source, put into a recording before it is judged. */
import type { TraceEvent } from '../src/core/trace/trace.ts'

/** Codes of the trace that make one source. */
const sources = { hook: 'h', transcript: 't', status: 'f', terminal: 'o' } as const
type FaultySource = keyof typeof sources

export type Fault = {
  readonly name: string
  readonly apply: (events: readonly TraceEvent[], seconds: number) => readonly TraceEvent[]
}

const of = (source: FaultySource) => (event: TraceEvent) => event.code === sources[source]

function dropped(source: FaultySource): Fault {
  const hit = of(source)
  return { name: `${source} dropped`, apply: events => events.filter(e => !hit(e)) }
}

/** Nothing comes after a moment; what was said last stands. */
function dead(source: FaultySource, share: number, name = `${source} frozen at ${share.toFixed(2)}`): Fault {
  const hit = of(source)
  return { name, apply: (events, seconds) => events.filter(e => !hit(e) || e.at <= share * seconds * 1000) }
}

export function delayed(source: FaultySource, ms: number): Fault {
  const hit = of(source)
  const apply = (events: readonly TraceEvent[]) =>
    events.map(e => (hit(e) ? { ...e, at: e.at + ms } : e)).sort((a, b) => a.at - b.at)
  return { name: `${source} late ${ms / 1000} s`, apply }
}

/** Each event comes twice, the second `ms` later. */
function doubled(source: FaultySource, ms: number): Fault {
  const hit = of(source)
  const apply = (events: readonly TraceEvent[]) =>
    events.flatMap(e => (hit(e) ? [e, { ...e, at: e.at + ms }] : [e])).sort((a, b) => a.at - b.at)
  return { name: `${source} doubled${ms ? ` after ${ms / 1000} s` : ''}`, apply }
}

const each = <T>(make: (source: FaultySource) => T): T[] => (Object.keys(sources) as FaultySource[]).map(make)

/** Every source dropped, frozen at a third, late by 0.5, 2 and 7 s, doubled at once and a second later. */
export const sourceFaults: readonly Fault[] = [
  ...each(dropped),
  ...each(source => dead(source, 1 / 3, `${source} frozen at a third`)),
  ...[500, 2000, 7000].flatMap(ms => each(source => delayed(source, ms))),
  ...each(source => doubled(source, 0)),
  ...each(source => doubled(source, 1000)),
]

const faultsOf = (source: FaultySource): Fault[] => [
  dropped(source),
  dead(source, 1 / 3, `${source} frozen at a third`),
  ...[500, 2000, 7000].map(ms => delayed(source, ms)),
  ...[0, 1000].map(ms => doubled(source, ms)),
]

/** Each two faults of two sources, and of one source those that can befall it together: doubled and late. */
export function faultPairs(): Fault[] {
  const all = Object.keys(sources) as FaultySource[]
  const apart = all.flatMap((a, n) =>
    all.slice(n + 1).flatMap(b => faultsOf(a).flatMap(one => faultsOf(b).map(other => both(one, other)))),
  )
  const lateTwice = all.flatMap(source =>
    [500, 2000, 7000].map(ms => both(doubled(source, 1000), delayed(source, ms))),
  )
  return [...apart, ...lateTwice]
}

const both = (one: Fault, other: Fault): Fault => ({
  name: `${one.name}, ${other.name}`,
  apply: (events, seconds) => other.apply(one.apply(events, seconds), seconds),
})

/** Hooks that die at moments spread over the session by a fixed sequence, so that a run can be repeated. */
export function hookDeaths(count: number): Fault[] {
  return Array.from({ length: count }, (_, n) => {
    const share = ((n + 0.5) * 0.6180339887) % 1
    return dead('hook', share, `hooks die at ${Math.round(share * 100)} %`)
  })
}
