/** Judges recordings, as they are or with a fault, by our rule or by a rival's. */

import { startedSession } from '../src/core/advance.ts'
import type { Verdict } from '../src/core/judge/verdict.ts'
import type { TraceEvent } from '../src/core/trace/trace.ts'
import { type Decoder, decode } from '../src/track/decode.ts'
import { calibratedDecoder, replayEvents } from '../src/track/replay.ts'
import { sameClaim } from '../src/track/track.ts'
import type { Recording } from './corpus.ts'
import type { Rival, RivalInput } from './rivals.ts'
import type { Prediction } from './truth.ts'

export type Apply = (events: readonly TraceEvent[], seconds: number) => readonly TraceEvent[]

export const unchanged: Apply = events => events

export const isSame = (a: Verdict, b: Verdict): boolean =>
  sameClaim(a, b) && a.confidence === b.confidence && a.rule === b.rule

/** Our verdicts at each change of the claim or of its confidence. */
export function ours(recording: Recording, apply: Apply): Prediction[] {
  const events = apply(recording.events, recording.seconds)
  return [...replayEvents(events, decoderFor(recording, events), startedSession(0), { isSame })].map(
    ({ at, verdict }) => ({
      trace: recording.name,
      t: at / 1000,
      state: verdict.state,
      confidence: verdict.confidence,
      rule: verdict.rule,
      news: verdict.because.find(evidence => evidence.type === 'news')?.state.kind ?? 'nothing',
    }),
  )
}

export function theirs(recording: Recording, apply: Apply, rival: Rival): Prediction[] {
  const events = apply(recording.events, recording.seconds)
  return [...rival(inputs(events, decoderFor(recording, events)))].map(({ at, state }) => ({
    trace: recording.name,
    t: at / 1000,
    state,
  }))
}

export const decoderFor = ({ agent, startedAt }: Recording, events: readonly TraceEvent[]): Decoder =>
  calibratedDecoder(agent, startedAt, events)

function* inputs(events: readonly TraceEvent[], start: Decoder): Iterable<RivalInput> {
  let decoder = start
  for (const event of events) {
    const decoded = decode(decoder, event)
    decoder = decoded.decoder
    yield { at: event.at, signals: decoded.signals, output: event.code === 'o' }
  }
}
