/** The dialog in place of the composer, or right above it. Pure. */
import { dialogTop, frameOf, isMessageStart, optionsColumn, type Whole } from './dialog-top.ts'
import type { Composer } from './find-composer.ts'
import { findOptions } from './find-options.ts'
import { buttonsOf, columnOf, isBarred, isBlank, isEdge, type Option, unframed } from './screen-rows.ts'

/** Rows below the options: hints, a waiting spinner, the footer. */
const mostRowsBelowOptions = 9

type ShownRows = {
  /** What it shows, without its frame. */
  readonly rows: readonly string[]
  /** The rows above its options as drawn, lines too, each with whether the program itself drew it. */
  readonly above: readonly RowAbove[]
  readonly whole: Whole
}

/** The quoted text never begins further left than the options: moving signs and clocks there are the program's. */
export type RowAbove = { readonly text: string; readonly isOwn: boolean }

export type Dialog = ShownRows & { readonly options: readonly Option[] }

/** `to`: the last row of its options. */
type FoundDialog = Dialog & { readonly from: number; readonly to: number }

/** A list above buttons is part of the text that they ask about. */
export function findLowest(rows: readonly string[]): FoundDialog | undefined {
  const list = findDialog(rows)
  const buttons = findButtons(rows, undefined)
  const isAbove = list && buttons && list.to < buttons.to
  return isAbove ? buttons : (list ?? buttons)
}

/** A dialog without a composer. Many rows below the options mean that they are old output. */
function findDialog(rows: readonly string[]): FoundDialog | undefined {
  const plain = rows.map(unframed)
  const last = plain.findLastIndex(row => !isBlank(row))
  const found = findOptions(plain)
  if (!found) return undefined
  const below = textOf(plain.slice(found.to + 1, last + 1))
  if (below.length > mostRowsBelowOptions) return undefined
  const { at: from, whole } = dialogTop(rows, found)
  const shown = shownRows(rows.slice(from, last + 1), { from: found.from - from, to: found.to - from })
  return { from, to: found.to, options: found.options, whole, ...shown }
}

const textOf = (rows: readonly string[]): readonly string[] =>
  rows.filter(row => !isBlank(row) && !isEdge(row))

/** @param rows those of the dialog alone */
function shownRows(
  rows: readonly string[],
  { from, to }: { readonly from: number; readonly to: number },
): Omit<ShownRows, 'whole'> {
  const frame = frameOf(rows[from] ?? '')
  const inside = frame ? rows.map(unframed) : rows
  const column = optionsColumn(inside.slice(from, to + 1))
  // Within a text a line across is part of what is asked about; further left it is drawn around it.
  const isDrawn = (row: string) =>
    isEdge(row) && (frame !== undefined || columnOf(row) < column || columnOf(row) === 0)
  const plain = frame === '|' ? inside : rows.map(withoutSides)
  return {
    rows: plain.filter((row, at) => !isBlank(row) && !isDrawn(inside[at] as string)),
    above: inside.slice(0, from).flatMap((row, at) => {
      if (isBlank(row)) return []
      const text = frame === undefined ? row : (plain[at] as string)
      return [{ text: isDrawn(row) ? '─' : text, isOwn: columnOf(row) < column }]
    }),
  }
}

/** A bar of plain letters is part of a text, as a pipe is. */
const withoutSides = (row: string): string =>
  row.replace(/^\s*[│┃║▌](?: |$)/u, '').replace(/\s*[│┃║]?\s*$/u, '')

/** Rows below buttons: hints and frames. With a composer, buttons are right above it. */
const mostRowsBelowButtons = 4
const rowsOfButtons = 12

/** Options side by side, at the end of the screen or right above the composer. */
export function findButtons(
  rows: readonly string[],
  composer: Composer | undefined,
): FoundDialog | undefined {
  const end = composer?.from ?? rows.length
  const plain = rows.slice(0, end).map(unframed)
  let below = 0
  for (let at = end - 1; at >= 0 && below <= mostRowsBelowButtons; at--) {
    const row = plain[at] as string
    if (isBlank(row) || isEdge(row)) continue
    const options = buttonsOf(row, composer !== undefined)
    if (options) {
      const { at: top, whole } = dialogTop(rows, { from: at, to: at })
      // The question may be above them, and above a box that holds only them.
      const isAlone = frameOf(rows[at] as string) !== undefined && !isBarred(rows[at] as string)
      const from = isBarred(rows[at] as string) ? top : Math.min(top, Math.max(0, at - rowsOfButtons))
      const shown = shownRows(rows.slice(from, end), { from: at - from, to: at - from })
      return { from, to: at, options, whole: isAlone ? 'perhaps' : whole, ...shown }
    }
    below++
    // A message below them is newer.
    if (composer && (below > 1 || isMessageStart(row))) return undefined
  }
  return undefined
}
