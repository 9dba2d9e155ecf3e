/**
 * A rendered screen and the regions of it that a program draws itself. Rules look at regions, never at the text that
 * a model wrote.
 */

/** Rows of cells as text, trailing blanks cut, the top row first. */
export type Grid = {
  readonly rows: readonly string[]
  readonly columns: number
  /** 0 is the top row, 0 the left column. */
  readonly cursor?: { readonly row: number; readonly column: number }
  readonly alternate?: boolean
  /** The program has switched it off, perhaps to draw one of its own. */
  readonly isCursorHidden?: true
}

export type RegionName = 'bottom' | 'afterLastRule' | 'promptBox' | 'statusLine'

const rule = /^[\s│|]*[─━═▔▁_-]{8,}[\s│|]*$/u
const boxTop = /^\s*[╭┌┏╔]/u
const boxBottom = /^\s*[╰└┗╚]/u

/** The text of a region, empty where the screen has none. */
export function region(grid: Grid, name: RegionName, lines = 8): readonly string[] {
  const filled = grid.rows.filter(row => row.trim() !== '')
  switch (name) {
    case 'bottom':
      return filled.slice(-lines)
    case 'statusLine':
      return filled.slice(-1)
    case 'afterLastRule':
      return afterLast(grid.rows, row => rule.test(row))
    case 'promptBox':
      return lastBox(grid.rows)
  }
}

function afterLast(rows: readonly string[], found: (row: string) => boolean): readonly string[] {
  const at = rows.findLastIndex(found)
  return at < 0 ? [] : rows.slice(at + 1).filter(row => row.trim() !== '')
}

/** The inside of the lowest box that is drawn whole. */
function lastBox(rows: readonly string[]): readonly string[] {
  const bottom = rows.findLastIndex(row => boxBottom.test(row))
  const top = bottom < 0 ? -1 : rows.slice(0, bottom).findLastIndex(row => boxTop.test(row))
  return top < 0
    ? []
    : rows.slice(top + 1, bottom).map(row => row.replace(/^\s*[│┃║|]|[│┃║|]\s*$/gu, '').trim())
}
