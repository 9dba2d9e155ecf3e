/** Sessions as a table: a line for the state, and one below it for the sentence that explains it. */

import { describeState } from '../../core/explain/explain.ts'
import { oneLine } from '../../core/text/printable.ts'
import type { State } from '../../core.ts'
import { inColour, type Meaning } from './colours.ts'

export type TableRow = {
  readonly name: string
  readonly state: State
  readonly turnOver: boolean
  readonly why: string
}

const meanings: Readonly<Record<State['kind'], Meaning>> = {
  starting: 'faint',
  working: 'works',
  waiting: 'asks',
  idle: 'done',
  exited: 'faint',
  unknown: 'unclear',
}

/** Lines of at most `width` cells, the states in colour where `isColoured`. */
export function tableLines(rows: readonly TableRow[], width: number, isColoured: boolean): string[] {
  const nameWidth = Math.max(8, ...rows.map(row => row.name.length))
  return rows.flatMap(({ name, state, turnOver, why }) => {
    const over = turnOver && state.kind === 'working' ? ' (turn over)' : ''
    const said = `${describeState(state)}${over}`
    const shown = isColoured ? inColour(said, meanings[state.kind]) : said
    return [` ${name.padEnd(nameWidth)}  ${shown}`, `   ${oneLine(why, Math.max(20, width - 6))}`]
  })
}
