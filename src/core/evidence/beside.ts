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
  const beside = Object.values(session.lanes).filter(
    ({ news }) => isBeside(news) && session.now < expiry(session, news),
  )
  return beside.length === 0 ? undefined : beside.map(({ news }) => news.background ?? 'task')
}

const isBeside = ({ lane, state }: News): boolean =>
  state.kind === 'working' && (lane.startsWith('bg:') || lane.startsWith('sub:') || lane === 'wake')
