/** Text as a terminal shows it: measured in cells, where a wide character takes two and a joined one is not cut. */
import stringWidth from 'string-width'

const segments = new Intl.Segmenter()

/** Bidirectional controls turn a line around in front of the reader; line separators break it. */
const unruly = /[\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** What others wrote, without what would move other text about. */
export const tame = (text: string): string => text.replace(unruly, '')

export const widthOf = (text: string): number => stringWidth(text)

/** The beginning of a text, at most `width` cells; what was cut ends in `…`. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  let used = 0
  for (const { segment } of segments.segment(text)) {
    used += widthOf(segment)
    if (used > width - 1) break
    kept += segment
  }
  return width < 1 ? '' : `${kept}…`
}

/** The end of a text, at most `width` cells: of a path it tells more. */
export function cutStart(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  const parts = [...segments.segment(text)].map(({ segment }) => segment).reverse()
  let kept = ''
  let used = 0
  for (const segment of parts) {
    used += widthOf(segment)
    if (used > width - 1) break
    kept = segment + kept
  }
  return width < 1 ? '' : `…${kept}`
}

/** A text filled up with blanks. */
export const pad = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - widthOf(text)))

/** A text on lines of at most `width` cells, broken between words where they are not longer than a line. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const next = line === '' ? word : `${line} ${word}`
    if (widthOf(next) <= width) {
      line = next
      continue
    }
    if (line !== '') lines.push(line)
    line = cut(word, width)
  }
  return line === '' ? lines : [...lines, line]
}
