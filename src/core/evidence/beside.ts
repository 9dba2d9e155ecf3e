/** What goes on beside a session's turn now, and what will begin one: read from what was filed. */
import type { Session } from '../session.ts'
import type { Instant } from '../state.ts'
import type { BackgroundKind, Wake } from './background.ts'
import { expiry } from './lanes.ts'
import type { Facts, News } from './signal.ts'

/** What will wake a session, from now on. */
export function wakesOf({ wakes = [], goal = '' }: Facts, now: Instant): readonly Wake[] {
  const due = wakes.filter(({ at = Infinity }) => at > now)
  return goal === '' ? due : [...due, { kind: 'goal', what: goal }]
}

/** The kinds of work beside the turn now; undefined where only a status shows that there is some. */
export function kindsBeside(session: Session): readonly BackgroundKind[] | undefined {
  const beside = newsBeside(session).filter(news => session.now < expiry(session, news))
  return beside.length === 0 ? undefined : beside.map(({ background }) => background ?? 'task')
}

/** A wake is pending for so long after its time: the slowest turn that began by itself took 6 s. ms */
const lateWakeMs = 15_000

/**
 * From when on nothing goes on beside the turn and no wake is pending, if no source reports anything else: background work that
 * counts as none goes on, too. Infinity where a report must come first.
 */
export function nothingBesideFrom(session: Session): Instant {
  const { background = [], wakes = [], goal = '' } = session.facts
  if (background.length > 0 || goal !== '') return Infinity
  return Math.max(
    ...wakes.map(({ at = Infinity }) => at + lateWakeMs),
    ...newsBeside(session).map(news => expiry(session, news)),
  )
}

const newsBeside = ({ lanes }: Session): readonly News[] =>
  Object.values(lanes).flatMap(({ news }) => (isBeside(news) ? [news] : []))

const isBeside = ({ lane, state }: News): boolean =>
  state.kind === 'working' && (lane.startsWith('bg:') || lane.startsWith('sub:') || lane === 'wake')
