/** Names of terminals that were closed: what else is called so is not meant all at once by who goes on sending to it. */
import type { Clock } from '../core/clock.ts'
import { LullError } from '../core/lull-error.ts'
import { formatDuration } from '../core/text/duration.ts'
import { keptNameMs } from './terminal-name.ts'

export type ClosedName = { readonly name: string; readonly closedAt: number }

export type ClosedNames = {
  add(name: string): void
  /** It is opened anew, or given up. */
  forget(name: string): void
  /** Those that are kept: names, and when each was closed, ms since the epoch. */
  list(): readonly ClosedName[]
  /** @throws {LullError} NO_SESSION where it is the name of one that was closed a while ago */
  check(name: string): void
  /** How long it is until none is kept any more: ms. */
  keptFor(): number
}

/** @param before names that are kept of another server's */
export function closedNames(
  clock: Pick<Clock, 'now' | 'wall'>,
  before: readonly ClosedName[] = [],
): ClosedNames {
  /** When each was closed: of the monotonic clock, and ms since the epoch. */
  const closed = new Map<string, { readonly at: number; readonly wall: number }>()
  for (const { name, closedAt } of before)
    closed.set(name, { at: clock.now() - (clock.wall() - closedAt), wall: closedAt })
  const leftOf = (at: number): number => Math.max(0, at + keptNameMs - clock.now())
  return {
    add(name) {
      for (const [other, { at }] of closed) if (leftOf(at) === 0) closed.delete(other)
      closed.set(name, { at: clock.now(), wall: clock.wall() })
    },
    forget: name => void closed.delete(name),
    list: () =>
      [...closed].flatMap(([name, { at, wall }]) => (leftOf(at) === 0 ? [] : { name, closedAt: wall })),
    check(name) {
      const { at, wall } = closed.get(name) ?? { at: -Infinity, wall: 0 }
      if (leftOf(at) === 0) return
      const ago = formatDuration(clock.now() - at)
      throw new LullError('NO_SESSION', `the terminal ${name} was closed ${ago} ago`, {
        address: name,
        closedAt: wall,
      })
    },
    keptFor: () => Math.max(0, ...[...closed.values()].map(({ at }) => leftOf(at))),
  }
}
