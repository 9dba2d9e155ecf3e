/** In which order rows stand. A row moves only while nobody's hand is on the list. Pure. */

/**
 * @param shown ids as they stand
 * @param wanted ids as they should
 * @returns as wanted; where rows may not move, those that stand there keep their places, and new ones come last
 */
export function orderFor(
  shown: readonly string[],
  wanted: readonly string[],
  mayMove: boolean,
): readonly string[] {
  if (mayMove) return wanted
  const there = new Set(wanted)
  const before = new Set(shown)
  return [...shown.filter(id => there.has(id)), ...wanted.filter(id => !before.has(id))]
}
