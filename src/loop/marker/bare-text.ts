/**
 * What a Markdown text only shows: code, quotations, the inside of elements and of comments. All else its author states.
 * Decided by structure alone: no word of the prose counts.
 */
import { type Fence, fenceAfter } from '../../core/text/code-fence.ts'

/** From one index of the text up to another, and what shows the text between them. */
type Span = readonly [from: number, to: number, what: string]

/**
 * Names what shows the character at an index of the text; undefined where its author states it.
 * @param text with `\n` as line end
 */
export function shownIn(text: string): (at: number) => string | undefined {
  const blocks = blockSpans(text)
  const prose = masked(text, blocks, '\n')
  const inline = inlineSpans(prose)
  const bare = masked(prose, inline, '·')
  const spans = [...blocks, ...inline, ...quotations(bare), ...elements(bare)]
  return at => spans.find(([from, to]) => from <= at && at < to)?.[2]
}

/** The same text with another character in place of all that the spans hold, but line ends. */
function masked(text: string, spans: readonly Span[], fill: string): string {
  let result = ''
  let end = 0
  for (const [from, to] of spans) {
    result += text.slice(end, from) + text.slice(from, to).replace(/[^\n]/g, fill)
    end = to
  }
  return result + text.slice(end)
}

/** Whole lines: fenced and indented code, block quotes, and lines that are cited from a file. */
function blockSpans(text: string): Span[] {
  const lines = text.split('\n')
  const isIndented = indentedCode()
  const spans: Span[] = []
  let fence: Fence | undefined
  let from = 0
  for (const [at, line] of lines.entries()) {
    const before = fence
    fence = fenceAfter(before, line)
    const isFenced = before !== undefined || fence !== undefined
    const what = isFenced || isIndented(line) ? 'code' : quotedLine(lines, at)
    if (what !== undefined) spans.push([from, from + line.length, what])
    from += line.length + 1
  }
  return spans
}

const mark = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?=\S)/

/** Called with line after line. Code is indented by four more than the text of the list's item that it is in (CommonMark 4.4, 5.2). */
function indentedCode(): (line: string) => boolean {
  /** Where the texts of the open items begin. */
  const items: number[] = []
  return line => {
    if (line.trim() === '') return false
    const indent = widthOf(/^[ \t]*/.exec(line)?.[0] ?? '')
    while ((items.at(-1) ?? 0) > indent) items.pop()
    if (indent >= (items.at(-1) ?? 0) + 4) return true
    const item = mark.exec(line)?.[0]
    if (item !== undefined) items.push(widthOf(item))
    return false
  }
}

/** In columns: a tab ends at a multiple of four. */
const widthOf = (text: string): number =>
  [...text].reduce((width, character) => (character === '\t' ? width - (width % 4) + 4 : width + 1), 0)

const quoteMark = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)*>/
/** A line of a file as `grep -n`, `cat -n` and `diff` print it, where it is a comment and nothing else. */
const cited = /^\s*(?:[+-]|(?:[^\s:\d][^\s:]{0,200}:)?\d{1,9}[:|→]\s*)(?=<!--)/

function quotedLine(lines: readonly string[], at: number): string | undefined {
  const line = lines[at] as string
  if (at === 0 && line.startsWith('…')) return 'a line whose beginning is cut off'
  // Between two lines of a block quote the mark was forgotten.
  const isBetween = [at - 1, at + 1].every(beside => quoteMark.test(lines[beside] ?? ''))
  if (quoteMark.test(line) || isBetween) return 'a block quote'
  return cited.test(line) ? 'a cited line' : undefined
}

/** Where a paragraph, an item, a heading or a row of a table ends. */
const blockEnd = /\n[ \t]*(?=\n|$|[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|\||>)/g

/** Code spans, escaped characters and comments; of these all but the first character, at which a marker is found. */
function inlineSpans(prose: string): Span[] {
  const closingRun = runsIn(prose)
  const ends = [...prose.matchAll(blockEnd)].map(end => end.index)
  const token = /\\[^\n]|`+|<!--/g
  const spans: Span[] = []
  let block = 0
  let close = 0
  for (let found = token.exec(prose); found; found = token.exec(prose)) {
    const from = found.index
    while ((ends[block] ?? prose.length) < from) block++
    const most = ends[block] ?? prose.length
    const [character] = found[0]
    if (character === '\\') {
      spans.push([from, from + 2, 'code'])
    } else if (character === '`') {
      const to = closingRun.get(from) ?? Infinity
      if (to > most) continue
      spans.push([from, to, 'code'])
      token.lastIndex = to
    } else {
      if (close < from + 4) close = endOf(prose, '-->', from + 4)
      // CommonMark 4.6: at the start of a line it goes on over blank lines.
      if (close > (isLineStart(prose, from) ? prose.length : most)) continue
      spans.push([from + 1, close, 'a comment'])
      token.lastIndex = close
    }
  }
  return spans
}

function endOf(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from)
  return at < 0 ? Infinity : at + what.length
}

const isLineStart = (text: string, at: number): boolean =>
  /(?:^|\n) {0,3}$/.test(text.slice(Math.max(0, at - 4), at))

/** For each run of backticks, by its index, where the next one of its length ends. */
function runsIn(text: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>()
  const next = new Map<number, number>()
  for (const { 0: run, index } of [...text.matchAll(/`+/g)].reverse()) {
    const end = next.get(run.length)
    if (end !== undefined) ends.set(index, end)
    next.set(run.length, index + run.length)
  }
  return ends
}

const isBlank = (character: string): boolean => character.trim() === ''
/** A quotation may begin behind it. */
const isBefore = (character: string): boolean => isBlank(character) || /[([{<>*_~=:,/—–-]/.test(character)
/** A quotation may end before it. */
const isBehind = (character: string): boolean => !/[\p{L}\p{N}([{]/u.test(character)

/**
 * Between quotation marks. One that is never closed opens nothing, and neither do inches and apostrophes. Straight double
 * marks and typographic ones go on over lines; a single mark closes on its line.
 */
function quotations(bare: string): Span[] {
  const spans: Span[] = []
  const open = new Map<string, number[]>()
  for (const { 0: character, index } of bare.matchAll(/["'\n“”„«»‹›「」『』]/g)) {
    const before = bare.charAt(index - 1)
    const behind = bare.charAt(index + 1)
    const isStraight = character === '"' || character === "'"
    const family = isStraight ? character : 'typographic'
    if (character === '\n') {
      open.delete("'")
      continue
    }
    const { opens, closes } = isStraight
      ? { opens: isBefore(before), closes: isBehind(behind) }
      : sidesOf(character, before, behind)
    const begun = open.get(family) ?? []
    const from = closes ? begun.pop() : undefined
    if (from !== undefined) spans.push([from, index + 1, 'quotation marks'])
    // Straight marks do not nest: one that opens shows that the last one was never closed.
    else if (opens) open.set(family, isStraight ? [index] : [...begun.slice(-7), index])
  }
  return spans
}

/** „German“, »German«, «French» and ”Swedish”: the blank beside a mark shows which side it is for. */
function sidesOf(character: string, before: string, behind: string): { opens: boolean; closes: boolean } {
  const isLeft = /[“„«‹「『]/.test(character)
  const isOther = isLeft
    ? /[^\s([{—–-]/.test(before) && !/[^\s.,;:!?)\]*_]/.test(behind)
    : /^$|[\s([{*_]/.test(before) && /[\p{L}\p{N}<*_]/u.test(behind)
  return isLeft === isOther ? { opens: false, closes: true } : { opens: true, closes: false }
}

/** Inside of elements (`<example>`, `<pre>`, `<blockquote>`). The beginning of one may be cut off. */
function elements(bare: string): Span[] {
  const spans: Span[] = []
  const open = new Map<string, number[]>()
  for (const { 0: tag, 1: slash, 2: name = '', index } of bare.matchAll(
    /<(\/?)([a-z][\w-]*)(?:\s[^<>]*)?>/gi,
  )) {
    const begun = open.get(name) ?? []
    if (slash) spans.push([begun.pop() ?? 0, index + tag.length, 'an element'])
    else open.set(name, begun)
    if (!slash) begun.push(index)
  }
  return spans
}
