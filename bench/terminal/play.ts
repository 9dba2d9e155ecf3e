/** Plays one scenario: sets it up, asks lull and its rivals at the moment of truth, then proves the label. */
import { setTimeout as pause } from 'node:timers/promises'
import { askLull, type LullSays, waitOfLull } from './lull.ts'
import { openPane, type Pane } from './pane.ts'
import { openPipe } from './pipe.ts'
import { document002, type Guess, patternOften } from './rivals.ts'
import type { Scenario } from './scenario.ts'
import { shellOf } from './shells.ts'
import type { Stage } from './stage.ts'

export type Played =
  /** A program or a right that it needs is absent, it did not get to its moment, or its proof failed: `why`. */
  | { readonly scenario: Scenario; readonly unproven: string }
  | {
      readonly scenario: Scenario
      /** What it is, by one look; of a wait where something happens in between. */
      readonly lull: LullSays
      /** Whether a wait for ready came back with it. */
      readonly wait: Guess
      readonly document: Guess
      readonly pattern: Guess
    }

/** From the sign of the moment to the questions: what prints its question reads a little later. */
const settleMs = 300
/** How long each may take for its answer. docs/seeds.md#002 is sure of itself after 0.3 or 0.8 s, or never. */
const answerMs = 2000
const proofMs = 8000

export async function play(scenario: Scenario, stage: Stage): Promise<Played> {
  const lacks = [shellOf(scenario.shell).tool, ...(scenario.needs ?? [])].filter(need =>
    stage.missing.has(need),
  )
  if (lacks.length > 0) return { scenario, unproven: `${lacks.join(', ')} is missing` }
  let pane: Pane | undefined
  try {
    pane = await openPane(stage, scenario.shell)
    return await playIn(pane, scenario)
  } catch (error) {
    return { scenario, unproven: (error as Error).message }
  } finally {
    await pane?.close()
  }
}

async function playIn(pane: Pane, scenario: Scenario): Promise<Played> {
  const { does = [], at = [], during, proof } = scenario
  await pane.act(does)
  if (!(await pane.sees(at))) throw new Error(`it did not get to its moment:\n${await pane.screen()}`)
  await pause(settleMs)
  const pipe = await openPipe(pane.socket, pane.session)
  try {
    const answers = Promise.all([
      during ? undefined : askLull(pane, answerMs),
      waitOfLull(pane, answerMs),
      document002(pane.socket, pane.id, answerMs),
      patternOften(pipe, pane.id, answerMs),
    ])
    if (during) {
      await pause(settleMs)
      await pane.act(during)
    }
    const [look, wait, document, pattern] = await answers
    const lull = look ?? wait
    await pane.act(proof.does ?? [])
    if (!(await pane.sees(proof.seen, proofMs))) {
      const screen = await pane.screen().catch(String)
      return { scenario, unproven: `its proof failed, lull said ${lull.says}:\n${screen}` }
    }
    return { scenario, lull, wait: wait.guess, document, pattern }
  } finally {
    pipe.close()
  }
}
