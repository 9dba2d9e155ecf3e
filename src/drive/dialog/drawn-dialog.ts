/** An agent tells that it asks before it draws its dialog: where it has just asked, the dialog is waited for, and only then. */
import { until } from './point-at-option.ts'
import type { ShownDialog } from './shown-dialog.ts'

/** Between an agent's word that it asks and its dialog on the screen: ms */
export const drawnMs = 2000

/** @returns the dialog of the last look, with or without options; at once where the agent has not just asked */
export async function drawnDialog(
  read: () => Promise<ShownDialog | undefined>,
  hasAsked: () => Promise<boolean>,
): Promise<ShownDialog | undefined> {
  let dialog: ShownDialog | undefined
  const isDrawn = async (): Promise<boolean> => {
    dialog = await read()
    return dialog !== undefined && dialog.options.length > 0
  }
  const isDone = async (): Promise<boolean> => (await isDrawn()) || !(await hasAsked())
  await until(isDone, drawnMs)
  return dialog
}
