/**
 * Whether the dialog of which a log tells still stands on the screen. Pure. Words on a screen open none: they only tell that
 * one which was seen there is gone, at two looks in a row.
 */
import type { Lane } from '../../core/evidence/signal.ts'

/** `missed`: so many looks in a row have not shown it. */
export type SeenDialog = { readonly lane: Lane; readonly missed: number }

/** @param lane the dialog that is open */
export function stepDialog(
  before: SeenDialog | undefined,
  lane: Lane,
  isShown: boolean,
): { readonly seen: SeenDialog | undefined; readonly isGone: boolean } {
  if (isShown) return { seen: { lane, missed: 0 }, isGone: false }
  // Other words stand there in this version, or it is not drawn yet.
  if (before?.lane !== lane) return { seen: undefined, isGone: false }
  return before.missed > 0
    ? { seen: undefined, isGone: true }
    : { seen: { lane, missed: before.missed + 1 }, isGone: false }
}
