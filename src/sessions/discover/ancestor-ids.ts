/** The processes above one, by the ids that they have as sessions: what links a session to the one that started it. */
import { identify } from '../../os/proc/alive.ts'
import type { ProcessRow, ProcessTable } from './process-table.ts'
import { systemTable } from './system-table.ts'

/** Agents start agents through shells and wrappers, two or three processes each: so many, and no circle in a bad table. */
const most = 100

/**
 * Nearest first. A process that ends while its chain is read breaks it off.
 * @param knownOf the ancestors that were found of a process before: it may have lost its parent since
 */
export function ancestorIds(
  pid: number,
  rowOf: ProcessTable['row'] = systemTable().row,
  knownOf: (row: ProcessRow) => readonly string[] | undefined = () => undefined,
): readonly string[] {
  const found: string[] = []
  let above = rowOf(pid)?.parent ?? 0
  while (above > 0 && found.length < most) {
    const row = rowOf(above)
    if (!row) break
    found.push(identify(above, row.start))
    const known = knownOf(row)
    if (known) return [...found, ...known].slice(0, most)
    above = row.parent
  }
  return found
}
