/** Plays the table, each scenario several times, a few panes at once. */
import { appendFileSync } from 'node:fs'
import { type Played, play } from './play.ts'
import type { Scenario } from './scenario.ts'
import { scenarios } from './scenarios.ts'
import {
  countGuesses,
  countLull,
  countWaits,
  isRight,
  isRightWait,
  provenOf,
  scoreTable,
  wrongLines,
} from './score.ts'
import { lacks } from './stage.ts'
import type { Stage } from './subject.ts'
import { unseen } from './unseen/scenarios.ts'

const atOnce = 6

/**
 * @param only plays those alone whose name it is, or whose group
 * @param times how often each
 * @param misses a file that gets what was seen at each wrong verdict, as a line of JSON
 */
export async function playAll(stage: Stage, times: number, only?: string, misses?: string) {
  const chosen = scenarios.filter(
    ({ name, group, isUnseen = false }) =>
      only === undefined || name === only || group === only || (isUnseen && only === 'unseen'),
  )
  if (chosen.length === 0) throw new Error(`no scenario is called ${only}, and no group`)
  return playSome(stage, chosen, times, misses)
}

/** Programs that lull never met; those that are not installed are skipped, and said. `only`: also what a name begins with. */
export async function playUnseen(stage: Stage, times: number, only?: string, misses?: string) {
  const chosen = unseen.filter(
    ({ name, group }) => only === undefined || name.startsWith(only) || group === only,
  )
  const skipped = chosen.filter(scenario => lacks(stage, scenario).length > 0)
  const missing = new Set(skipped.flatMap(scenario => lacks(stage, scenario)))
  const played = chosen.filter(scenario => !skipped.includes(scenario))
  const { figures, text, runs } = await playSome(stage, played, times, misses)
  const said = `${skipped.length} situations are skipped${missing.size > 0 ? `, for want of ${[...missing].join(', ')}` : ''}`
  const programs = new Set(played.flatMap(({ name }) => (name.includes(': ') ? [name.split(': ')[0]] : [])))
    .size
  const kinds = Object.fromEntries(
    [...Map.groupBy(runs, ({ scenario }) => scenario.group)].map(([group, some]) => [
      group,
      { runs: some.length, ...countLull(some) },
    ]),
  )
  return { figures: { programs, skipped: skipped.length, ...figures, kinds }, text: `${text}\n${said}` }
}

async function playSome(stage: Stage, chosen: readonly Scenario[], times: number, misses?: string) {
  const queue = Array.from({ length: times }, () => chosen).flat()
  const runs: Played[] = []
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let next = queue.shift(); next; next = queue.shift()) runs.push(await play(next, stage))
    }),
  )
  for (const run of provenOf(runs))
    if (misses !== undefined && (!isRight(run.scenario, run.lull) || !isRightWait(run.scenario, run)))
      appendFileSync(
        misses,
        `${JSON.stringify({ scenario: run.scenario.name, truth: run.scenario.truth, ...run.lull })}\n`,
      )
  const lull = countLull(runs)
  const figures = {
    scenarios: chosen.length,
    runs: runs.length,
    proven: provenOf(runs).length,
    right: lull.right / runs.length,
    falseReady: lull.falseReady,
    wait: countWaits(runs),
    document: countGuesses(runs, 'document'),
    pattern: countGuesses(runs, 'pattern'),
    vsCode: countGuesses(runs, 'vsCode'),
  }
  return { figures, runs, text: [scoreTable(runs), '', ...wrongLines(runs)].join('\n') }
}
