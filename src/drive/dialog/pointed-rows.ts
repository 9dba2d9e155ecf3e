/** What a pane shows, with a pointer also where its colours alone tell which option is chosen. */
import { setTimeout as pause } from 'node:timers/promises'
import { withPointer } from '../../agents/screen/coloured-pointer.ts'
import { colouredRows } from '../../core/text/coloured-rows.ts'
import { askTmuxWithin } from '../../os/tmux/ask-tmux.ts'

/** ms */
const patienceMs = 1000

/** Between two looks that have to be alike: what is half drawn is another dialog. ms */
const betweenMs = 20
const mostLooks = 10

/** @param plain what it shows as far as is known, where tmux does not answer in time */
export async function pointedRows(
  socket: string,
  pane: string,
  plain: readonly string[],
): Promise<readonly string[]> {
  const look = () =>
    askTmuxWithin(patienceMs, socket, ['capture-pane', '-p', '-e', '-t', pane]).catch(() => undefined)
  let printed = await look()
  for (let looks = 1; looks < mostLooks && printed !== undefined; looks++) {
    await pause(betweenMs)
    const again = await look()
    if (again === printed) break
    printed = again
  }
  return printed === undefined ? plain : withPointer(colouredRows(printed.replace(/\n$/, '').split('\n')))
}
