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
      [calibration.rules, claimOf(said)],
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

/** A rule's claim as one agent's sessions tell it from those of all the others. */
export type CrossRow = {
  readonly rule: string
  readonly agent: string
  readonly episodes: number
  /** Shares of the time that were right: of all other agents, which a fit would claim, and of this one. */
  readonly fitted: number
  readonly right: number
}

/** Fitted on all agents but one, tested on that one: the rules that both have enough of. */
export function crossValidated(byAgent: ReadonlyMap<string, Calibration>, enough: number): CrossRow[] {
  const rules = new Set([...byAgent.values()].flatMap(calibration => [...calibration.rules.keys()]))
  return [...rules].sort().flatMap(rule =>
    [...byAgent].flatMap(([agent, calibration]) => {
      const own = calibration.rules.get(rule)
      const rest = [...byAgent].flatMap(([name, other]) =>
        name === agent ? [] : (other.rules.get(rule) ?? []),
      )
      const sum = (field: 'episodes' | 'ticks' | 'right') => rest.reduce((all, band) => all + band[field], 0)
      if (!own || own.episodes < enough || sum('episodes') < enough) return []
      const fitted = sum('right') / sum('ticks')
      return [{ rule, agent, episodes: own.episodes, fitted, right: own.right / own.ticks }]
    }),
  )
}
