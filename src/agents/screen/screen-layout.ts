/**
 * The parts of an agent's screen, found by their structure and never by row numbers: the composer, the rows right above it,
 * the footer below, or the dialog in their place. The text of a model is above them all: no drawing in it is a part. Pure.
 */
import type { Grid } from '../../core/text/grid.ts'
import { findComposer } from './find-composer.ts'
import { type Dialog, findButtons, findLowest } from './find-dialog.ts'
import { isBlank, isEdge, unframed } from './screen-rows.ts'

export type ScreenPart =
  | 'dialog'
  | 'composer'
  | 'activity'
  | 'recent'
  | 'end'
  | 'footer'
  | 'bottom'
  | 'last'
  | 'title'

export type ScreenLayout = {
  /** Rows of what is written, without the edges. */
  readonly composer?: readonly string[]
  /** A list of what fits the draft (`/`, `@`) stands right above the composer, where work would show. */
  readonly isCovered?: true
  /** The screen ends within the composer: no footer is seen. */
  readonly isCut?: true
  /**
   * The rows right above the composer or the dialog, or at the end of the screen without either: the last group of rows, and
   * the rows between it and the composer.
   */
  readonly activity: readonly string[]
  /** All rows above the composer or the dialog. */
  readonly above: readonly string[]
  /** Some rows more, of what was printed last. */
  readonly recent: readonly string[]
  /** The last rows above the composer or the dialog, up to a blank one. */
  readonly end: readonly string[]
  /** The rows below the composer. */
  readonly footer: readonly string[]
  /** What asks, without its frame: title, text, options, hints. */
  readonly dialog?: Dialog
  /** The last rows with anything on them, where there is no composer. */
  readonly bottom: readonly string[]
}

/** No terminal is larger. */
const [mostRows, longestRow] = [400, 500]

const recentRows = 10
const bottomRows = 15

export function layoutOf({ rows: drawn }: Pick<Grid, 'rows'>): ScreenLayout {
  const rows = drawn.slice(-mostRows).map(row => row.slice(0, longestRow).trimEnd())
  const composer = findComposer(rows)
  const dialog = composer ? findButtons(rows, composer) : findLowest(rows)
  const end = dialog?.from ?? composer?.from ?? rows.length
  const above = filled(rows.slice(0, end))
  return {
    ...(composer && !dialog ? { composer: composer.inside } : {}),
    ...(composer && isListed(rows.slice(0, composer.from)) && isCompleted(composer.inside)
      ? { isCovered: true }
      : {}),
    ...(composer?.isCut ? { isCut: true } : {}),
    activity: nearest(rows.slice(0, end)),
    above,
    recent: above.slice(-recentRows),
    end: lastGroup(rows.slice(0, end)),
    footer: composer ? filled(rows.slice(composer.to + 1)) : [],
    ...(dialog ? { dialog } : {}),
    bottom: composer && !dialog ? [] : filled(rows).slice(-bottomRows),
  }
}

/** Rows that touch the composer: what shows work is a row or two, with a blank one below. */
const isListed = (above: readonly string[]): boolean => {
  const near = above.slice(-2)
  return near.length === 2 && !near.some(row => isBlank(row) || isEdge(row))
}

/** Its draft is a command, or ends with the beginning of a file's name: what fits is listed. */
const isCompleted = (inside: readonly string[]): boolean => {
  const draft = inside
    .map(unframed)
    .join(' ')
    .replace(/^\s*[❯›>]?\s*/u, '')
    .trimEnd()
  return /^\/\S*$|(?:^|\s)@\S*$/.test(draft)
}

const filled = (rows: readonly string[]): readonly string[] => rows.filter(row => !isBlank(row))

function lastGroup(rows: readonly string[]): readonly string[] {
  const to = rows.findLastIndex(row => !isBlank(row)) + 1
  const from = rows.slice(0, to).findLastIndex(isBlank) + 1
  return rows.slice(from, to)
}

/** Tips, lists of what is to do, what is queued, hints at the right: rows between a spinner and the composer. */
const isAside = (row: string): boolean =>
  isEdge(row) ||
  /^(?: {2,}[⎿└├│↳☐☑☒□■◻◼✔✓✗•·]| {12,}\S|\s*\? for shortcuts|\s{0,3}[>❯›] | +\(?(?:Tip|Hint|ctrl|shift|esc|tab)\b)/iu.test(
    row,
  )

/** A row that goes on in the next ones is not longer. */
const mostRowsTogether = 4
/** A folder, what is in the context: more rows are a text. */
const mostRowsBetween = 2

/** From the end up: the last group of rows, and the group above it where the last has only a row or two. */
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
