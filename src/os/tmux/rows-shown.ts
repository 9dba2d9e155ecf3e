/** A condition for tmux: whether rows stand on a pane at the very moment when it does something to it. */
import { piecesOf } from '../../core/text/row-pieces.ts'

/** All have to be true. A tree, as tmux follows formats within formats so deep only. */
export function allOf(conditions: readonly string[]): string {
  const [first = '1'] = conditions
  if (conditions.length <= 1) return first
  const half = conditions.length >> 1
  return `#{&&:${allOf(conditions.slice(0, half))},${allOf(conditions.slice(half))}}`
}

/** `#{C:…}` searches the rows that are visible (tmux 3.2). */
export const rowsShown = (rows: readonly string[]): readonly string[] =>
  rows.map(piecesOf).flatMap(pieces => (pieces.length === 0 ? [] : [`#{C:${pieces.join('*')}}`]))
