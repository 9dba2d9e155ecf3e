/** The dialog that has taken the composer's place, or stands right above it. Pure. */
import type { Composer } from './find-composer.ts'
import {
  buttonsOf,
  findOptions,
  isBarred,
  isBlank,
  isBoxTop,
  isEdge,
  isInnerEdge,
  type Option,
  unframed,
} from './screen-rows.ts'

/** A dialog with a command or a plan above its options is longer; that part asks nothing. */
const mostDialogRows = 30
/** What stands below the options: hints, a spinner that waits, the footer. */
const mostRowsBelowOptions = 9

type FoundDialog = {
  readonly from: number
  /** The last row of its options. */
  readonly to: number
  readonly rows: readonly string[]
  readonly options: readonly Option[]
}

/** Buttons with keys below a list: that is part of the text that they ask about. */
export function findLowest(rows: readonly string[]): FoundDialog | undefined {
  const list = findDialog(rows)
  const buttons = findButtons(rows, undefined)
  const isAbove = list && buttons && list.to < buttons.to && buttons.options.every(({ key }) => key)
  return isAbove ? buttons : (list ?? buttons)
}

/** What asks where no composer is: much that stands below options shows that they were printed once. */
function findDialog(rows: readonly string[]): FoundDialog | undefined {
  const plain = rows.map(unframed)
  const last = plain.findLastIndex(row => !isBlank(row))
  const found = findOptions(plain)
  if (!found) return undefined
  const below = textOf(plain.slice(found.to + 1, last + 1))
  if (below.length > mostRowsBelowOptions) return undefined
  const from = dialogTop(rows, found.from)
  return { from, to: found.to, rows: textOf(plain.slice(from, last + 1)), options: found.options }
}

const textOf = (rows: readonly string[]): readonly string[] =>
  rows.filter(row => !isBlank(row) && !isEdge(row))

/** Rows below buttons: hints and frames. Above a composer they stand right above it. */
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
      const from = barTop(rows, at) ?? Math.max(0, at - rowsOfButtons)
      return { from, to: at, rows: textOf(plain.slice(from)), options }
    }
    below++
    // What is said below them was said after them.
    if (composer && (below > 1 || isSaid(row))) return undefined
  }
  return undefined
}

/** From the edge above it; where it has none, from the last message or prompt that was sent: what they say asks nothing. */
function dialogTop(rows: readonly string[], options: number): number {
  const beside = barTop(rows, options)
  if (beside !== undefined) return beside
  const first = Math.max(0, options - mostDialogRows)
  let top = first
  for (let at = options - 1; at >= first; at--) {
    const row = rows[at] as string
    if (isBoxTop(row) || (isEdge(row) && !isInnerEdge(row) && !/^\s*[│┃|╰└┗╚]/u.test(row))) return at + 1
    if (top === first && (isEdge(row) || isSaid(row))) top = at + 1
  }
  return top
}

/** Where a bar beside the text holds it together, its first row; undefined where there is none. */
const barTop = (rows: readonly string[], at: number): number | undefined =>
  isBarred(rows[at] ?? '') ? rows.findLastIndex((row, above) => above < at && !isBarred(row)) + 1 : undefined

/** Further right the signs that texts have as well begin a list of what is asked for. */
const isSaid = (row: string): boolean => /^(?: {0,2}[●⏺✦◆✶✻✽✢]\ufe0e?| ?[•*❯›>]) /u.test(row)
