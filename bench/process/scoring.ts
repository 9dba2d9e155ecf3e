/** Which of lull's and the baseline's answers are right. */
import type { Health, ProcessCause } from '../../src/core/state.ts'
import { type BaselineVerdict, judgeByWindows, ownWindows, shortWindows } from './baseline.ts'
import { isCalledStuck, simulatedSeconds, worstHealth } from './levels.ts'
import type { Observation } from './observe.ts'
import type { Scenario } from './scenario.ts'
import type { Seen } from './scenarios-run.ts'

export type Row = {
  readonly scenario: Scenario
  readonly error?: string
  readonly got: string
  readonly isExact: boolean
  readonly health: Health
  readonly called: boolean
  /** With the document's own windows on simulated time; with short ones on the readings as they were. */
  readonly baseline: Side
  readonly short: Side
  readonly observation: Observation
}

type Side = BaselineVerdict & { readonly isExact: boolean; readonly called: boolean }

export function score({ scenario, observation }: Seen): Row | undefined {
  if (!observation) return undefined
  const { diagnosis, readings, printsEvery, error } = observation
  const ends = Math.min(simulatedSeconds, scenario.ends ?? Number.POSITIVE_INFINITY)
  const side = (verdict: BaselineVerdict): Side => ({
    ...verdict,
    isExact: isNamed(verdict.cause, scenario),
    called: verdict.level === 'LIKELY_STUCK' || verdict.level === 'CONFIRMED_STUCK',
  })
  const health = worstHealth(observation, ends)
  return {
    scenario,
    ...(error !== undefined && { error }),
    got: diagnosis ? `${diagnosis.cause}, ${diagnosis.proof}` : 'nothing',
    isExact: diagnosis !== undefined && isRight(scenario, diagnosis),
    health,
    called: isCalledStuck(health),
    // The steady state: the last reading repeats for ever.
    baseline: side(judgeByWindows(readings.slice(-1), ownWindows, ends, printsEvery)),
    short: side(judgeByWindows(readings, shortWindows, readings.length * shortWindows.interval, printsEvery)),
    observation,
  }
}

type Said = NonNullable<Observation['diagnosis']>

function isRight({ kind, expected }: Scenario, { cause, proof }: Said): boolean {
  if (kind === 'unknown') return cause === 'unknown'
  return expected.includes(cause) && (kind !== 'bounded' || proof === 'bounded')
}

/** docs/seeds.md#004 has one word, LIKELY_HUNG, for every wait that is no wait for stdin. */
const hung: ReadonlySet<ProcessCause> = new Set<ProcessCause>([
  'deadlock',
  'closed_wait',
  'output',
  'dead_peer',
  'unreachable',
  'frozen',
])

const isNamed = (cause: BaselineVerdict['cause'], { expected }: Scenario): boolean =>
  cause === 'hung' ? expected.some(one => hung.has(one)) : expected.includes(cause)

export const isLegitimate = ({ kind }: Scenario): boolean => kind === 'healthy' || kind === 'bounded'
