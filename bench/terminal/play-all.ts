/** Plays the table, each scenario several times, a few panes at once. */
import { appendFileSync } from 'node:fs'
import { type Played, play } from './play.ts'
import { scenarios } from './scenarios.ts'
import { countGuesses, countLull, isRight, isRightGuess, provenOf, scoreTable, wrongLines } from './score.ts'
import type { Stage } from './stage.ts'

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
  const queue = Array.from({ length: times }, () => chosen).flat()
  const runs: Played[] = []
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let next = queue.shift(); next; next = queue.shift()) runs.push(await play(next, stage))
    }),
  )
  for (const run of provenOf(runs))
    if (misses !== undefined && (!isRight(run.scenario, run.lull) || !isRightGuess(run.scenario, run.wait)))
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
    wait: countGuesses(runs, 'wait'),
    document: countGuesses(runs, 'document'),
    pattern: countGuesses(runs, 'pattern'),
  }
  return { figures, text: [scoreTable(runs), '', ...wrongLines(runs)].join('\n') }
}
