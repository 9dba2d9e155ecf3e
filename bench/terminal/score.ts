/** Counts what was right, and what would have cost somebody's work. */
import { percent, table } from '../table.ts'
import type { Played } from './play.ts'
import type { Scenario } from './scenario.ts'
import type { Guess, LullSays } from './subject.ts'

export type Count = {
  readonly right: number
  /** It said ready, and it was not. */
  readonly falseReady: number
  /** It was ready, and it said something else. */
  readonly missed: number
}

const isReady = (says: string): boolean => says.startsWith('idle') || says === 'ready'
const wantsReady = ({ truth }: Scenario): boolean => truth.every(isReady)
const mayBeReady = ({ truth }: Scenario): boolean => truth.some(isReady)

const isInferred = ({ inferred = [] }: Scenario, { says, tier }: Pick<LullSays, 'says' | 'tier'>): boolean =>
  tier === 'inferred' && inferred.some(label => label === says)

export const isRight = (scenario: Scenario, said: LullSays): boolean =>
  scenario.truth.some(label => label === said.says) || isInferred(scenario, said)

const isFalseReady = (scenario: Scenario, said: LullSays): boolean =>
  isReady(said.says) && !mayBeReady(scenario) && !isInferred(scenario, said)

export const isRightWait = (scenario: Scenario, { wait }: Proven): boolean =>
  isRightGuess(scenario, wait.guess) || (wait.guess.says === 'ready' && isInferred(scenario, wait))

const isFalseWait = (scenario: Scenario, run: Proven): boolean =>
  run.wait.guess.says === 'ready' && !mayBeReady(scenario) && !isInferred(scenario, run.wait)

/** A rival knows ready and not ready only: where a program asks, not ready is right. */
const isRightGuess = (scenario: Scenario, { says }: Guess): boolean =>
  (says === 'ready') === wantsReady(scenario) || (says === 'ready' && mayBeReady(scenario))

type Proven = Extract<Played, { lull: LullSays }>
export const provenOf = (runs: readonly Played[]): Proven[] => runs.filter(run => 'lull' in run)

/** A run that was not proven counts as not right, for everybody. */
export function countLull(runs: readonly Played[]): Count {
  const proven = provenOf(runs)
  return {
    right: proven.filter(({ scenario, lull }) => isRight(scenario, lull)).length,
    falseReady: proven.filter(({ scenario, lull }) => isFalseReady(scenario, lull)).length,
    missed: proven.filter(({ scenario, lull }) => wantsReady(scenario) && !isReady(lull.says)).length,
  }
}

export function countWaits(runs: readonly Played[]): Count {
  const proven = provenOf(runs)
  return {
    right: proven.filter(run => isRightWait(run.scenario, run)).length,
    falseReady: proven.filter(run => isFalseWait(run.scenario, run)).length,
    missed: proven.filter(({ scenario, wait }) => wantsReady(scenario) && wait.guess.says !== 'ready').length,
  }
}

export function countGuesses(runs: readonly Played[], of: 'document' | 'pattern' | 'vsCode'): Count {
  const proven = provenOf(runs)
  return {
    right: proven.filter(run => isRightGuess(run.scenario, run[of])).length,
    falseReady: proven.filter(run => run[of].says === 'ready' && !mayBeReady(run.scenario)).length,
    missed: proven.filter(run => wantsReady(run.scenario) && run[of].says !== 'ready').length,
  }
}

export function scoreTable(runs: readonly Played[]): string {
  const groups = [...new Set(runs.map(({ scenario }) => scenario.group))]
  const cell = ({ right, falseReady }: Count, all: number) =>
    all === 0 ? '-' : `${percent(right / all)} / ${falseReady}`
  const row = (name: string, some: readonly Played[]) => [
    name,
    new Set(some.map(({ scenario }) => scenario.name)).size,
    some.length,
    cell(countLull(some), some.length),
    cell(countWaits(some), some.length),
    cell(countGuesses(some, 'document'), some.length),
    cell(countGuesses(some, 'pattern'), some.length),
    cell(countGuesses(some, 'vsCode'), some.length),
  ]
  return table(
    [
      'right % / false ready',
      'scenarios',
      'runs',
      'lull: which state',
      '`lull wait`: ready or not',
      '002: ready or not',
      'pattern each 20 ms: ready or not',
      "VS Code's patterns: ready or not",
    ],
    [
      ...groups.map(name =>
        row(
          name,
          runs.filter(({ scenario }) => scenario.group === name),
        ),
      ),
      row('all', runs),
      ...(new Set(runs.map(({ scenario }) => scenario.isUnseen)).size > 1
        ? [
            row(
              'unseen by the rules',
              runs.filter(({ scenario }) => scenario.isUnseen),
            ),
          ]
        : []),
    ],
  )
}

/** Every run that was not right, with what lull said and why; the same thing once. */
export function wrongLines(runs: readonly Played[]): string[] {
  const lines = runs.flatMap(run => {
    const { name, truth } = run.scenario
    if ('unproven' in run) return [`${name}: not proven: ${run.unproven.split('\n')[0]}`]
    const { lull, wait } = run
    const waited = isRightWait(run.scenario, run) ? [] : [`lull wait: ${wait.guess.says} (${wait.why})`]
    const said = isRight(run.scenario, lull) ? [] : [`lull said ${lull.says}: ${lull.why}`]
    if (waited.length + said.length === 0) return []
    const danger = isFalseReady(run.scenario, lull) || isFalseWait(run.scenario, run) ? 'FALSE READY: ' : ''
    return [`${danger}${name}: is ${truth.join(' or ')}, ${[...said, ...waited].join('; ')}`]
  })
  return [...new Set(lines)].map(line => `${lines.filter(other => other === line).length} × ${line}`)
}
