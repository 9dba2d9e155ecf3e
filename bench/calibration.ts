/** Is a verdict that says 0.9 right nine times in ten? Measured by time and by episodes, over clean and faulty runs. */
import { sameState } from '../src/core/state.ts'
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
  if (rule === 'busier') return state.kind === 'waiting' ? 'busier waiting' : `busier than ${news}`
  const isSplit = rule === 'contradicted' || (rule === 'news' && state.kind === 'starting')
  return isSplit ? `${rule} ${state.kind}` : rule
}

/** A stretch in which a verdict stood, of one band. */
type Episode = { readonly of: Prediction; readonly band: Band; ticks: number; right: number }

/** Adds a run. `unknown` claims nothing and is left out. */
export function addRun(
  calibration: Calibration,
  recording: Recording,
  predictions: readonly Prediction[],
): void {
  let next = 0
  let said: Prediction | undefined
  const { bands, rules } = calibration
  const open: { byConfidence?: Episode; byRule?: Episode } = {}
  for (let n = 0; instantOf(n) < recording.seconds; n++) {
    const t = instantOf(n)
    while (next < predictions.length && (predictions[next] as Prediction).t <= t) said = predictions[next++]
    const truth = truthAt(recording, t)
    if (!truth || !said || said.state.kind === 'unknown') continue
    const isRight = said.state.kind === truth.state
    const confidence = said.confidence ?? 0
    calibration.brier += (confidence - (isRight ? 1 : 0)) ** 2
    calibration.ticks++
    if (open.byConfidence?.of !== said)
      open.byConfidence = begin(bandOf(bands, confidence.toFixed(2)), said, recording, open.byConfidence)
    if (!open.byRule || !isOlder(open.byRule.of, said))
      open.byRule = begin(bandOf(rules, claimOf(said)), said, recording, open.byRule)
    for (const episode of [open.byConfidence, open.byRule]) {
      for (const one of [episode, episode.band]) {
        one.ticks++
        one.right += isRight ? 1 : 0
      }
      episode.band.claimed += confidence
    }
  }
  close(open.byConfidence)
  close(open.byRule)
}

/** The same claim, of which no more than its age has lowered the confidence. */
const isOlder = (before: Prediction, now: Prediction): boolean =>
  now.rule === before.rule && now.news === before.news && sameState(now.state, before.state)

function begin(band: Band, of: Prediction, recording: Recording, before: Episode | undefined): Episode {
  close(before)
  band.episodes++
  band.recordings.add(recording.name)
  return { of, band, ticks: 0, right: 0 }
}

function close(episode: Episode | undefined): void {
  if (episode && episode.right * 2 > episode.ticks) episode.band.rightEpisodes++
}

function bandOf(bands: Map<string, Band>, label: string): Band {
  const band = bands.get(label) ?? newBand(label)
  bands.set(label, band)
  return band
}
