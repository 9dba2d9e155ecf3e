/** Is a verdict that says 0.9 right nine times in ten? Measured by time and by episodes, over clean and faulty runs. */
import type { Recording } from './corpus.ts'
import { instantOf, type Prediction, truthAt } from './truth.ts'

export type Band = {
  readonly label: string
  /** Stretches in which one verdict stood, and those of them that were right for the most of their time. */
  episodes: number
  rightEpisodes: number
  ticks: number
  right: number
  claimed: number
  /** What is independent of each other: a fault shows the same session again. */
  readonly recordings: Set<string>
}

const newBand = (label: string): Band => ({
  label,
  episodes: 0,
  rightEpisodes: 0,
  ticks: 0,
  right: 0,
  claimed: 0,
  recordings: new Set(),
})

export type Calibration = {
  readonly bands: Map<string, Band>
  readonly rules: Map<string, Band>
  brier: number
  ticks: number
}

export const newCalibration = (): Calibration => ({ bands: new Map(), rules: new Map(), brier: 0, ticks: 0 })

/** What a confidence stands for: the rule, and of some what they say, or what the news say (src/core/judge/confidence.ts). */
function claimOf({ rule = '', state, news = '' }: Prediction): string {
  if (rule === 'busier') return `busier than ${news}`
  const isSplit = rule === 'contradicted' || (rule === 'news' && state.kind === 'starting')
  return isSplit ? `${rule} ${state.kind}` : rule
}

/** Adds a run. `unknown` claims nothing and is left out. */
export function addRun(
  calibration: Calibration,
  recording: Recording,
  predictions: readonly Prediction[],
): void {
  let next = 0
  let said: Prediction | undefined
  let episode:
    | { readonly of: Prediction; readonly bands: readonly Band[]; ticks: number; right: number }
    | undefined
  const close = () => {
    if (episode && episode.right * 2 > episode.ticks) for (const band of episode.bands) band.rightEpisodes++
  }
  for (let n = 0; instantOf(n) < recording.seconds; n++) {
    const t = instantOf(n)
    while (next < predictions.length && (predictions[next] as Prediction).t <= t) said = predictions[next++]
    const truth = truthAt(recording, t)
    if (!truth || !said || said.state.kind === 'unknown') continue
    const isRight = said.state.kind === truth.state
    const confidence = said.confidence ?? 0
    calibration.brier += (confidence - (isRight ? 1 : 0)) ** 2
    calibration.ticks++
    if (episode?.of !== said) {
      close()
      const bands = [
        bandOf(calibration.bands, confidence.toFixed(2)),
        bandOf(calibration.rules, claimOf(said)),
      ]
      for (const band of bands) {
        band.episodes++
        band.recordings.add(recording.name)
      }
      episode = { of: said, bands, ticks: 0, right: 0 }
    }
    for (const one of [episode, ...episode.bands]) {
      one.ticks++
      one.right += isRight ? 1 : 0
    }
    for (const band of episode.bands) band.claimed += confidence
  }
  close()
}

function bandOf(bands: Map<string, Band>, label: string): Band {
  const band = bands.get(label) ?? newBand(label)
  bands.set(label, band)
  return band
}
