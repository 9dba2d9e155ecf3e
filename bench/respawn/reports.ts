/** When the sources of a recording first told of an end, by their own words: no rule can act upon a report before it came. */

import { decode } from '../../src/track/decode.ts'
import { calibratedDecoder } from '../../src/track/replay.ts'
import type { Recording } from '../corpus.ts'
import { type Apply, unchanged } from '../judgements.ts'
import { withScreens } from '../rendered.ts'

/** A source said idle. `at`: s */
export type Report = { readonly at: number; readonly source: string }

export function reportsOf({ agent, startedAt, events, seconds }: Recording, apply: Apply): readonly Report[] {
  const faulty = apply(events, seconds)
  let decoder = calibratedDecoder(agent, startedAt, faulty)
  return faulty.flatMap(event => {
    const decoded = decode(decoder, event)
    decoder = decoded.decoder
    return decoded.signals.flatMap(signal =>
      (signal.type === 'news' || signal.type === 'sign') && signal.state.kind === 'idle'
        ? [{ at: event.at / 1000, source: signal.source }]
        : [],
    )
  })
}

/** The truth knows an end to within that time: s */
const early = 0.3

/** A screen that looks idle is no report: it counts after 10 s of silence. */
const isReport = ({ source }: Report): boolean =>
  source !== 'screen' && source !== 'paint' && source !== 'process'

/** s from the end to the first report of it; Infinity where none came. */
export function reportedAfter(reports: readonly Report[], from: number, to: number): number {
  const first = reports.find(report => isReport(report) && report.at >= from - early && report.at < to)
  return first ? Math.max(0, first.at - from) : Infinity
}

/** By source, looks at its screen among them: s from the end to its first word. */
export async function firstWords(recording: Recording, from: number, to: number): Promise<string> {
  const words = new Map<string, number>()
  for (const { at, source } of reportsOf(await withScreens(recording), unchanged))
    if (at >= from - early && at < to && !words.has(source)) words.set(source, Math.max(0, at - from))
  return [...words].map(([source, after]) => `${source} ${after.toFixed(2)}`).join(', ')
}
