/**
 * The wall clock of the host, as its beats tell it. A beat arrives late, never early: the earliest is the nearest to the truth. One
 * that is far behind came over a line that delays, or from a host whose clock was set: an answer to a question of one's own shows
 * which. Pure.
 */

/** Without an epoch nothing is known yet. */
export type HostClock = {
  /** ms since the epoch at this page's 0. */
  readonly epoch?: number
  /** How far what came last lies behind it. ms */
  readonly behind: number
}

/** A beat comes each second. What is further behind than this is not shown as current. ms */
export const mostBehind = 2500
/** A clock that was set by less makes ages wrong by less than they show. ms */
const leastSet = 1500

/** @param hostTime of a beat, ms since the epoch; `now`: of this page */
export function beatStep({ epoch }: HostClock, hostTime: number, now: number): HostClock {
  const reported = hostTime - now
  if (epoch === undefined || reported > epoch) return { epoch: reported, behind: 0 }
  return { epoch, behind: epoch - reported }
}

/** @param hostTime in an answer to a question of `askedAt`: it can't be from before that */
export function answerStep(clock: HostClock, hostTime: number, askedAt: number): HostClock {
  const latest = hostTime - askedAt
  const { epoch } = clock
  if (epoch === undefined || latest > epoch - leastSet) return clock
  // Even if it had been sent at once, the host's clock would be behind: it was set.
  return { epoch: latest, behind: 0 }
}
