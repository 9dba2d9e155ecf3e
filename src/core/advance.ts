/**
 * `advance` files evidence, then asks `judge`. Everything here is a value: the same signals give the same bytes.
 */

import { auditSigns } from './evidence/audit.ts'
import { fileNews, newsAt, noteKind } from './evidence/file-event.ts'
import { fileSign, signAt } from './evidence/file-status.ts'
import { isOfPastDialog } from './evidence/lanes.ts'
import { forget, forgetPast, learn } from './evidence/learn-facts.ts'
import type { HealthSignal, News, Signal } from './evidence/signal.ts'
import { openBySign } from './evidence/turns.ts'
import { isTurnWithoutNews, judge } from './judge/judge.ts'
import {
  type Draft,
  type Filed,
  newSession,
  noHealth,
  type Session,
  type Sourced,
  type ThisInstant,
} from './session.ts'
import { type Instant, sameState } from './state.ts'

/** A session with a process that was seen to start at `at`. */
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
  const isLater = now > session.now
  if (!isLater && signal === undefined) return session
  const next: Draft = { ...session }
  if (isLater) beginInstant(next, now)
  const isMoot = isLater && isMootPaint(session, next, signal)
  switch (signal?.type) {
    case 'facts':
      learn(next, signal)
      if (isLater) break
      if (next.instant && next.facts !== session.facts) next.instant = { ...next.instant, hasNewFacts: true }
      return next
    case 'news':
    case 'sign':
    case 'exit':
    case 'health':
      fileInOrder(next, signal)
  }
  if (!isMoot) conclude(session, next)
  return next
}

/**
 * Half of all signals are paint that goes on. It only casts doubt on idleness: the verdict of a session that was at work
 * before this instant, too, stays as it is until its next recheck. What other signs contradict is judged again: which of
 * them does depends on the time.
 */
const isMootPaint = (session: Session, next: Session, signal: Signal | undefined): boolean =>
  session.verdict.state.kind === 'working' &&
  session.verdict.since === session.before.since &&
  next.now < (session.verdict.recheckAt ?? Infinity) &&
  next.signs === session.signs &&
  next.turns === session.turns &&
  isJudged(session) &&
  isPaint(signal) &&
  isPaint(session.signs.paint?.sign) &&
  (session.verdict.rule === 'agreed' || hasOnlyInferred(session.signs))

const isPaint = (signal: Signal | undefined): boolean =>
  signal?.type === 'sign' &&
  signal.source === 'paint' &&
  signal.tier === 'inferred' &&
  signal.excludes.length === 0

function hasOnlyInferred(signs: Session['signs']): boolean {
  for (const source in signs) if (signs[source]?.sign.tier !== 'inferred') return false
  return true
}

/** The verdict knows all that the session does. */
const isJudged = ({ instant }: Session): boolean => instant !== undefined && instant.hasNewFacts !== true

function beginInstant(session: Draft, now: Instant): void {
  const { verdict } = session
  session.signs = auditSigns(session, now)
  if (isTurnWithoutNews(session, verdict)) session.turns = openBySign(session.turns, session.now)
  session.now = now
  session.before = verdict
  session.instant = undefined
  // News that are held no longer say nothing any more: the next that say the same say it anew.
  if (verdict.recheckAt !== undefined && now >= verdict.recheckAt) noteKind(session, now)
}

function conclude(last: Session, next: Draft): void {
  const verdict = judge(next, next.now)
  // How a turn ended, and with which words, belongs to that turn.
  if (verdict.turn !== next.verdict.turn) forget(next, 'finalMessage', 'error')
  const isTidy = isJudged(last) && next.facts === last.facts && sameState(verdict.state, last.verdict.state)
  if (!isTidy) forgetPast(next, verdict.state)
  next.verdict = verdict
}

/** More signals of one instant than any session has: beyond it their order counts, so that a flood stays cheap. */
const mostAtOnce = 64

/** Files a signal before others of the same instant, if its order requires that: all of them are filed again. */
function fileInOrder(session: Draft, signal: Sourced): void {
  const one = settled(signal, session.now)
  const { instant } = session
  if (!instant || instant.signals.length >= mostAtOnce) {
    session.instant = instantOf(session, [one])
    file(session, one)
    return
  }
  const earlier = instant.signals
  const after = earlier.findLastIndex(other => other.source <= one.source) + 1
  const signals = earlier.toSpliced(after, 0, one)
  session.instant = instantOf(instant, signals)
  file(session, one)
  if (after === earlier.length) return
  // Facts have no order of their own: what was learnt stays learnt.
  const { facts } = session
  restore(session, instant)
  for (const each of signals) file(session, each)
  session.facts = facts
}

const instantOf = (filed: Filed, signals: readonly Sourced[]): ThisInstant => ({
  turns: filed.turns,
  lanes: filed.lanes,
  pastDialogs: filed.pastDialogs,
  signs: filed.signs,
  healthByOwner: filed.healthByOwner,
  kindByNews: filed.kindByNews,
  presses: filed.presses,
  answers: filed.answers,
  exit: filed.exit,
  verdict: filed.verdict,
  signals,
})

function restore(session: Draft, filed: Filed): void {
  session.turns = filed.turns
  session.lanes = filed.lanes
  session.pastDialogs = filed.pastDialogs
  session.signs = filed.signs
  session.healthByOwner = filed.healthByOwner
  session.kindByNews = filed.kindByNews
  session.presses = filed.presses
  session.answers = filed.answers
  session.exit = filed.exit
  session.verdict = filed.verdict
}

/** The signal as it is kept: not ahead of the session's time, and of one shape. */
function settled(signal: Sourced, now: Instant): Sourced {
  switch (signal.type) {
    case 'news':
      return newsAt(signal, now)
    case 'sign':
      return signAt(signal, now)
    case 'exit':
      return signal
    case 'health':
      return signal.since > now ? { ...signal, since: now } : signal
  }
}

function file(session: Draft, signal: Sourced): void {
  switch (signal.type) {
    case 'news': {
      const { count } = session.turns
      if (signal.state.kind === 'waiting' && !session.lanes[signal.lane] && !isOfPastDialog(session, signal))
        forget(session, 'question')
      fileNews(session, signal)
      if (session.turns.count !== count) forget(session, 'error')
      break
    }
    case 'sign':
      fileSign(session, signal)
      break
    case 'exit':
      if (session.exit) break
      session.exit = signal
      session.healthByOwner = noHealth
      break
    case 'health':
      fileHealth(session, signal)
  }
}

/** More parts than any session is watched in. A new part replaces the one with the oldest last report. */
const mostOwners = 32

function fileHealth(session: Draft, signal: HealthSignal): void {
  const { [signal.owner]: old, ...others } = session.healthByOwner
  if (session.exit || (old && signal.seen < old.seen)) return
  if (signal.alive) session.healthByOwner = { ...bounded(others), [signal.owner]: signal }
  else if (old) session.healthByOwner = others
}

function bounded(healthByOwner: Session['healthByOwner']): Session['healthByOwner'] {
  const owners = Object.keys(healthByOwner)
  if (owners.length < mostOwners) return healthByOwner
  const seen = (owner: string): Instant => healthByOwner[owner]?.seen ?? 0
  const oldest = owners.reduce((a, b) => (seen(b) < seen(a) || (seen(b) === seen(a) && b < a) ? b : a))
  const { [oldest]: _, ...kept } = healthByOwner
  return kept
}
