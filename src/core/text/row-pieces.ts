/** What is looked for of a row where only plain letters can be: a search of tmux knows no quotes. */

/** Letters and figures of any script, and what stands between them in paths. */
const piece = /[\p{L}\p{M}\p{N}./_]+(?:-+[\p{L}\p{M}\p{N}./_]+)*/gu
/** A command of tmux has room for 16 KiB in all. */
const longestRow = 200

/** In the order in which they stand in it; what lies between them is not looked at. */
export const piecesOf = (row: string): readonly string[] => row.slice(0, longestRow).match(piece) ?? []

/** Whether a row has all of them, in their order. */
export function hasPieces(row: string, pieces: readonly string[]): boolean {
  let from = 0
  return pieces.every(one => {
    const at = row.indexOf(one, from)
    from = at + one.length
    return at >= 0
  })
}
