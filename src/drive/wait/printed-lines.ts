/** Output as lines of plain text; an unfinished line counts as it is. */

/**
 * Escape sequences: OSC and other texts, CSI, and those of two or three characters, as docs/seeds.md#002 strips them.
 */
const escapes = new RegExp(
  [
    '\\u001b\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)?',
    '\\u001b[P^_X][^\\u001b]*(?:\\u001b\\\\)?',
    '\\u001b\\[[0-?]*[ -/]*[@-~]?',
    '\\u001b[ -/]*[0-~]',
  ].join('|'),
  'g',
)

export const withoutEscapes = (text: string): string => text.replace(escapes, '')

/** Longer lines are read in parts. */
const longestLine = 16 * 1024

export type LineWatch = {
  take(text: string): void
  /** What came before does not count. */
  restart(): void
  /** The line that was wanted. */
  found(): string | undefined
}

/** @param isWanted called with each line, and each beginning of one as it grows, until it is true */
export function lineWatch(isWanted: (line: string) => boolean): LineWatch {
  let rest = ''
  let found: string | undefined
  return {
    take(text) {
      if (found !== undefined) return
      const lines = (rest + text).split('\n')
      found = lines.map(line => withoutEscapes(line).replaceAll('\r', '')).find(isWanted)
      rest = (lines.at(-1) ?? '').slice(-longestLine)
    },
    restart() {
      rest = ''
      found = undefined
    },
    found: () => found,
  }
}
