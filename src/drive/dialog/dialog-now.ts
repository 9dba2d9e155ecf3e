/** The dialog that whoever reads a terminal shows there now: not one that an agent has left behind on the screen. */
import type { Observation } from '../../terminal/observer-step.ts'
import type { DrivableHolder } from '../../terminal/terminal-holder.ts'
import { besideAgent, isNoAgent, type Judged, refusedAway, screenOf } from '../refusal.ts'
import { isAskedBelow } from './asked-below.ts'
import { readDialog, type ShownDialog } from './shown-dialog.ts'

/** @throws {LullError} REFUSED_TO_TYPE where the agent that was meant is away */
export async function dialogNow(
  observation: Observation,
  judged: Judged,
  holder: Pick<DrivableHolder, 'readLines'>,
): Promise<ShownDialog | undefined> {
  const { agent, away, isStranger } = judged
  if (away) throw refusedAway(observation, away)
  if ((agent || isStranger) && besideAgent(observation, false)) return undefined
  const screen = isNoAgent(judged) ? undefined : screenOf(observation)
  const dialog = screen && (await readDialog(screen.rows, agent?.agent))
  if (!dialog || (!agent && !isStranger && isAskedBelow(screen, dialog))) return undefined
  const isPlain = dialog.options.some(({ isPointed, key }) => isPointed || key !== undefined)
  if (isPlain || screen !== observation.screen) return dialog
  const { pointedRows } = await import('./pointed-rows.ts')
  return readDialog(await pointedRows(holder, screen.rows), agent?.agent)
}
