/** Sessions as a table: a line for the state, and one below it for the sentence that explains it. */

import { describeState } from '../../core/explain/explain.ts'
import { oneLine, printable } from '../../core/text/printable.ts'
import type { State } from '../../core.ts'
import { textWidth } from '../../index.ts'
import { cut, pad } from './cells.ts'
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
  const nameWidth = Math.max(8, ...rows.map(row => textWidth(row.name)))
  return rows.flatMap(({ name, state, turnOver, why }) => {
    const over = turnOver && state.kind === 'working' ? ' (turn over)' : ''
    const said = cut(`${describeState(state)}${over}`, width - nameWidth - 4)
    const shown = isColoured ? inColour(said, meanings[state.kind]) : said
    return [
      ` ${pad(cut(printable(name), width - 8), nameWidth)}  ${shown}`,
      cut(`   ${oneLine(why, 400)}`, width - 1),
    ]
  })
}
