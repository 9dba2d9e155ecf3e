/** What was really so at an instant of a recording, and where predictions of it went wrong in the ways that cost most. */
import type { State } from '../src/core/state.ts'
import type { Recording } from './corpus.ts'
import { isMislabelled } from './mislabelled.ts'

/** What was said of a recording from `t` on, in seconds. */
export type Prediction = {
  readonly trace: string
  readonly t: number
  readonly state: State
  readonly confidence?: number
  readonly rule?: string
  /** What the news say that the verdict rests on. */
  readonly news?: string
}

type Truth = { readonly state: string; readonly label: string }

/** The middles of the steps of 0.1 s in which recordings are scored. */
const tick = 0.1
export const instantOf = (step: number): number => (step + 0.5) * tick

/** A shorter state is no target: nobody can act on it. s */
export const briefest = 0.7

export const isUnsure = (recording: Recording, t: number): boolean =>
  recording.unsure.some(stretch => t >= stretch.from && t < stretch.to)

/** The truth at an instant, or nothing where it is unsure, mislabelled, or within the grace after a change. */
export function truthAt(recording: Recording, t: number): Truth | undefined {
  if (isMislabelled(recording.name, t) || isUnsure(recording, t)) return undefined
  const interval = recording.truth.findLast(i => i.from <= t)
  const episode = recording.episodes.findLast(e => e.from <= t)
  if (!interval || !episode || t < episode.from + episode.grace) return undefined
  return {
    state: interval.state,
    label: [interval.state, interval.for, interval.detail].filter(Boolean).join('/'),
  }
}

/** A stretch in which a session was called idle while it worked or waited. */
export type FalseIdle = {
  readonly trace: string
  readonly from: number
  readonly to: number
  readonly truth: string
}

export function falseIdles(recording: Recording, predictions: readonly Prediction[]): FalseIdle[] {
  const found: FalseIdle[] = []
  let open: { from: number; truth: string } | undefined
  let next = 0
  let said = 'unknown'
  for (let n = 0; instantOf(n) < recording.seconds; n++) {
    const t = instantOf(n)
    while (next < predictions.length && (predictions[next] as Prediction).t <= t)
      said = (predictions[next++] as Prediction).state.kind
    const truth = truthAt(recording, t)
    const wrong = said === 'idle' && (truth?.state === 'working' || truth?.state === 'waiting')
    if (wrong) open ??= { from: t - tick / 2, truth: truth.label }
    else if (open) {
      found.push({ trace: recording.name, ...open, to: t - tick / 2 })
      open = undefined
    }
  }
  if (open) found.push({ trace: recording.name, ...open, to: recording.seconds })
  return found
}

/** Ends of work of which the predictions never tell, as `trace at s`. */
export function neverIdle(recording: Recording, predictions: readonly Prediction[]): string[] {
  return recording.truth.flatMap((interval, n) => {
    const before = recording.truth[n - 1]
    const to = recording.truth.slice(n).find(i => i.state !== 'idle')?.from ?? recording.seconds
    if (interval.state !== 'idle' || before?.state !== 'working' || to - interval.from < briefest) return []
    const isTold = predictions.some(
      (p, i) => p.state.kind === 'idle' && p.t < to && (predictions[i + 1]?.t ?? Infinity) > interval.from,
    )
    return isTold ? [] : [`${recording.name} at ${interval.from} s`]
  })
}
