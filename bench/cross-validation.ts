/** What each rule would claim if it had not met an agent, beside how right it is for that one. */
import type { Band, Calibration } from './calibration.ts'
import { percent, table } from './table.ts'

/** A rule's claim as one agent's sessions tell it from those of all the others. */
export type CrossRow = {
  readonly rule: string
  readonly agent: string
  readonly episodes: number
  readonly recordings: number
  /** This agent, or all others together, have too few to tell anything. */
  readonly isFew: boolean
  /** Shares that were right: of all other agents, which a fit would claim, and of this one. */
  readonly time: Shares
  readonly verdicts: Shares
}
type Shares = { readonly fitted: number; readonly right: number }

/** What tells something: of the agent, and of all others together. */
const enough = { recordings: 3, episodes: 30 }

/** Fitted on all agents but one, tested on that one: each rule that both have. */
export function crossValidated(byAgent: ReadonlyMap<string, Calibration>): CrossRow[] {
  const rules = new Set([...byAgent.values()].flatMap(calibration => [...calibration.rules.keys()]))
  return [...rules].sort().flatMap(rule =>
    [...byAgent].flatMap(([agent, calibration]) => {
      const own = calibration.rules.get(rule)
      const rest = [...byAgent].flatMap(([name, other]) =>
        name === agent ? [] : (other.rules.get(rule) ?? []),
      )
      if (!own || rest.length === 0) return []
      const shares = (right: 'right' | 'rightEpisodes', all: 'ticks' | 'episodes'): Shares => {
        const sum = (field: typeof right | typeof all) => rest.reduce((total, band) => total + band[field], 0)
        return { fitted: sum(right) / sum(all), right: own[right] / own[all] }
      }
      const isEnough = (bands: readonly Band[]) =>
        bands.reduce((total, band) => total + band.recordings.size, 0) >= enough.recordings &&
        bands.reduce((total, band) => total + band.episodes, 0) >= enough.episodes
      return [
        {
          rule,
          agent,
          episodes: own.episodes,
          recordings: own.recordings.size,
          isFew: !isEnough([own]) || !isEnough(rest),
          time: shares('right', 'ticks'),
          verdicts: shares('rightEpisodes', 'episodes'),
        },
      ]
    }),
  )
}

const offBy = ({ fitted, right }: Shares): number => Math.abs(fitted - right)

/** By time or by verdicts, whichever is worse. */
export const mostOff = ({ time, verdicts }: CrossRow): number => Math.max(offBy(time), offBy(verdicts))

export const crossTable = (rows: readonly CrossRow[]): string =>
  table(
    [
      'rule',
      'agent',
      'fitted %',
      'right %',
      'off',
      'verdicts fitted %',
      'right %',
      'off',
      'verdicts',
      'sessions',
    ],
    rows.map(({ rule, agent, time, verdicts, episodes, recordings, isFew }) => [
      rule,
      agent,
      ...[time, verdicts].flatMap(one => [percent(one.fitted), percent(one.right), percent(offBy(one))]),
      episodes,
      isFew ? `${recordings}, too few` : recordings,
    ]),
  )
