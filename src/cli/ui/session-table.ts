/** Rows as a table that fits a width: the columns that matter most first, and what a session does in what is left. */

import type { Need } from '../../core/explain/need.ts'
import { textWidth } from '../../os/tty/text-width.ts'
import { cut, cutStart, pad, wrap } from './cells.ts'
import { inColour, type Meaning } from './colours.ts'
import type { Row } from './session-rows.ts'

const meanings: Readonly<Record<Need, Meaning>> = {
  answer: 'asks',
  help: 'wrong',
  look: 'done',
  retry: 'wrong',
  instruction: 'plain',
  nothing: 'works',
  unclear: 'unclear',
  gone: 'faint',
}

type Column = {
  readonly title: string
  readonly text: (row: Row) => string
  /** The lower, the longer it is shown where there is less room. */
  readonly rank: number
  /** Cells that it needs at least, and has at most. */
  readonly least: number
  readonly most: number
  /** Its text in fewer cells than it has; cut at its end where not given. */
  readonly cutIn?: (row: Row, cells: number) => string
}

const folderText = ({ folder, branch }: Row): string => (branch === '' ? folder : `${folder} ${branch}`)

/** A folder goes by the last part of its path: before that is cut, the branch is left out. */
function folderIn(row: Row, cells: number): string {
  const text = folderText(row)
  const name = text.slice(row.folder.lastIndexOf('/') + 1)
  return cutStart(textWidth(name) < cells ? text : row.folder, cells)
}

const anyWidth = { least: Infinity, most: Infinity }

/** In their order; a rank of 0 is always shown. */
const columns: readonly Column[] = [
  { title: 'STATE', text: row => row.state, rank: 0, least: 18, most: 28 },
  { title: 'FOR', text: row => row.held, rank: 0, ...anyWidth },
  { title: 'AGENT', text: row => row.agent, rank: 0, least: 8, most: 24 },
  { title: 'ID', text: row => row.id, rank: 0, ...anyWidth },
  { title: 'WHERE', text: row => row.where, rank: 1, least: 10, most: 24 },
  {
    title: 'FOLDER',
    text: folderText,
    rank: 2,
    least: 8,
    most: 36,
    cutIn: folderIn,
  },
  { title: 'ABOUT', text: row => row.topic, rank: 3, least: 12, most: 32 },
  { title: 'CONTEXT', text: row => row.context, rank: 4, ...anyWidth },
  { title: 'COST', text: row => row.cost, rank: 5, ...anyWidth },
  { title: 'TOKENS', text: row => row.tokens, rank: 6, ...anyWidth },
  { title: 'AGE', text: row => row.age, rank: 7, ...anyWidth },
]

function cellOf({ text, cutIn }: Column, row: Row, cells: number): string {
  const whole = text(row)
  return cutIn === undefined || textWidth(whole) <= cells ? cut(whole, cells) : cutIn(row, cells)
}

/** What a session does needs this much beside the columns, or it goes below them. */
const narrowestNow = 30
const gap = 2

export type SessionTable = {
  readonly heading: string
  /** A row's line, and below it what there is no room for beside. */
  readonly lines: (row: Row) => readonly string[]
}

export type TableView = {
  /** Cells of a line. */
  readonly width: number
  readonly isColoured: boolean
  /** With the reason of the verdict. */
  readonly hasWhy?: boolean
}

export function sessionTable(
  rows: readonly Row[],
  { width, isColoured, hasWhy = false }: TableView,
): SessionTable {
  const natural = (column: Column): number =>
    Math.min(column.most, Math.max(column.title.length, ...rows.map(row => textWidth(column.text(row)))))
  const [always, others] = [columns.filter(({ rank }) => rank === 0), columns.filter(({ rank }) => rank > 0)]
  const main = columns.filter(
    ({ rank, text }) => rank === 0 || (rank === 1 && rows.some(row => text(row) !== '')),
  )
  const used = main.reduce((sum, column) => sum + Math.min(column.least, natural(column)) + gap, 0)
  const isBelow = width - used < narrowestNow
  const widths = widthsIn(isBelow ? width + gap : width - narrowestNow, always, others, natural, rows)
  const shown = columns.filter(column => widths.has(column))
  const taken = shown.reduce((sum, column) => sum + (widths.get(column) ?? 0) + gap, 0)
  const nowWidth = width - taken
  const isInLine = hasWhy && width === Infinity
  const widestNow = Math.max(3, ...rows.map(row => textWidth(row.now)))
  const heading = shown.map(column => pad(column.title, widths.get(column) ?? 0))
  const cells = (row: Row): string => {
    const texts = shown.map(column => {
      const most = widths.get(column) ?? 0
      return pad(cellOf(column, row, most), most)
    })
    const [state = '', ...rest] = texts
    const isWide = taken - gap > width
    return isColoured && !isWide
      ? [inColour(state, meanings[row.need]), ...rest].join('  ')
      : cut(texts.join('  '), width)
  }
  const below = (text: string): readonly string[] =>
    text === '' ? [] : wrap(text, width - 2).map(line => `  ${line}`)
  return {
    heading: cut(
      [
        ...heading,
        ...(isBelow ? [] : [isInLine ? pad('NOW', widestNow) : 'NOW']),
        ...(isInLine ? ['WHY'] : []),
      ].join('  '),
      width,
    ).trimEnd(),
    lines(row) {
      const why = hasWhy && !isInLine ? below(row.why) : []
      if (isBelow) return [cells(row).trimEnd(), ...below(cut(row.now, 2 * width)), ...why]
      const now = isInLine ? `${pad(row.now, widestNow)}  ${row.why}` : cut(row.now, nowWidth)
      return [`${cells(row)}  ${now}`.trimEnd(), ...why]
    },
  }
}

/** The columns that there is room for: each at its narrowest by its rank, then as wide as it would be. Empty ones are left out. */
function widthsIn(
  room: number,
  always: readonly Column[],
  others: readonly Column[],
  natural: (column: Column) => number,
  rows: readonly Row[],
): ReadonlyMap<Column, number> {
  const least = (column: Column): number => Math.min(column.least, natural(column))
  const widths = new Map(always.map(column => [column, least(column)]))
  let left = room - [...widths.values()].reduce((sum, cells) => sum + cells + gap, 0)
  for (const column of others.toSorted((a, b) => a.rank - b.rank)) {
    if (rows.every(row => column.text(row) === '')) continue
    // One that matters less does not take its room.
    if (least(column) + gap > left) break
    widths.set(column, least(column))
    left -= least(column) + gap
  }
  for (const [column, cells] of widths) {
    const more = Math.max(0, Math.min(left, natural(column) - cells))
    widths.set(column, cells + more)
    left -= more
  }
  return widths
}
