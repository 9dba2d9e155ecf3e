/** What is new on a terminal since it was read. Pure. */

/** The rows behind those that were known before; all, where they have nothing in common any more. */
export function newRows(before: readonly string[] | undefined, now: readonly string[]): readonly string[] {
  if (!before || before.length === 0) return now
  // The last row changes by typing: what stands before it is looked for.
  const known = before.slice(0, -1)
  for (let from = 0; from < known.length; from++) {
    const tail = known.slice(from)
    if (tail.every((row, at) => row === now[at])) return now.slice(tail.length)
  }
  return now
}
