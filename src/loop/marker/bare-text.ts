/**
 * Which lines of a Markdown text its author states, and which are only quoted: lines in code, quotations, lists of
 * instructions, comments or elements are quoted. Decided by structure alone: no word of the prose counts.
 */
import { type Fence, fenceAfter } from '../../core/text/code-fence.ts'

/** Names for each line, by its index, what quotes it; undefined for a bare line. Lines have no line ends. */
export function shownIn(lines: readonly string[]): (at: number) => string | undefined {
  const isCode = codeLines(lines)
  const text = lines.map((line, i) => (isCode[i] ? '' : withoutInlineCode(line)))
  return at => (isCode[at] ? 'code' : ways.find(([, isShown]) => isShown(text, at))?.[0])
}

function codeLines(lines: readonly string[]): boolean[] {
  let open: Fence | undefined
  return lines.map(line => {
    const before = open
    open = fenceAfter(open, line)
    return before !== undefined || open !== undefined
  })
}

/** Only spans that end on their line; see `isInCodeSpan`. */
export const withoutInlineCode = (line: string): string =>
  line.replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '')

/** The ways in which a line outside of fences is only shown; each is given the text without its code. */
const ways: readonly (readonly [string, (text: readonly string[], at: number) => boolean])[] = [
  ['a block quote', isInQuoteBlock],
  ['an item of a list that goes on to it', isInList],
  ['a comment', isInComment],
  ['an element', isInElement],
  ['quotation marks', isInMarks],
  ['code', isInCodeSpan],
]

/** Between two lines of a block quote: the mark was forgotten. */
function isInQuoteBlock(text: readonly string[], at: number): boolean {
  return [at - 1, at + 1].every(beside => /^\s*>/.test(text[beside] ?? ''))
}

const item = /^( *)(?:[-*+]|\d{1,9}[.)]) +(?=\S)/

/** Indented below an item of a list, in the middle of the item's sentence: `- When idle, print`. */
function isInList(text: readonly string[], at: number): boolean {
  const before = text.slice(0, at).findLast(line => line.trim() !== '')
  if (before !== undefined && endsSentence(before)) return false
  /** Where the text of the outermost item begins. */
  let content = Infinity
  for (const line of text.slice(0, at)) {
    if (line.trim() === '') continue
    const [whole, before] = item.exec(line) ?? []
    if (whole !== undefined && (before as string).length < content) content = whole.length
    else if (indentOf(line) < content) content = Infinity
  }
  return indentOf(text[at] as string) >= content
}

/** Nothing of it is open: no colon, no verb that waits for what it prints. */
export const endsSentence = (text: string): boolean =>
  /(?:[.!?。！？;—–]|\p{Extended_Pictographic}\uFE0F?)["'”’»)\]]*[\s*_]*$/u.test(text)

const indentOf = (line: string): number => line.length - line.trimStart().length

/** In a comment of several lines, which begins at the start of one (CommonMark 4.6, condition 2). */
function isInComment(text: readonly string[], at: number): boolean {
  let isOpen = false
  for (const line of text.slice(0, at)) {
    const from: number = isOpen ? 0 : /^ {0,3}<!--/.test(line) ? line.indexOf('<!--') + 4 : -1
    if (from >= 0) isOpen = !line.includes('-->', from)
  }
  return isOpen
}

/** An element is closed after it that was not opened after it (`<example>`, `<pre>`, `<blockquote>`). */
function isInElement(text: readonly string[], at: number): boolean {
  const open = new Map<string, number>()
  const after = text.slice(at + 1).join('\n')
  for (const [, slash, name = ''] of after.matchAll(/<(\/?)([a-z][\w-]*)(?:\s[^<>]*)?>/gi)) {
    const depth = (open.get(name) ?? 0) + (slash ? -1 : 1)
    if (depth < 0) return true
    open.set(name, depth)
  }
  return false
}

/** Between quotation marks that open before it and close after it. */
function isInMarks(text: readonly string[], at: number): boolean {
  const before = text.slice(0, at).join('\n')
  const after = text.slice(at + 1).join('\n')
  const isOdd = (part: string): boolean => count(part, /"/g) % 2 === 1
  const surplus = (part: string): number => count(part, /[“«]/g) - count(part, /[”»]/g)
  return (isOdd(before) && isOdd(after)) || (surplus(before) > 0 && surplus(after) < 0)
}

/** In inline code that goes on over several lines of a paragraph. */
function isInCodeSpan(text: readonly string[], at: number): boolean {
  const isBlank = (line: string): boolean => line.trim() === ''
  const start = text.findLastIndex((line, i) => i < at && isBlank(line)) + 1
  const end = text.findIndex((line, i) => i > at && isBlank(line))
  const isOdd = (part: readonly string[]): boolean => count(part.join('\n'), /`/g) % 2 === 1
  return isOdd(text.slice(start, at)) && isOdd(text.slice(at + 1, end < 0 ? text.length : end))
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0
