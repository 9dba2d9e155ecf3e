/** The dialog that the foreground program shows now, not one that an agent has left behind on the screen. */
import { columnOf, isBlank, isEdge, isRowOf, unframed } from '../../agents/screen/screen-rows.ts'
import type { Grid } from '../../core/text/grid.ts'
import { beforeCursor } from '../../terminal/classify/screen-text.ts'
import type { Observation } from '../../terminal/observer-step.ts'
import type { DrivableHolder } from '../../terminal/terminal-holder.ts'
import { besideAgent, isNoAgent, type Judged, refusedAway, screenOf } from '../refusal.ts'
import { readDialog, type ShownDialog } from './shown-dialog.ts'

/** Below the options of a dialog come only key hints, and an explanation of the last option, which is indented. */
const hint =
  /\b(?:esc(?:ape)?|enter|return|tab|ctrl|shift|alt|space|arrows?|navigate|select|cancel|confirm)\b|[↑↓←→⏎↵⇆]/iu

/** Words below that are no hints, or the cursor behind some as a question leaves it: behind a blank. */
function isAskedBelow(screen: Grid, { options }: ShownDialog): boolean {
  const { cursor, rows } = screen
  const plain = rows.map(unframed)
  const last = options.at(-1)
  const at = last ? plain.findLastIndex(row => isRowOf(last, row)) : -1
  if (at < 0) return false
  const column = columnOf(plain[at] as string)
  const isOther = (row: string) => !isBlank(row) && !isEdge(row) && columnOf(row) <= column && !hint.test(row)
  if (plain.slice(at + 1).some(isOther)) return true
  return cursor !== undefined && cursor.row > at && /\S $/u.test(beforeCursor(screen))
}

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
  const { rows, isByLetters } = await pointedRows(holder, screen.rows)
  const pointed = await readDialog(rows, agent?.agent)
  return pointed && isByLetters ? { ...pointed, isByLetters } : pointed
}
