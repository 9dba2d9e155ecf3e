/**
 * Where a dialog begins. It quotes a command or a file that a model wrote, which may draw lines, boxes and prompts of its
 * own. Only a row that such a text can't draw ends the dialog. Pure.
 */
import { columnOf, isBlank, isBoxBottom, isBoxTop, isEdge, isInnerEdge } from './screen-rows.ts'

/**
 * Whether the whole dialog is visible. `yes`: no text within can have drawn the row above it. `perhaps`: a text within, or one
 * at the screen's edge, may have drawn the border. `no`: the dialog reaches the top of the screen, or beyond.
 */
export type Whole = 'yes' | 'perhaps' | 'no'

type DialogTop = { readonly at: number; readonly whole: Whole }

/** The first and the last row of its options. */
type Span = { readonly from: number; readonly to: number }

/** The frame at the left of a row; undefined where there is none. */
export const frameOf = (row: string): string | undefined => /^\s*([│┃║▌|])(?: |$)/u.exec(row)?.[1]

export function dialogTop(rows: readonly string[], span: Span): DialogTop {
  const frame = frameOf(rows[span.from] ?? '')
  const framed = frame ? framedTop(rows, span.from, frame) : undefined
  // What a box that holds only options asks about is above it.
  const box = framed?.at === span.from && isBoxTop(rows[framed.at - 1] ?? '') ? framed.at - 1 : undefined
  return box === undefined ? (framed ?? freeTop(rows, span)) : freeTop(rows, { ...span, from: box })
}

/** Each row of a text within has the frame before it: the first row without is beyond. */
function framedTop(rows: readonly string[], options: number, frame: string): DialogTop | undefined {
  const column = columnOf(rows[options] as string)
  const isWithin = (row: string) => row[column] === frame || row[column] === '├'
  let at = options
  while (at > 0 && isWithin(rows[at - 1] as string) && isBlank((rows[at - 1] as string).slice(0, column)))
    at--
  if (at === 0) return { at, whole: 'no' }
  const above = rows[at - 1] as string
  const isClosed = isBoxTop(above) && columnOf(above) === column
  return isClosed || /[┃▌]/u.test(frame) ? { at, whole: 'yes' } : undefined
}

/** The leftmost column of the options, pointers included. The quoted text never begins further left. */
export const optionsColumn = (rows: readonly string[]): number =>
  Math.min(...rows.filter(row => !isBlank(row) && !isEdge(row)).map(columnOf))

/**
 * The highest line that can be the border; without one, the row below the last message. Both begin further left than the
 * options, or at the very left.
 */
function freeTop(rows: readonly string[], { from, to }: Span): DialogTop {
  const column = optionsColumn(rows.slice(from, to + 1))
  let [border, borders] = [-1, 0]
  let at = from - 1
  for (; at >= 0; at--) {
    const row = rows[at] as string
    if (isBlank(row) || (columnOf(row) >= column && columnOf(row) > 0)) continue
    const isBorder = isBoxTop(row) || (isEdge(row) && !isInnerEdge(row) && !/^\s*[│┃|╰└┗╚]/u.test(row))
    if (isBorder) {
      border = at
      borders++
    } else if (isMessageStart(row) ? !isWithinLines(rows, at) : borders > 0 && isBoxBottom(row)) break
  }
  if (borders === 0 && at < 0) return { at: 0, whole: 'no' }
  const top = borders > 0 ? border : at
  return { at: top + 1, whole: borders <= 1 && isBeyond(rows.slice(top, from), column) ? 'yes' : 'perhaps' }
}

/** No row within begins as far left as the border. */
const isBeyond = ([border = '', ...within]: readonly string[], column: number): boolean =>
  columnOf(border) < column ||
  within.every(row => isBlank(row) || isEdge(row) || columnOf(row) > 0 || frameOf(row) !== undefined)

/** A composer within lines: never above a dialog, which replaces the composer. */
const isWithinLines = (rows: readonly string[], at: number): boolean =>
  /^[❯›>]/u.test(rows[at] as string) && [rows[at - 1], rows[at + 1]].every(row => row?.startsWith('──'))

/** Further right the signs that texts have as well begin a list of what is asked for. */
export const isMessageStart = (row: string): boolean => /^(?: {0,2}[●⏺✦◆✶✻✽✢]\ufe0e?| ?[•*❯›>]) /u.test(row)
