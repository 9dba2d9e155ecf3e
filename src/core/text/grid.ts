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

/** For texts that a screen may have broken into rows: it leaves blanks out and adds some. */
export const withoutBlanks = (text: string): string => text.replace(/\s+/g, '')
