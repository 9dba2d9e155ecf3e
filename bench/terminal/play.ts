/** Plays one scenario: sets it up, asks lull and its rivals at the moment of truth, then proves the label. */
import { setTimeout as pause } from 'node:timers/promises'
import { wordOf } from './mcp-face.ts'
import { openPane } from './pane.ts'
import { document002, patternOften, vsCode } from './rivals.ts'
import type { Scenario } from './scenario.ts'
import { lacks } from './stage.ts'
import type { Guess, LullSays, Pane, Stage } from './subject.ts'

export type Played =
  /** A program or a right that it needs is absent, it did not get to its moment, or its proof failed: `why`. */
  | { readonly scenario: Scenario; readonly unproven: string }
  | {
      readonly scenario: Scenario
      /** What it is, by one look; of a wait where something happens in between. */
      readonly lull: LullSays
      /** Whether a wait for ready came back with it, and what it was then. */
      readonly wait: LullSays & { readonly guess: Guess }
      readonly document: Guess
      readonly pattern: Guess
      readonly vsCode: Guess
    }

/** From the sign of the moment to the questions: what prints its question reads a little later. */
const settleMs = 300
/** How long each may take for its answer. docs/seeds.md#002 is sure of itself after 0.3 or 0.8 s, or never. */
const answerMs = 2000
const proofMs = 8000

export async function play(scenario: Scenario, stage: Stage): Promise<Played> {
  const missing = lacks(stage, scenario)
  if (missing.length > 0) return { scenario, unproven: `${missing.join(', ')} is missing` }
  let pane: Pane | undefined
  try {
    pane = await openPane(stage, scenario.shell)
    return await playIn(pane, scenario, stage)
  } catch (error) {
    return { scenario, unproven: (error as Error).message }
  } finally {
    await pane?.close()
  }
}

async function playIn(pane: Pane, scenario: Scenario, stage: Stage): Promise<Played> {
  const { does = [], at = [], sends, during, proof } = scenario
  await pane.act(does)
  const asked = await stage.face(pane)
  try {
    if (sends !== undefined)
      await asked.send(pane.filled(sends)).catch((error: Error) => {
        throw new Error(`lull did not send: ${error.message}`)
      })
    if (!(await pane.sees(at))) throw new Error(`it did not get to its moment:\n${await pane.screen()}`)
    await pause(settleMs)
    const reader = await pane.reader()
    try {
      const answers = Promise.all([
        during ? undefined : asked.look(answerMs),
        asked.wait(answerMs),
        document002(pane, answerMs),
        patternOften(reader, answerMs),
        vsCode(reader, answerMs),
      ])
      if (during) {
        await pause(settleMs)
        await pane.act(during)
      }
      const [looked, wait, document, pattern, code] = await answers
      const lull = looked ?? wait
      await pane.act(proof.does ?? [])
      if (!(await pane.sees(proof.seen, proofMs))) {
        const screen = await pane.screen().catch(String)
        return { scenario, unproven: `its proof failed, lull said ${lull.says}:\n${screen}` }
      }
      const told = stage.isByMcp ? inWords(scenario) : scenario
      return { scenario: told, lull, wait, document, pattern, vsCode: code }
    } finally {
      reader.close()
    }
  } finally {
    await asked.close()
  }
}

const inWords = ({ truth, inferred = [], ...scenario }: Scenario): Scenario => ({
  ...scenario,
  truth: truth.map(wordOf),
  inferred: inferred.map(wordOf),
})
