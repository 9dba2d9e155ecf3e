/** A part of a text. */
export type Span = {
  readonly start: number
  readonly end: number
  /** It is a number in JSON: a word in its place would break that. */
  readonly isNumber?: true
}

/** What a sticky pattern finds right there. */
export const matchAt = (pattern: RegExp, text: string, at: number): string | undefined => {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

/** The same for as long as it follows itself: a group that is repeated within a pattern keeps each of millions on the stack. */
export function runAt(pattern: RegExp, text: string, at: number): string {
  let end = at
  for (let found = matchAt(pattern, text, end); found; found = matchAt(pattern, text, end))
    end += found.length
  return text.slice(at, end)
}

/** A text as it is searched, and the position of a part in the original text. */
export type View = { readonly text: string; readonly spanOf: (span: Span) => Span }

/**
 * The text with each match replaced, by one character or none. A span of it ends with its last character: what was left
 * out behind that is not of it.
 */
export function viewOf(text: string, pattern: RegExp, replaced: (found: string) => string): View {
  // Pieces: where each begins in the view, and where it begins and ends in the text.
  const starts: number[] = []
  const sources: number[] = []
  const ends: number[] = []
  const parts: string[] = []
  let length = 0
  let from = 0
  const add = (part: string, source: number, end: number): void => {
    starts.push(length)
    sources.push(source)
    ends.push(end)
    parts.push(part)
    length += part.length
  }
  for (const { index, 0: found } of text.matchAll(pattern)) {
    if (index > from) add(text.slice(from, index), from, index)
    from = index + found.length
    const instead = replaced(found)
    if (instead !== '') add(instead, index, from)
  }
  if (from === 0) return { text, spanOf: span => span }
  if (from < text.length) add(text.slice(from), from, text.length)

  const pieceAt = (index: number): number => {
    let low = 0
    for (let high = starts.length; high - low > 1; ) {
      const middle = (low + high) >> 1
      if ((starts[middle] as number) <= index) low = middle
      else high = middle
    }
    return low
  }
  const startOf = (index: number): number => {
    const piece = pieceAt(index)
    return (sources[piece] as number) + index - (starts[piece] as number)
  }
  const endOf = (index: number): number => {
    const piece = pieceAt(index - 1)
    return index === (starts[piece + 1] ?? length) ? (ends[piece] as number) : startOf(index - 1) + 1
  }
  return {
    text: parts.join(''),
    spanOf: ({ start, end, ...rest }) => ({ ...rest, start: startOf(start), end: endOf(end) }),
  }
}
