/** The text that a program shows where nothing was typed: a placeholder, a suggestion. Pure. */
import type { ColouredRow, TextStyle } from '../../core/text/coloured-rows.ts'
import type { Grid } from '../../core/text/grid.ts'
import { type EditedLine, emptyLine, held } from './line-looks.ts'
import { beforeCursor } from './screen-text.ts'

/** A row without its dim or grey text. A cursor that the program draws itself may be on the first letter of that text. */
export const solidText = (row: ColouredRow): string =>
  typedIn(row, { from: 0, cursor: 0, end: row.text.length })

/** The frame of a composer's row, and the sign that its first row begins with. Another sign is a mode that was typed: `!`. */
const frame = /^(?:\s*[│┃║▌|]+)?/u
const signed = /^[\s│┃║▌|]*[❯›>](?:[ \u00a0]|$)/u
/** Of an agent that draws nothing around it, a mode may stand before the sign: `architect> ` (Aider). */
const prompted = /^[\s│┃║▌|]*(?:[\w./~-]{1,20} ?)?[❯›>→»$#%](?:[ \u00a0]|$)/u

/**
 * What a person has typed into an agent's composer: down to the cursor's row, as what stands below it (a mode, a model) may be
 * the program's. Where no cursor is seen, the row with the sign.
 * @param composer the indices of the first and the last row that are written in
 * @param screen with the cursor: what is left of it was typed, in any colour
 */
export function composerLooks(
  rows: readonly ColouredRow[],
  composer: { readonly first: number; readonly last: number },
  screen?: Grid,
  sign = signed,
): EditedLine {
  const inside = rows.slice(composer.first, composer.last + 1)
  // What is typed into a later row may begin like a sign.
  const first = inside.findIndex(({ text }) => text.replace(frame, '').trim() !== '')
  const beginOf = ({ text }: ColouredRow, index: number): number =>
    ((index === first && sign.exec(text)) || frame.exec(text))?.[0].length ?? 0
  const drawn = inside.findIndex((row, index) => drawnCursor(row, beginOf(row, index)) !== undefined)
  const own = screen && !screen.isCursorHidden ? (screen.cursor?.row ?? -1) - composer.first : -1
  const on = drawn >= 0 || own >= inside.length ? drawn : own
  const at = on >= 0 ? on : sign.test(inside[first]?.text ?? '') ? first : -1
  // A draft with an empty row in it goes on where nothing is drawn around it (Codex).
  const below = drawn < 0 && own >= inside.length ? (rows[composer.first + own]?.text.trim() ?? '') : ''
  if (below !== '') return { is: 'unsure', text: below }
  const written = inside.slice(0, at + 1).map((row, index) => {
    const from = beginOf(row, index)
    const typed = index === own && drawn < 0 && screen ? beforeCursor(screen).length : from
    const end = row.text.replace(/[│┃║|]\s*$/u, '').length
    // Above the cursor all was typed, in any colour.
    if (index < at) return row.text.slice(from, end).trim()
    return typedIn(row, { from, cursor: drawnCursor(row, from) ?? typed, end }).trim()
  })
  const text = written.filter(row => row !== '').join(' ')
  return text === '' ? emptyLine : held(text)
}

/**
 * Where no composer is found, the row with the cursor, behind a sign.
 * A draft may look like anything: options, a table, a page of text.
 */
export function cursorRowLooks(rows: readonly ColouredRow[], screen?: Grid): EditedLine {
  const drawn = rows.findLastIndex(row => drawnCursor(row, 0) !== undefined)
  const own = screen && !screen.isCursorHidden ? (screen.cursor?.row ?? -1) : -1
  const at = own >= 0 && prompted.test(rows[own]?.text ?? '') ? own : drawn >= 0 ? drawn : own
  const row = rows[at]
  if (!row) return emptyLine
  const { is, text } = composerLooks(rows, { first: at, last: at }, screen, prompted)
  const isBegunAbove = !prompted.test(row.text) && (rows[at - 1]?.text.trim() ?? '') !== ''
  return is === 'empty' && !isBegunAbove ? emptyLine : { is: 'unsure', text: text || row.text.trim() }
}

/** A part of a row, and the place of the cursor in it. */
type Part = { readonly from: number; readonly cursor: number; readonly end: number }

const isLetter = ({ text }: ColouredRow, at: number): boolean => /\S/u.test(text[at] ?? '')

/** The part, with blanks where nothing was typed. */
function typedIn(row: ColouredRow, part: Part): string {
  const { from, cursor, end } = part
  const places = Array.from({ length: Math.max(0, end - from) }, (_, n) => from + n)
  const isOwn = isOfOwnColour(row, part)
  const isGhost = (at: number): boolean => at >= cursor && (isOwn || isFaint(row.styles[at]))
  const drawn = drawnCursor(row, from)
  const behind = places.filter(at => at > (drawn ?? end) && isLetter(row, at))
  const isFirstOfGhost = behind.length > 0 && behind.every(isGhost)
  const isTyped = (at: number): boolean => !isGhost(at) && !(at === drawn && isFirstOfGhost)
  return places.map(at => (isTyped(at) ? row.text[at] : ' ')).join('')
}

/** Where the program draws its cursor itself: one character inverse or underlined. */
function drawnCursor({ text, styles }: ColouredRow, from: number): number | undefined {
  const isMarked = (at: number): boolean =>
    styles[at]?.isReversed === true || styles[at]?.isUnderlined === true
  for (let at = from; at < styles.length; at++) {
    if (!isMarked(at)) continue
    const start = at
    while (isMarked(at + 1)) at++
    if ([...text.slice(start, at + 1)].length === 1) return start
  }
  return undefined
}

/**
 * Behind a blank that a cursor is drawn on comes text of another colour, with nothing before it. The first character of a text
 * that was typed would be below the cursor. A word that is highlighted has the colour of the sign.
 */
function isOfOwnColour(row: ColouredRow, { from, cursor, end }: Part): boolean {
  const { styles, text } = row
  if (drawnCursor(row, from) !== cursor || text.slice(from, cursor + 1).trim() !== '') return false
  const fronts = new Set<string | undefined>()
  for (let at = cursor + 1; at < end; at++) if (isLetter(row, at)) fronts.add(styles[at]?.front)
  const [front] = fronts
  const sign = styles[text.slice(0, from).trimEnd().length - 1]?.front
  return fronts.size === 1 && front !== '' && front !== styles[cursor]?.front && front !== sign
}

/** Dim, or a shade that is no white: bright black, a grey of the 256, or three parts alike. */
function isFaint(style: TextStyle | undefined): boolean {
  if (!style || style.isDim) return style !== undefined
  if (style.front === '90') return true
  const [kind, ...parts] = style.front.split(' ').map(Number)
  const [red = 0] = parts
  if (kind === 5) return red === 8 || cubeGreys.has(red) || (red >= 236 && red <= 250)
  // What is darker is the text of a light theme.
  return kind === 2 && Math.max(...parts) - Math.min(...parts) <= 40 && red >= 48 && red < 200
}

/** Of the 6×6×6 colours those with three parts alike, but for black and the two that pass for white. */
const cubeGreys: ReadonlySet<number> = new Set([59, 102, 145])
