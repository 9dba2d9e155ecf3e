/** Fenced code in Markdown, line by line: its content is quoted, and a cut text must not lose its fence. */

/** The fence that is open: its character, how many of them, and how far it is indented. */
export type Fence = { readonly mark: string; readonly length: number; readonly indent: number }

/** Behind list markers too: an example in a list is an example. */
const opening = /^([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}(?=[^`]*$)|~{3,})/
const closing = /^([ \t]*)(`{3,}|~{3,})[ \t]*$/

/**
 * The fence that is open after a line.
 * @param open the one that was open before it
 * @param line without its line end
 */
export function fenceAfter(open: Fence | undefined, line: string): Fence | undefined {
  if (!open) {
    const [, before = '', run = ''] = opening.exec(line) ?? []
    return run === '' ? undefined : { mark: run.charAt(0), length: run.length, indent: before.length }
  }
  const [, before = '', run = ''] = closing.exec(line) ?? []
  // CommonMark 4.5: the closing fence is as long as the opening one, and indented by three blanks more at most.
  const isClosed = run.startsWith(open.mark) && run.length >= open.length && before.length <= open.indent + 3
  return isClosed ? undefined : open
}

/** A fence is opened again with this many blanks and marks at the most. */
const longestFence = 64

/**
 * The end of a text, of `most` characters at the most. A line that is cut begins with `…`, so that its rest is not
 * taken for a line; a fence that was open there is opened again.
 * @param most at least 200
 */
export function tailOf(text: string, most: number): string {
  if (text.length <= most) return text
  const from = text.length - most + 2 * longestFence + 2
  const lineStart = text.lastIndexOf('\n', from - 1) + 1
  const lineEnd = text.indexOf('\n', from)
  const isInLine = lineStart < from
  const open = fenceIn(text, isInLine && lineEnd >= 0 ? lineEnd : lineStart)
  return `${open ? opened(open) : ''}${isInLine ? '…' : ''}${text.slice(from)}`
}

const opened = ({ mark, length, indent }: Fence): string =>
  `${' '.repeat(Math.min(indent, longestFence))}${mark.repeat(Math.min(length, longestFence))}\n`

/** The fence that is open after the lines before `end`, where a line begins or ends. */
function fenceIn(text: string, end: number): Fence | undefined {
  let open: Fence | undefined
  for (let at = 0; at < end; ) {
    const lineEnd = text.indexOf('\n', at)
    open = fenceAfter(open, text.slice(at, lineEnd).replace(/\r$/, ''))
    at = lineEnd + 1
  }
  return open
}
