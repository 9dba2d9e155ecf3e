/** Which sessions of the past an address means: they are not there any more to be asked. Pure. */
import { LullError } from '../../core/lull-error.ts'
import { oneLine } from '../../core/text/printable.ts'
import type { StoredEntry } from '../../history/entry.ts'
import { readPast } from './session-past.ts'

/**
 * @param last the last entry of each session
 * @param address an id or its beginning, a name (its window's and its folder's, too), `tmux:%3`, `pid:123`, a folder
 * @param folder what the address means as a folder
 * @returns ids, one or several; of a name, a pane and a folder all that had it
 * @throws {LullError} NO_SESSION where none was kept that is meant
 */
export function findPast(last: readonly StoredEntry[], address: string, folder: string): readonly string[] {
  const isMeant = (entry: StoredEntry): boolean => {
    const { name, pid, pane, place, window, terminal } = readPast(entry) ?? {}
    return (
      entry.session?.startsWith(address) === true ||
      [name, terminal, window, place, nameOf(entry.cwd), `tmux:${pane}`, `pid:${pid}`].includes(address) ||
      (/[/.]/.test(address) && entry.cwd === folder)
    )
  }
  const found = last.filter(isMeant).flatMap(({ session }) => session ?? [])
  if (address === '' || found.length === 0)
    throw new LullError(
      'NO_SESSION',
      `no session "${oneLine(address, 100)}" in the history: lull history shows all that it keeps`,
      {
        address,
      },
    )
  return found
}

/** A folder's own name: what `lull ps` shows of it. */
const nameOf = (folder: string | undefined): string | undefined => folder?.split('/').at(-1)
