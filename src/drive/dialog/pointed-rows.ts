/** What a pane shows, with a pointer also where its colours alone tell which option is chosen. */
import { setTimeout as pause } from 'node:timers/promises'
import { type PointedRows, withPointer } from '../../agents/screen/coloured-pointer.ts'
import { colouredRows } from '../../core/text/coloured-rows.ts'
import type { DrivableHolder } from '../../terminal/terminal-holder.ts'

/** Between two looks that have to be alike: what is half drawn is another dialog. ms */
const betweenMs = 20
const mostLooks = 10

/** @param plain what it shows as far as is known, where its holder does not answer */
export async function pointedRows(
  holder: Pick<DrivableHolder, 'readLines'>,
  plain: readonly string[],
): Promise<PointedRows> {
  const look = () => holder.readLines(plain.length, { screen: true, raw: true }).catch(() => undefined)
  let printed = await look()
  for (let looks = 1; looks < mostLooks && printed !== undefined; looks++) {
    await pause(betweenMs)
    const again = await look()
    if (again?.join('\n') === printed.join('\n')) break
    printed = again
  }
  return printed === undefined ? { rows: plain, isByLetters: false } : withPointer(colouredRows(printed))
}
