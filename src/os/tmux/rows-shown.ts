/** A condition for tmux: whether rows stand on a pane at the very moment when it does something to it. */
import { rowPattern } from '../../core/text/row-pattern.ts'

/** All have to be true. A tree, as tmux follows formats within formats so deep only. */
export function allOf(conditions: readonly string[]): string {
  const [first = '1'] = conditions
  if (conditions.length <= 1) return first
  const half = conditions.length >> 1
  return `#{&&:${allOf(conditions.slice(0, half))},${allOf(conditions.slice(half))}}`
}

/** A command of tmux has room for 16 KiB in all. */
const longest = 12 * 1024

/** `#{C/r:…}` searches the rows that are visible (tmux 3.2); of more than there is room for, the last ones. */
export function rowsShown(rows: readonly string[]): readonly string[] {
  const conditions: string[] = []
  let room = longest
  for (const row of rows.toReversed()) {
    const pattern = rowPattern(row)
    if (pattern === undefined) continue
    const condition = `#{C/r:${pattern.replace(/[#,}]/g, '#$&')}}`
    room -= Buffer.byteLength(condition)
    if (room < 0) break
    conditions.unshift(condition)
  }
  return conditions
}
