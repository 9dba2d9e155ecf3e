/** Scores predictions with the corpus' own program, and finds the episodes that it only counts. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { State } from '../src/core/state.ts'
import type { Recording } from './corpus.ts'
import { sharedFolder } from './corpus.ts'
import { isMislabelled } from './mislabelled.ts'

export type Prediction = {
  readonly trace: string
  readonly t: number
  readonly state: State
  readonly confidence?: number
  readonly rule?: string
}

type Latency = {
  n: number
  never: number
  early: number
  p50: number | 'never'
  p95: number | 'never'
  max: number | 'never'
}

/** The part of the corpus' score that the tables show. */
export type Score = {
  readonly accuracy: number
  readonly falseIdleShare: number
  readonly falseIdleEpisodes: number
  readonly falseIdleLongerThan1s: number
  readonly unknownShare: number
  readonly missedWaiting: number
  readonly waitingEpisodes: Record<string, number>
  readonly forAccuracy: number | null
  readonly flaps: number
  readonly latency: Record<string, Latency>
}

/** Start-up dialogs are left out (`--no-dialog`): the recordings' logs cannot show when they open. */
export function score(
  folder: string,
  predictions: readonly Prediction[],
): { overall: Score; agents: Record<string, Score> } {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'lull-bench-'))
  try {
    const file = path.join(dir, 'predictions.jsonl')
    const row = ({ trace, t, state }: Prediction) =>
      JSON.stringify({ trace, t, state: state.kind, ...(state.kind === 'waiting' ? { for: state.for } : {}) })
    writeFileSync(file, `${predictions.map(row).join('\n')}\n`)
    const printed = execFileSync(
      process.execPath,
      [path.join(sharedFolder, 'score.mjs'), folder, file, '--no-dialog'],
      {
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
      },
    )
    return JSON.parse(printed.trim().split('\n').at(-1) ?? '')
  } finally {
    rmSync(dir, { recursive: true })
  }
}

/** A stretch in which a session was called idle while it worked or waited. */
export type FalseIdle = {
  readonly trace: string
  readonly from: number
  readonly to: number
  readonly truth: string
}

const tick = 0.1

type Truth = { readonly state: string; readonly label: string }

/** The truth at an instant, or nothing where it is unsure, within its grace, or a start-up dialog. */
export function truthAt(recording: Recording, t: number): Truth | undefined {
  if (isMislabelled(recording.name, t)) return undefined
  if (recording.unsure.some(u => t >= u.from && t < u.to)) return undefined
  const interval = recording.truth.findLast(i => i.from <= t)
  if (!interval || interval.for === 'dialog') return undefined
  let first = interval
  for (const earlier of recording.truth.slice(0, recording.truth.indexOf(interval)).reverse()) {
    if (earlier.state !== interval.state || earlier.for !== interval.for) break
    first = earlier
  }
  if (t < first.from + (first.grace ?? 0)) return undefined
  return {
    state: interval.state,
    label: [interval.state, interval.for, interval.detail].filter(Boolean).join('/'),
  }
}

export function falseIdles(recording: Recording, predictions: readonly Prediction[]): FalseIdle[] {
  const found: FalseIdle[] = []
  let open: { from: number; truth: string } | undefined
  let next = 0
  let said = 'unknown'
  for (let n = 0; (n + 0.5) * tick < recording.seconds; n++) {
    const t = (n + 0.5) * tick
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

/** A shorter idleness is no target: the corpus' score leaves it out too. */
const briefest = 0.7

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
