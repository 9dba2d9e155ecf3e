/**
 * The lines of a control client taken apart: what answers a command stands between `%begin` and `%end` (or `%error`) of
 * one time and number, everything else is news. An answer may hold any text, so only the very same stamp ends it.
 */

type Answered = {
  readonly isOwn: boolean
  readonly isError: boolean
  readonly lines: readonly Buffer[]
}

export type BlockStep = {
  /** Present while an answer is being told. */
  readonly open?: OpenBlock
  readonly answered?: Answered
  /** The line belongs to no answer. */
  readonly isNews: boolean
}

/**
 * `stamp` is time, number and flags; flag 1 marks what this client itself asked. Filled while it is read: a copy a line
 * would make long answers slow.
 */
export type OpenBlock = { readonly stamp: string; readonly isOwn: boolean; readonly lines: Buffer[] }

const begin = /^%begin (\d+ \d+ (\d+))$/
const percent = 0x25

export function stepBlock(open: OpenBlock | undefined, line: Buffer): BlockStep {
  if (!open) {
    const [, stamp, flags] = line[0] === percent ? (begin.exec(line.toString('latin1')) ?? []) : []
    if (stamp === undefined) return { isNews: true }
    return { open: { stamp, isOwn: (Number(flags) & 1) === 1, lines: [] }, isNews: false }
  }
  const isError = isMark(line, '%error ', open.stamp)
  if (!isError && !isMark(line, '%end ', open.stamp)) {
    open.lines.push(line)
    return { open, isNews: false }
  }
  return { answered: { isOwn: open.isOwn, isError, lines: open.lines }, isNews: false }
}

const isMark = (line: Buffer, mark: string, stamp: string): boolean =>
  line[0] === percent &&
  line.length === mark.length + stamp.length &&
  line.toString('latin1') === mark + stamp
