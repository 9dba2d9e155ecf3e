/**
 * The lines of a control client taken apart: what answers a command stands between `%begin` and `%end` (or `%error`) of
 * one time and number, everything else is news. An answer may hold any text, so only the very same stamp ends it.
 */

export type BlockStep = {
  /** The stamp of the answer that is being told: its time, number and flags. */
  readonly open?: string
  /** The line belongs to no answer. */
  readonly isNews: boolean
}

const begin = /^%begin (\d+ \d+ \d+)$/
const percent = 0x25

export function stepBlock(open: string | undefined, line: Buffer): BlockStep {
  if (open === undefined) {
    const [, stamp] = line[0] === percent ? (begin.exec(line.toString('latin1')) ?? []) : []
    return stamp === undefined ? { isNews: true } : { open: stamp, isNews: false }
  }
  const isEnd = isMark(line, '%error ', open) || isMark(line, '%end ', open)
  return isEnd ? { isNews: false } : { open, isNews: false }
}

const isMark = (line: Buffer, mark: string, stamp: string): boolean =>
  line[0] === percent &&
  line.length === mark.length + stamp.length &&
  line.toString('latin1') === mark + stamp
