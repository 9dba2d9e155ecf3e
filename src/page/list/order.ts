/** In which order rows stand. A row moves only while nobody's hand is on the list. Pure. */
import { needs } from '../../core/explain/need.ts'
import type { ThinRow } from '../types.ts'

/** The most urgent first, as `lull ps` has it; of equal need, the one in its state for the longest. */
export function byUrgency(rows: readonly ThinRow[]): readonly ThinRow[] {
  const rank = new Map(needs.map((need, at) => [need, at]))
  const rankOf = ({ need }: ThinRow): number => rank.get(need) ?? needs.length
  return rows.toSorted(
    (a, b) =>
      rankOf(a) - rankOf(b) || (a.since < b.since ? -1 : a.since > b.since ? 1 : a.id < b.id ? -1 : 1),
  )
}

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
