/** What the rules make of the sessions as they are now, if nobody had been told of anything. */
import type { Instant } from '../core/state.ts'
import type { LiveSession } from '../sessions/session-source.ts'
import { notifySighting } from './occasion.ts'
import type { NotifyRules } from './rules/notify-rules.ts'
import { duesOf } from './step/due-step.ts'

export type Preview = {
  readonly to: string
  readonly session: string
  readonly title: string
  /** ms until it is due; 0 where it is. */
  readonly in: number
  readonly isUrgent: boolean
}

export const previewOf = (
  { rules }: NotifyRules,
  sessions: readonly LiveSession[],
  now: Instant,
  home: string,
): readonly Preview[] =>
  sessions
    .flatMap(live => {
      const sighting = notifySighting(live, home)
      const { who, what } = sighting.subject
      return duesOf(sighting, rules).map(({ to, at, isUrgent }) => ({
        to,
        session: live.id,
        title: `${who}: ${what}`,
        in: Math.max(0, at - now),
        isUrgent,
      }))
    })
    .sort((a, b) => a.in - b.in)
