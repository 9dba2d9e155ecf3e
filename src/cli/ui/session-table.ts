/** Rows as a table that fits a width: the columns as narrow as they may be, the sentence in what is left. */
import { textWidth } from '../../index.ts'
import type { Need } from '../../sessions/rank.ts'
import { cut, cutStart, pad, wrap } from './cells.ts'
import type { Row } from './session-rows.ts'

const colours: Readonly<Record<Need, number>> = {
  answer: 33,
  help: 31,
  look: 32,
  retry: 31,
  instruction: 39,
  nothing: 36,
  unclear: 35,
  gone: 90,
}

/** Of a folder longer than this only the end is shown. */
const widestFolder = 36
const widestState = 28

const narrowColumns = [
  ['STATE', (row: Row) => cut(row.state, widestState)],
  ['FOR', (row: Row) => row.held],
  ['AGE', (row: Row) => row.age],
  ['AGENT', (row: Row) => row.agent],
  ['ID', (row: Row) => row.id],
] as const
const narrowestFolder = 8

/** A sentence needs this much beside the columns, or it goes below them. */
const narrowestWhy = 40

export type SessionTable = {
  readonly heading: string
  /** A row's line, and below it its sentence where there is no room beside. */
  readonly lines: (row: Row) => readonly string[]
}

/** Lays rows out for lines of at most `width` cells. */
export function sessionTable(rows: readonly Row[], width: number, isColoured: boolean): SessionTable {
  type Column = readonly [title: string, text: (row: Row) => string]
  const widthIn = ([title, text]: Column): number =>
    Math.max(title.length, ...rows.map(row => textWidth(text(row))))
  const others = narrowColumns.reduce((sum, column) => sum + widthIn(column) + 2, 0)
  const folder = Math.max(narrowestFolder, Math.min(widestFolder, width - others - 2))
  const columns: readonly Column[] = [...narrowColumns, ['FOLDER', row => cutStart(row.folder, folder)]]
  const widths = columns.map(widthIn)
  const used = widths.reduce((sum, next) => sum + next + 2, 0)
  const isBelow = width - used < narrowestWhy
  const heading = columns.map(([title], i) => pad(title, widths[i] ?? 0)).join('  ')
  const cells = (row: Row): string => {
    const texts = columns.map(([, text], i) => pad(text(row), widths[i] ?? 0))
    const [state = '', ...others] = texts
    const fits = used <= width
    return fits && isColoured ? [paint(state, row.need), ...others].join('  ') : cut(texts.join('  '), width)
  }
  return {
    heading: cut(isBelow ? heading : `${heading}  WHY`, width).trimEnd(),
    lines: row =>
      isBelow
        ? [cells(row).trimEnd(), ...wrap(row.why, width - 2).map(line => `  ${line}`)]
        : [`${cells(row)}  ${cut(row.why, width - used)}`],
  }
}

/** Only the colour of letters is set and taken back: a line may be shown reversed. */
const paint = (text: string, need: Need): string => `\u001b[${colours[need]}m${text}\u001b[39m`
