/**
 * The parts of an agent's screen, found by their structure and never by row numbers: the composer that a prompt is written
 * in, what stands right above it, the footer below, or the dialog that has taken their place. What a model writes stands
 * above them all: whatever it draws there is no part. Pure.
 */
import type { Grid } from '../../core/text/grid.ts'
import {
  buttonsOf,
  findOptions,
  isBarFoot,
  isBarred,
  isBlank,
  isBoxBottom,
  isBoxTop,
  isEdge,
  isInnerEdge,
  type Option,
  optionOf,
  unframed,
} from './screen-rows.ts'

export type ScreenPart =
  | 'dialog'
  | 'composer'
  | 'activity'
  | 'recent'
  | 'footer'
  | 'bottom'
  | 'last'
  | 'title'

export type ScreenLayout = {
  /** Rows of what is written, without the edges. */
  readonly composer?: readonly string[]
  /**
   * What stands right above the composer, or above the dialog, and at the end of the screen where there is neither: the last
   * rows that belong together, and what is drawn between them and it.
   */
  readonly activity: readonly string[]
  /** Some rows more, of what was printed last. */
  readonly recent: readonly string[]
  /** The rows below the composer. */
  readonly footer: readonly string[]
  /** What asks, without its frame: title, text, options, hints. */
  readonly dialog?: { readonly rows: readonly string[]; readonly options: readonly Option[] }
  /** The last rows with anything on them, where there is no composer. */
  readonly bottom: readonly string[]
}

/** No terminal is larger. */
const [mostRows, longestRow] = [400, 500]

/** A footer is shorter, even one with a list of commands that fit what is typed. */
const mostFooterRows = 12
const recentRows = 10
const bottomRows = 15
/** A dialog with a command or a plan above its options is longer; that part asks nothing. */
const mostDialogRows = 30
/** What stands below the options: hints, a spinner that waits, the footer. */
const mostRowsBelowOptions = 9

type Found = { readonly from: number; readonly to: number; readonly inside: readonly string[] }

export function layoutOf({ rows: drawn }: Pick<Grid, 'rows'>): ScreenLayout {
  const rows = drawn.slice(-mostRows).map(row => row.slice(0, longestRow).trimEnd())
  const composer = findComposer(rows)
  const dialog = composer ? findButtons(rows, composer) : findLowest(rows)
  const end = dialog?.from ?? composer?.from ?? rows.length
  return {
    ...(composer && !dialog ? { composer: composer.inside } : {}),
    activity: nearest(rows.slice(0, end)),
    recent: filled(rows.slice(0, end)).slice(-recentRows),
    footer: composer ? filled(rows.slice(composer.to + 1)) : [],
    ...(dialog ? { dialog: { rows: dialog.rows, options: dialog.options } } : {}),
    bottom: composer && !dialog ? [] : filled(rows).slice(-bottomRows),
  }
}

const filled = (rows: readonly string[]): readonly string[] => rows.filter(row => !isBlank(row))

/** Tips, lists of what is to do, what is queued, hints at the right: they stand between a spinner and the composer. */
const isAside = (row: string): boolean =>
  isEdge(row) ||
  /^(?: {2,}[⎿└├│↳☐☑☒□■◻◼✔✓✗•·]| {12,}\S|\s*\? for shortcuts|\s{0,3}[>❯›] | {2,}\(?(?:Tip|Hint|ctrl|shift|esc|tab)\b)/iu.test(
    row,
  )

/** A row that goes on in the next ones is not longer. */
const mostRowsTogether = 4
/** A folder, what is in the context: more rows are a text. */
const mostRowsBetween = 2

/** From the end up: what belongs together, and what stands above that where it is no more than a row or two. */
function nearest(rows: readonly string[]): readonly string[] {
  const found: string[] = []
  let [together, parts] = [0, 0]
  for (
    let at = rows.length - 1;
    at >= 0 && found.length < recentRows * 2 && together < mostRowsTogether;
    at--
  ) {
    const row = rows[at] as string
    if (isBlank(row)) {
      if (together > mostRowsBetween || parts > 0) break
      if (together > 0) [together, parts] = [0, parts + 1]
      continue
    }
    if (!isAside(row)) together++
    found.unshift(row)
  }
  return found
}

/** How a composer begins: a sign, and what is typed behind it. */
const promptSign = /^[\s│┃|]*[❯›>!#$&](?:[ \u00a0]|$)/u

/** The lowest one: what stands above it and looks alike was sent, or is drawn by a model. */
function findComposer(rows: readonly string[]): Found | undefined {
  let below = 0
  for (let at = rows.length - 1; at >= 0 && below <= mostFooterRows; at--) {
    const row = rows[at] as string
    if (isBlank(row)) continue
    const found = isBarFoot(row)
      ? barred(rows, at)
      : isBarred(row)
        ? signedBar(rows, at)
        : isBoxBottom(row)
          ? boxed(rows, at)
          : isEdge(row)
            ? ruled(rows, at)
            : bare(rows, at)
    if (found) return isFooter(rows.slice(found.to + 1)) ? found : undefined
    below++
  }
  return undefined
}

/** A dialog is none: what stands above it is a prompt that was sent. */
function isFooter(rows: readonly string[]): boolean {
  if (rows.some(isEdge)) return false
  return !holdsOptions(rows) || !rows.some(row => /\?\s*$|↑\/?↓|\b(?:enter|return|esc|cancel)\b/i.test(row))
}

/** What a model says or a tool does begins with a bullet, at the left. */
const isMessage = (row: string): boolean => /^ ?[●⏺•✦◆■✶✻✽✢⎿](?: |$)/u.test(row)

const holdsOptions = (inside: readonly string[]): boolean => findOptions(inside.map(unframed)) !== undefined

const isWritten = (inside: readonly string[]): boolean => {
  const first = inside.find(row => !isBlank(unframed(row)))
  return (first === undefined || promptSign.test(first)) && !holdsOptions(inside)
}

/** A draft is longer only where it fills the screen. */
const mostDraftRows = 30
const mostSignlessRows = 10

/** Between two lines across: Claude Code, Qwen Code, Copilot, Cline, pi, Gemini CLI. */
function ruled(rows: readonly string[], to: number): Found | undefined {
  if (isInnerEdge(rows[to] as string)) return undefined
  for (let at = to - 1; at >= Math.max(0, to - mostDraftRows); at--) {
    const row = rows[at] as string
    if (!isEdge(row) || isInnerEdge(row)) continue
    const inside = rows.slice(at + 1, to)
    if (inside.length === 0 || isBoxTop(row)) return undefined
    // pi has no sign.
    const isFrame = row === rows[to] && inside.length <= mostSignlessRows && !holdsOptions(inside)
    return isFrame || isWritten(inside) ? { from: at, to, inside } : undefined
  }
  return undefined
}

/** In a box: earlier Claude Code, Gemini CLI and Qwen Code, and others. */
function boxed(rows: readonly string[], to: number): Found | undefined {
  const from = rows.slice(0, to).findLastIndex(isBoxTop)
  const inside = from < 0 ? [] : rows.slice(from + 1, to)
  if (inside.length === 0 || inside.length > mostDraftRows || inside.some(isEdge)) return undefined
  const first = inside.find(row => !isBlank(unframed(row)))
  return first !== undefined && promptSign.test(first) && !holdsOptions(inside)
    ? { from, to, inside }
    : undefined
}

/** The first of the rows that stand beside the bar above this one. */
function barTop(rows: readonly string[], to: number): number {
  let from = to
  while (from > 0 && isBarred(rows[from - 1] as string)) from--
  return from
}

/** Beside a bar: OpenCode. */
function barred(rows: readonly string[], to: number): Found | undefined {
  const from = barTop(rows, to)
  return from === to ? undefined : { from, to, inside: rows.slice(from, to) }
}

/** Between bars, with a sign: earlier OpenCode. */
function signedBar(rows: readonly string[], to: number): Found | undefined {
  const from = barTop(rows, to)
  const inside = rows.slice(from, to + 1)
  const first = inside.map(unframed).find(row => !isBlank(row))
  return first !== undefined && /^\s*>(?: |$)/.test(first) ? { from, to, inside } : undefined
}

/** With nothing around it: Codex. What is typed goes on further right. */
function bare(rows: readonly string[], at: number): Found | undefined {
  const row = rows[at] as string
  if (!/^ {0,2}[❯›>▌](?:[ \u00a0]|$)/u.test(row)) return undefined
  const before = rows[at - 1]
  // Earlier Codex drew its bar beside both.
  if (!isBlank(before) && !/^▌\s*$|^▌.*\binterrupt\b/iu.test(before as string)) return undefined
  if (row.startsWith('▌') && !rows.slice(at + 1).some(one => /⏎|\bsend\b/.test(one))) return undefined
  if (optionOf(row)?.number !== undefined) return undefined
  let to = at
  while (to + 1 < rows.length && /^ {2,}\S/.test(rows[to + 1] as string) && !isBlank(rows[to + 1])) to++
  // The list of options that an arrow points into looks alike.
  if (
    to > at &&
    rows.slice(at, to + 1).every(one => optionOf(one)?.column === optionOf(row)?.column && one.length < 80)
  )
    return undefined
  // A prompt that was sent looks alike.
  if (rows.slice(to + 1).some(isMessage) || partsOf(rows.slice(to + 1)) > mostFooterParts) return undefined
  return { from: at, to, inside: rows.slice(at, to + 1) }
}

/** What follows a prompt that was sent stands apart: an answer, what asks, the footer. */
const mostFooterParts = 3

/** How many groups of rows blank ones set apart. */
const partsOf = (rows: readonly string[]): number =>
  rows.filter((row, at) => !isBlank(row) && isBlank(rows[at - 1])).length

type FoundDialog = {
  readonly from: number
  /** The last row of its options. */
  readonly to: number
  readonly rows: readonly string[]
  readonly options: readonly Option[]
}

/** Buttons with keys below a list: that is part of the text that they ask about. */
function findLowest(rows: readonly string[]): FoundDialog | undefined {
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
function findButtons(rows: readonly string[], composer: Found | undefined): FoundDialog | undefined {
  const end = composer?.from ?? rows.length
  const plain = rows.slice(0, end).map(unframed)
  let below = 0
  for (let at = end - 1; at >= 0 && below <= mostRowsBelowButtons; at--) {
    const row = plain[at] as string
    if (isBlank(row) || isEdge(row)) continue
    const options = buttonsOf(row, composer !== undefined)
    if (options) {
      const from = Math.max(0, at - rowsOfButtons)
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
  const first = Math.max(0, options - mostDialogRows)
  let top = first
  for (let at = options - 1; at >= first; at--) {
    const row = rows[at] as string
    if (isBoxTop(row) || (isEdge(row) && !isInnerEdge(row) && !/^\s*[│┃|╰└┗╚]/u.test(row))) return at + 1
    if (top === first && (isEdge(row) || isSaid(row))) top = at + 1
  }
  return top
}

/** Further right the signs that texts have as well begin a list of what is asked for. */
const isSaid = (row: string): boolean => /^(?: {0,2}[●⏺✦◆✶✻✽✢]\ufe0e?| ?[•*❯›>]) /u.test(row)
