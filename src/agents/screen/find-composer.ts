/** The composer that a prompt is written in, by what CLIs draw around it. Pure. */
import { findOptions } from './find-options.ts'
import {
  columnOf,
  isBarFoot,
  isBarred,
  isBlank,
  isBoxBottom,
  isBoxTop,
  isEdge,
  isInnerEdge,
  isLooseEdge,
  isRefusal,
  namesKeys,
  type Option,
  optionOf,
  unframed,
} from './screen-rows.ts'

export type Composer = {
  readonly from: number
  readonly to: number
  /** The rows that are written in, without the edges, and the indices of the first and the last of them. */
  readonly inside: readonly string[]
  readonly first: number
  readonly last: number
  /** The screen ends within it: nothing is seen of the rows below. */
  readonly isCut?: true
}

/** @param first the first row that is written in */
const composer = (
  [from, to]: readonly [number, number],
  rows: readonly string[],
  first: number,
  last: number,
): Composer => ({ from, to, inside: rows.slice(first, last + 1), first, last })

/** A footer is shorter, even one with a list of commands that fit what is typed. */
const mostFooterRows = 12

/** How a composer begins: a sign, and what is typed behind it. */
const promptSign = /^[\s│┃|]*(?:[❯›>!#$&](?:[ \u00a0]|$)|● .{0,500}▋)/u

/** The lowest composer. One above it was sent, or a model drew it. */
export function findComposer(rows: readonly string[]): Composer | undefined {
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
          : isEdge(row) || isLooseEdge(row)
            ? ruled(rows, at)
            : (bare(rows, at) ?? cutOff(rows, at))
    if (found) return isFooter(rows.slice(found.to + 1), rows[found.to] as string) ? found : undefined
    below++
  }
  return undefined
}

/** A dialog is no footer: the prompt above it was sent. A person's status line may draw a bar, which is shorter. */
function isFooter(rows: readonly string[], edge: string): boolean {
  const isBar = (row: string) => /[\w%]/.test(row) && row.trim().length < edge.trim().length
  if (rows.some(row => isEdge(row) && !(isEdge(edge) && isBar(row)))) return false
  const list = findOptions(rows.map(unframed))
  if (!list || rows.some(row => /\?\s*$/.test(row))) return !list
  // A list of agents is one: the keys of the turn stand above it, and nothing tells how to choose.
  return list.isRound
    ? !namesKeys(rows)
    : !rows.some(row => /↑\/?↓|\b(?:enter|return|esc|cancel)\b/i.test(row))
}

/** A message or a tool call begins with a bullet, at the left, and a spinner ends in dots. */
const isMessage = (row: string): boolean =>
  /^ ?[●⏺•✦◆■✶✻✽✢⎿](?: |$)|^ ?[·*✳✺∗⋆◐◓◑◒\u2801-\u28ff] \S.{0,80}(?:…|\.{3})/u.test(row)

const holdsOptions = (inside: readonly string[]): boolean => findOptions(inside.map(unframed)) !== undefined

/** What stands in a composer where nothing is written. */
const placeholder = /^\s*(?:> )?(?:type (?:your|a) message|ask \w+ to do anything)\b/i

const isWritten = (inside: readonly string[], below: readonly string[]): boolean => {
  const first = inside.find(row => !isBlank(unframed(row)))
  if (first === undefined) return true
  if (placeholder.test(unframed(first))) return !holdsOptions(inside)
  return promptSign.test(first) && !asks(inside, below)
}

/** To agree and to refuse. */
const offersAnswers = (options: readonly Option[]): boolean =>
  options.some(({ label }) => /^(?:yes|allow|approve|accept)\b/i.test(label)) &&
  options.some(({ label }) => isRefusal(label))

/**
 * Options in a frame. A draft of several lines looks alike, its sign like a pointer at the first: but a dialog begins with what
 * it asks, tells how to choose, or offers to agree and to refuse.
 */
function asks(inside: readonly string[], below: readonly string[]): boolean {
  const rows = inside.map(unframed)
  const list = findOptions(rows, below)
  if (!list) return false
  const first = rows.findIndex(row => !isBlank(row))
  const rest = rows.slice(first + 1)
  // What was pasted into a draft goes on further right than the sign, and may hold a sign of its own.
  const column = columnOf(rows[first] as string) + 2
  const isPasted = list.from > first || rest.some(row => promptSign.test(row))
  if (isPasted && rest.every(row => isBlank(row) || columnOf(row) >= column)) return namesKeys(below)
  const isFirst = list.from === first && list.options[0]?.isPointed === true
  return !isFirst || namesKeys([...inside.slice(list.to + 1), ...below]) || offersAnswers(list.options)
}

/** A draft is longer only where it fills the screen. */
const mostDraftRows = 30
const mostSignlessRows = 10

/** The sign at the left of a composer. */
const isSigned = (row: string | undefined): boolean => /^ ?[❯›>](?:[ \u00a0]|$)/u.test(row ?? '')

const isPlainEdge = (row: string): boolean => isEdge(row) && !isInnerEdge(row)

/** Between two lines across: Claude Code, Qwen Code, Copilot, Cline, pi, Gemini CLI. */
function ruled(rows: readonly string[], to: number): Composer | undefined {
  for (let at = to - 1; at >= Math.max(0, to - mostDraftRows); at--) {
    const row = rows[at] as string
    // A line across that is written into a draft stands where the draft does.
    if (columnOf(row) !== columnOf(rows[to] as string)) continue
    const isSure = isPlainEdge(row) && isPlainEdge(rows[to] as string)
    if (!isPlainEdge(row) && !(isSigned(rows[at + 1]) && (isEdge(row) || isLooseEdge(row)))) continue
    const inside = rows.slice(at + 1, to)
    if (inside.length === 0 || isBoxTop(row) || !(isSure || isSigned(inside[0]))) return undefined
    // pi has no sign.
    const isFrame = row === rows[to] && inside.length <= mostSignlessRows && !holdsOptions(inside)
    return (isSure && isFrame) || isWritten(inside, rows.slice(to + 1))
      ? composer([at, to], rows, at + 1, to - 1)
      : undefined
  }
  return undefined
}

/** `╭─ π | ~/shop | main ───╮`: a status line in the frame. */
const isPowerline = (row: string): boolean => /^\s*╭─+ \S{1,2} [|│]|[\ue0b0-\ue0b3]/u.test(row)

/** In a box: earlier Claude Code, Gemini CLI and Qwen Code, and others. */
function boxed(rows: readonly string[], to: number): Composer | undefined {
  const from = rows.slice(0, to).findLastIndex(isBoxTop)
  const inside = from < 0 ? [] : rows.slice(from + 1, to)
  if (inside.length === 0 || inside.length > mostDraftRows || inside.some(isEdge)) return undefined
  const isEmpty = inside.every(row => isBlank(unframed(row)))
  const isStatus = isPowerline(rows[from] as string)
  const isOwn = isStatus ? !holdsOptions(inside) : !isEmpty && isWritten(inside, rows.slice(to + 1))
  return isOwn ? composer([from, to], rows, from + 1, to - 1) : undefined
}

/** The screen ends within its frame, or it has only a bar at the left. */
function cutOff(rows: readonly string[], at: number): Composer | undefined {
  const row = rows[at] as string
  const below = rows.slice(at + 1)
  if (/^\s{0,2}│ /u.test(row) && placeholder.test(unframed(row))) return composer([at, at], rows, at, at)
  const [before = ''] = rows.slice(at - 1, at)
  const isBelowEdge = isSigned(row) && isEdge(before) && below.every(isBlank)
  const isInBox =
    isBoxTop(before) && /^\s*│ [❯›>](?: |$)/u.test(row) && below.every(one => /^\s*(?:│.*)?$/u.test(one))
  const isDialog = holdsOptions(rows.slice(at)) || optionOf(unframed(row))?.number !== undefined
  if (!(isBelowEdge || isInBox) || isDialog) return undefined
  return { ...composer([at - 1, rows.length - 1], rows, at, rows.length - 1), isCut: true }
}

/** The first of the rows that stand beside the bar above this one. */
function barTop(rows: readonly string[], to: number): number {
  let from = to
  while (from > 0 && isBarred(rows[from - 1] as string)) from--
  return from
}

/** Beside a bar: OpenCode. */
function barred(rows: readonly string[], to: number): Composer | undefined {
  const from = barTop(rows, to)
  return from === to ? undefined : composer([from, to], rows, from, to - 1)
}

/** Between bars, with a sign: earlier OpenCode. */
function signedBar(rows: readonly string[], to: number): Composer | undefined {
  const from = barTop(rows, to)
  const inside = rows.slice(from, to + 1)
  const first = inside.map(unframed).find(row => !isBlank(row))
  return first !== undefined && /^\s*>(?: |$)/.test(first) ? composer([from, to], rows, from, to) : undefined
}

/** With nothing around it: Codex. What is typed goes on further right. */
function bare(rows: readonly string[], at: number): Composer | undefined {
  const row = rows[at] as string
  if (!/^ {0,2}[❯›>▌](?:[ \u00a0]|$)/u.test(row)) return undefined
  const before = rows[at - 1]
  // Earlier Codex drew its bar beside both.
  if (!isBlank(before) && !/^▌\s*$|^▌.*\binterrupt\b/iu.test(before as string)) return undefined
  if (
    row.startsWith('▌') &&
    !placeholder.test(unframed(row)) &&
    !rows.slice(at + 1).some(one => /⏎|\bsend\b/.test(one))
  )
    return undefined
  if (optionOf(row)?.number !== undefined) return undefined
  let to = at
  while (to + 1 < rows.length && /^ {2,}\S/.test(rows[to + 1] as string) && !isBlank(rows[to + 1])) to++
  // The list of options that an arrow points into looks alike; a composer is at the left, above a footer.
  const drafted = rows.slice(at, to + 1)
  const list = drafted.every(one => one.length < 80) ? findOptions(drafted) : undefined
  const isList =
    columnOf(row) > 0 ? list !== undefined : list?.to === to - at && rows.slice(to + 1).every(isBlank)
  if (isList || namesKeys(rows.slice(at + 1))) return undefined
  // A prompt that was sent looks alike.
  if (rows.slice(to + 1).some(isMessage) || partsOf(rows.slice(to + 1)) > mostFooterParts) return undefined
  return composer([at, to], rows, at, to)
}

/** A sent prompt is followed by separate groups of rows: an answer, a question, the footer. */
const mostFooterParts = 3

/** How many groups of rows blank ones set apart. */
const partsOf = (rows: readonly string[]): number =>
  rows.filter((row, at) => !isBlank(row) && isBlank(rows[at - 1])).length
