/**
 * An agent that ends at once, again and again, must not make the loop spin: it is not logged in, or has nothing to do.
 * ralphify starts it without a pause (636 empty iterations of 646 in one report); the first few are the same here.
 */

/** Nothing that asks a model ends within this time: the quickest recorded run of a CLI took 0.4 s only to start. */
const quickMs = 1000
/** Runs that may be that quick: a script that works off a short list is no slower for it. */
const free = 5
/** As often as a person could look. */
const longestWait = 60_000
/** Far beyond what reaches the longest wait. */
const mostDoublings = 30

export const crashBackoff = {
  free,
  isQuickEnd: (ms: number): boolean => ms < quickMs,
  /**
   * The least wait after so many runs in a row that ended at once: none for the first ones; then 1 s where they
   * succeed, and 1, 2, 4, … 60 s where they fail.
   */
  waitAfter(count: number, isFailure: boolean): number {
    if (count <= free) return 0
    if (!isFailure) return quickMs
    return Math.min(longestWait, quickMs * 2 ** Math.min(mostDoublings, count - free - 1))
  },
}
