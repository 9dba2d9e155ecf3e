/** Is a verdict that says 0.9 right nine times in ten? Measured by time and by episodes, over clean and faulty runs. */
import type { Recording } from './corpus.ts'
import { instantOf, type Prediction, truthAt } from './truth.ts'

export type Band = {
  readonly label: string
  episodes: number
  ticks: number
  right: number
  claimed: number
}

export type Calibration = {
  readonly bands: Map<string, Band>
  readonly rules: Map<string, Band>
  brier: number
  ticks: number
}

export const newCalibration = (): Calibration => ({ bands: new Map(), rules: new Map(), brier: 0, ticks: 0 })

/** Adds a run. `unknown` claims nothing and is left out. */
export function addRun(
  calibration: Calibration,
  recording: Recording,
  predictions: readonly Prediction[],
): void {
  let next = 0
  let said: Prediction | undefined
  let episode: Prediction | undefined
  for (let n = 0; instantOf(n) < recording.seconds; n++) {
    const t = instantOf(n)
    while (next < predictions.length && (predictions[next] as Prediction).t <= t) said = predictions[next++]
    const truth = truthAt(recording, t)
    if (!truth || !said || said.state.kind === 'unknown') continue
    const isRight = said.state.kind === truth.state
    const confidence = said.confidence ?? 0
    calibration.brier += (confidence - (isRight ? 1 : 0)) ** 2
    calibration.ticks++
    for (const [map, label] of [
      [calibration.bands, confidence.toFixed(2)],
      [calibration.rules, said.rule ?? ''],
    ] as const) {
      const band = map.get(label) ?? { label, episodes: 0, ticks: 0, right: 0, claimed: 0 }
      map.set(label, band)
      if (episode !== said) band.episodes++
      band.ticks++
      band.right += isRight ? 1 : 0
      band.claimed += confidence
    }
    episode = said
  }
}
