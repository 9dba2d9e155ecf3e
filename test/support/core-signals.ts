/** Signals and sessions for tests of the core: as little as a test has to say of them. Times are ms. */
import type { News, Sign, Source } from '../../src/core/evidence/signal.ts'
import { newSession, type Session, type TrackedStatus } from '../../src/core/session.ts'
import type { Kind, State } from '../../src/core/state.ts'

const stateOf = (kind: Kind): State =>
  kind === 'waiting' ? { kind, for: 'permission' } : ({ kind } as State)

export const sign = (source: Source, kind: Kind, since: number, more: Partial<Sign> = {}): Sign => ({
  type: 'sign',
  source,
  what: kind,
  state: stateOf(kind),
  excludes: [],
  tier: 'declared',
  lag: 500,
  since,
  seen: since,
  alive: true,
  ...more,
})

export const tracked = (one: Sign, more: Partial<TrackedStatus> = {}): TrackedStatus => ({
  sign: one,
  stepsOwed: 1,
  onProbation: false,
  isCounted: false,
  busySince: undefined,
  ...more,
})

export const news = (kind: Kind, at: number, more: Partial<News> = {}): News => ({
  type: 'news',
  source: 'hook',
  what: 'event',
  lane: 'main',
  state: stateOf(kind),
  at,
  seen: at,
  ...more,
})

/** A session that heard one piece of news, and knows these signs. */
export const sessionOf = (
  claim: News | undefined,
  statuses: readonly TrackedStatus[] = [],
  by: readonly Source[] = ['hook'],
): Session => ({
  ...newSession(0),
  ...(claim && {
    lanes: { [claim.lane]: { news: claim, by } },
    kindByNews: { kind: claim.state.kind, since: claim.at },
  }),
  signs: Object.fromEntries(statuses.map(one => [one.sign.source, one])),
})
