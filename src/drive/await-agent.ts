/** Waits until an agent that begins shows where a prompt is typed, or a dialog. */
import { setTimeout as pause } from 'node:timers/promises'
import type { LiveSession } from '../sessions/session-source.ts'
import type { DrivenTerminal } from '../terminal/observer.ts'
import type { Observation } from '../terminal/observer-step.ts'
import { checkWanted, isUnseen, type Judged, refusal } from './refusal.ts'

/** ms */
const everyMs = 150

/** @throws {LullError} REFUSED_TO_TYPE where it shows neither within `patience` ms, or is not wanted any more */
export async function awaitAgent(
  pane: Pick<DrivenTerminal, 'observe'>,
  judge: (observation: Observation) => Promise<Judged>,
  patience: number,
  signal?: AbortSignal,
): Promise<LiveSession | undefined> {
  for (const end = performance.now() + patience; ; ) {
    checkWanted(signal)
    const judged = await judge(await pane.observe())
    if (!isUnseen(judged)) return judged.agent
    const left = end - performance.now()
    if (left <= 0) throw refusal(judged, false)
    await pause(Math.min(everyMs, left))
  }
}
