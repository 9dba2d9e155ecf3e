/**
 * `advance` files evidence, then asks `judge`. Everything here is a value: the same signals give the same bytes.
 */

import { auditSigns } from './evidence/audit.ts'
import { fileNews, noteKind } from './evidence/file-event.ts'
import { fileSign } from './evidence/file-status.ts'
import { factsIn, learn, without } from './evidence/learn-facts.ts'
import type { Facts, HealthSignal, News, Signal } from './evidence/signal.ts'
import { openBySign } from './evidence/turns.ts'
import { isTurnWithoutNews, judge } from './judge/judge.ts'
import { newSession, type Session, type Sourced } from './session.ts'
import type { Instant } from './state.ts'

/** A session whose process was seen to start at `at`. */
export function startedSession(at: Instant): Session {
  const starting: News = {
    type: 'news',
    source: 'session',
    what: 'process start',
    lane: 'main',
    state: { kind: 'starting' },
    at,
    seen: at,
  }
  return { ...advance(newSession(at), at, starting), instant: undefined }
}

/**
 * Takes a signal, or a due recheck, and returns the next session with its verdict. Signals of one instant are filed in
 * the order of their sources' names, whichever came first, so that the order of arrival changes nothing.
 * @param now ms; an instant before the session's own counts as the session's (time never runs back)
 * @param signal none for a recheck
 */
export function advance(session: Session, now: Instant, signal?: Signal): Session {
  const current = now > session.now ? nextInstant(session, now) : session
  if (signal === undefined) return current === session ? session : concluded(current, current.instant)
  switch (signal.type) {
    case 'facts':
      return current === session ? learn(session, signal) : concluded(learn(current, signal), undefined)
    case 'news':
    case 'sign':
    case 'exit':
    case 'health':
      return fileInOrder(current, signal)
    default:
      return concluded(current, current.instant)
  }
}

function nextInstant(session: Session, now: Instant): Session {
  const turns = isTurnWithoutNews(session, session.verdict)
    ? openBySign(session.turns, session.now)
    : session.turns
  const signs = auditSigns(session, now)
  const next = { ...session, now, turns, before: session.verdict, signs, instant: undefined }
  // News that are held no longer say nothing any more: the next that say the same say it anew.
  const { recheckAt = Infinity } = session.verdict
  return now < recheckAt ? next : noteKind(next, { at: now })
}

const factsOfTurn = ['finalMessage', 'error'] as const

function concluded(session: Session, instant: Session['instant']): Session {
  const verdict = judge(session, session.now)
  // How a turn ended, and with which words, belongs to that turn.
  const isSameTurn = verdict.turn === session.verdict.turn
  const ofTurn = isSameTurn ? session.facts : without(session.facts, factsOfTurn)
  return { ...session, facts: factsIn(verdict.state, ofTurn), instant, verdict }
}

const opensDialog = ({ lanes }: Session, { state: says, lane }: News): boolean =>
  says.kind === 'waiting' && lanes[lane] === undefined

/** More signals of one instant than any session has: beyond it their order counts, so that a flood stays cheap. */
const mostAtOnce = 64

/** A signal whose place is before others of its instant is filed there: all of them are filed anew. */
function fileInOrder(session: Session, signal: Sourced): Session {
  const { instant } = session
  if (!instant || instant.signals.length >= mostAtOnce)
    return concluded(file(session, signal), { base: session, signals: [signal] })
  const { base, signals: earlier } = instant
  const after = earlier.findLastIndex(other => other.source <= signal.source) + 1
  const next = file(session, signal)
  if (after === earlier.length) return concluded(next, { base, signals: [...earlier, signal] })
  const signals = earlier.toSpliced(after, 0, signal)
  // Facts have no order of their own: what was learnt stays learnt.
  const { facts, tokensAt, toolAt, promptAt } = next
  return concluded({ ...signals.reduce(file, base), facts, tokensAt, toolAt, promptAt }, { base, signals })
}

const forgetting = (session: Session, field: keyof Facts): Session => ({
  ...session,
  facts: without(session.facts, [field]),
})

function file(session: Session, signal: Sourced): Session {
  switch (signal.type) {
    case 'news': {
      const told = opensDialog(session, signal) ? forgetting(session, 'question') : session
      const filed = fileNews(told, signal.at > session.now ? { ...signal, at: session.now } : signal)
      return filed.turns.count === session.turns.count ? filed : forgetting(filed, 'error')
    }
    case 'sign':
      return fileSign(session, signal.since > session.now ? { ...signal, since: session.now } : signal)
    case 'exit':
      return session.exit ? session : { ...session, exit: signal, healthByOwner: {} }
    case 'health':
      return fileHealth(session, signal.since > session.now ? { ...signal, since: session.now } : signal)
  }
}

/** More parts than any session is watched in. The one whose last report is the oldest makes room. */
const mostOwners = 32

function fileHealth(session: Session, signal: HealthSignal): Session {
  const { [signal.owner]: old, ...others } = session.healthByOwner
  if (session.exit || (old && signal.seen < old.seen)) return session
  if (!signal.alive) return old ? { ...session, healthByOwner: others } : session
  return { ...session, healthByOwner: { ...bounded(others), [signal.owner]: signal } }
}

function bounded(healthByOwner: Session['healthByOwner']): Session['healthByOwner'] {
  const owners = Object.keys(healthByOwner)
  if (owners.length < mostOwners) return healthByOwner
  const seen = (owner: string): Instant => healthByOwner[owner]?.seen ?? 0
  const oldest = owners.reduce((a, b) => (seen(b) < seen(a) || (seen(b) === seen(a) && b < a) ? b : a))
  const { [oldest]: _, ...kept } = healthByOwner
  return kept
}
