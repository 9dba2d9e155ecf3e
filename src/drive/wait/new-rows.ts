/** What is new on a terminal since it was read. Pure. */
import type { Grid } from '../../core/text/grid.ts'
import type { Observation } from '../../terminal/observer-step.ts'
import type { TerminalFacts } from '../../terminal/terminal-holder.ts'

/** The rows behind those that were known before; all, where they have nothing in common any more. */
export function newRows(before: readonly string[] | undefined, now: readonly string[]): readonly string[] {
  if (!before || before.length === 0) return now
  // The last row changes by typing: the rows before it are searched for.
  const known = before.slice(0, -1)
  for (let from = 0; from < known.length; from++) {
    const tail = known.slice(from)
    if (tail.every((row, at) => row === now[at])) return now.slice(tail.length)
  }
  return now
}

type Shown = Pick<Observation, 'screen' | 'facts' | 'lines' | 'probe'>

/**
 * The new rows between two observations, from the last row of the earlier one on: that row may have changed.
 * @returns undefined where that row is no longer on the screen, or its place is not known
 */
export function newRowsShown(before: Shown, now: Shown): readonly string[] | undefined {
  const [first, last] = [before.screen, now.screen]
  if (!first || !last || !before.facts || !now.facts || now.probe.gone) return undefined
  if (!isSameSize(first, last) || first.alternate || last.alternate || isFull(now.facts)) return undefined
  const scrolled = now.facts.historySize - before.facts.historySize
  const from = lastFilled(first) - scrolled
  const above = last.rows.slice(0, Math.max(0, from))
  const isKnown = above.length > 0 && above.every((row, at) => row === first.rows[at + scrolled])
  const count = lastFilled(last) + 1 - from
  return isKnown && count > 0 && count <= now.lines.length ? now.lines.slice(-count) : undefined
}

/** It has dropped rows, or may have: how far the screen has scrolled is not known, and what repeats itself looks alike. */
const isFull = ({ historySize, historyLimit }: TerminalFacts): boolean =>
  historySize + Math.ceil(historyLimit / 10) >= historyLimit

const isSameSize = (one: Grid, other: Grid): boolean =>
  one.columns === other.columns && one.rows.length === other.rows.length

const lastFilled = ({ rows }: Grid): number => rows.findLastIndex(row => row.trim() !== '')
