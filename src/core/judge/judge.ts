/**
 * The rule: the heaviest live lane, and what the living signs do to it. It is asymmetric on purpose. A sign may call a
 * session busier than the news as soon as it had time to notice them; it may call it idle only if it changed after them.
 */

import { type Best, expiry, heaviestLane } from '../evidence/lanes.ts'
import { type News, type Sign, tierRank } from '../evidence/signal.ts'
import type { Session, TrackedStatus } from '../session.ts'
import { type Instant, type Kind, type State, sameState, weight } from '../state.ts'
import { confidence } from './confidence.ts'
import { judgeHealth } from './judge-health.ts'
import type { Evidence, Rule, Verdict } from './verdict.ts'

/** Programs finish their drawing after a turn: Gemini for 3 s, Copilot's banner for 3.3 s. Longer paint is work. */
const paintTailMs = 5000
/** Paint that begins this long after the evidence of idleness belongs to something new. */
const paintNewMs = 2000

type Ruling = {
  readonly state: State
  readonly rule: Rule
  readonly because: readonly Evidence[]
  readonly recheckAt: Instant
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** Judges a session at an instant that is not before its own. Pure: the session is not changed. */
export function judge(session: Session, now: Instant): Verdict {
  const ruling = session.exit ? exited(session) : rule(session, now)
  const { state, because } = ruling
  const before = verdictBefore(session, now)
  const { health, by, recheckAt } = judgeHealth(session, state, now)
  const verdict: Mutable<Verdict> = {
    state,
    health,
    confidence: confidence[ruling.rule],
    turn: session.turns.count,
    turnOver: isTurnOver(session, ruling, now),
    since: sameState(before.state, state) ? before.since : now,
    rule: ruling.rule,
    because,
  }
  if (by) verdict.healthBy = by
  if (isTurnWithoutNews(session, verdict)) verdict.turn++
  const news = because.find(evidence => evidence.type === 'news')
  if (state.kind === 'idle' && news?.asks) verdict.asks = true
  if (news?.limit && news.says.kind === state.kind) verdict.limit = news.limit
  const due = Math.min(ruling.recheckAt, recheckAt)
  if (due < Infinity) verdict.recheckAt = due
  return verdict
}

/** Work after a finished turn of whose start no news came: only signs tell of it. */
export function isTurnWithoutNews({ before, turns }: Session, verdict: Verdict): boolean {
  if (verdict.state.kind !== 'working' || verdict.turnOver || verdict.rule === 'news') return false
  return before.turnOver && turns.count === before.turn && turns.lastStart < verdict.since
}

function exited(session: Session): Ruling {
  const exit = session.exit as NonNullable<Session['exit']>
  const state: State = {
    kind: 'exited',
    ...(exit.code === undefined ? {} : { code: exit.code }),
    ...(exit.signal === undefined ? {} : { signal: exit.signal }),
  }
  return { state, rule: 'exit', because: [exit], recheckAt: Infinity }
}

function rule(session: Session, now: Instant): Ruling {
  const best = heaviestLane(session, now)
  const signs = rankedSigns(session, now, best.recheckAt)
  const ruled = applySigns(best, signs.held, now, signs.recheckAt, isUp(session, best, now))
  return doubtIdle(session, asBackground(session, best, ruled), now)
}

/** The verdict that stood before this instant. */
const verdictBefore = (session: Session, now: Instant): Verdict =>
  now > session.now ? session.verdict : session.before

/** A program that was seen to be up does not start again, even where the sign that showed it is gone. */
function isUp(session: Session, { news }: Best, now: Instant): boolean {
  const before = verdictBefore(session, now)
  return news?.says.kind === 'starting' && before.state.kind !== 'starting' && before.since > news.at
}

/** Living signs that may decide, the highest tier first, of equal ones the newest. */
function rankedSigns(
  session: Session,
  now: Instant,
  recheckAt: Instant,
): { held: TrackedStatus[]; recheckAt: Instant } {
  const held: TrackedStatus[] = []
  let recheck = recheckAt
  for (const source in session.signs) {
    const next = session.signs[source] as TrackedStatus
    const { sign } = next
    if (!sign.alive || sign.says.kind === 'unknown' || sign.tier === 'inferred') continue
    if (sign.hold !== undefined) {
      if (now >= sign.seen + sign.hold) continue
      recheck = Math.min(recheck, sign.seen + sign.hold)
    }
    held.push(next)
  }
  if (held.length > 1) held.sort(byRank)
  return { held, recheckAt: recheck }
}

function byRank(a: TrackedStatus, b: TrackedStatus): number {
  const tier = tierRank[b.sign.tier] - tierRank[a.sign.tier]
  if (tier !== 0) return tier
  if (a.sign.since !== b.sign.since) return b.sign.since - a.sign.since
  return a.sign.source < b.sign.source ? -1 : 1
}

function applySigns(
  best: Best,
  signs: readonly TrackedStatus[],
  now: Instant,
  recheck: Instant,
  isUp: boolean,
): Ruling {
  const { news, newest } = best
  const kind: Kind = news?.says.kind ?? 'unknown'
  let recheckAt = recheck
  let against: Sign | undefined
  for (const held of signs) {
    const { sign } = held
    if (sign.says.kind === kind) continue
    const due = dueAt(best, held, signs, isUp)
    if (now >= due) {
      const rule: Rule = !news ? 'sign' : weight[sign.says.kind] > weight[kind] ? 'busier' : 'overturned'
      return { state: sign.says, rule, because: news ? [sign, news] : [sign], recheckAt }
    }
    recheckAt = Math.min(recheckAt, due)
    if (now > newest + sign.lag) against ??= sign
  }
  if (!news) return { state: { kind: 'unknown' }, rule: 'nothing', because: [], recheckAt }
  if (isUp) return { state: { kind: 'unknown' }, rule: 'doubt', because: [news], recheckAt }
  const behind = signs.find(held => !held.onProbation && held.sign.says.kind === kind)?.sign
  if (behind) return { state: merge(news, behind), rule: 'agreed', because: [news, behind], recheckAt }
  if (against) return { state: news.says, rule: 'contradicted', because: [news, against], recheckAt }
  return { state: news.says, rule: 'news', because: [news], recheckAt }
}

/** From when on a sign that says something else than the news is to be believed; never, where it may not be. */
function dueAt(
  best: Best,
  { sign, onProbation, stepsOwed }: TrackedStatus,
  signs: readonly TrackedStatus[],
  isUp: boolean,
): Instant {
  const { news, newest } = best
  if (!news) return sign.excludes.length > 0 || sign.says.kind !== 'idle' ? sign.since : Infinity
  const { kind } = news.says
  if (kind === 'starting') return sign.since + (isUp || sign.says.kind !== 'idle' ? 0 : (sign.settles ?? 0))
  if (onProbation || (sign.says.kind === 'idle' && news.outlasts?.includes(sign.source))) return Infinity
  const moved = sign.since > newest
  if (weight[sign.says.kind] > weight[kind]) {
    return moved || news.allows?.includes(sign.says.kind) ? sign.since : newest + sign.lag + 1
  }
  if (!moved || !sign.excludes.includes(kind) || (stepsOwed > 0 && sign.says.kind === 'idle')) return Infinity
  return whenAlone(sign, kind, signs)
}

/** Another sign that goes on siding with the news holds up the one that would overturn them for its own lag. */
function whenAlone(sign: Sign, kind: Kind, signs: readonly TrackedStatus[]): Instant {
  let alone = sign.since
  for (const { sign: other, onProbation } of signs) {
    if (onProbation || other.says.kind !== kind) continue
    alone = Math.max(alone, Math.max(other.seen, sign.since) + other.lag)
  }
  return alone
}

/** Of two claims of one kind, the details that only one of them knows. */
function merge(news: News, sign: Sign): State {
  const { says } = news
  if (says.kind === 'waiting' && says.for === 'dialog') return sign.says
  if (says.kind === 'idle' && says.after === undefined) return sign.says
  if (says.kind === 'working' && sign.says.kind === 'working' && sign.says.doing !== undefined) {
    return says.doing === undefined || sign.since > news.at ? sign.says : says
  }
  return says
}

/** What a subagent does once the turn is over is background work, whatever it is to the subagent. */
function asBackground(session: Session, { news }: Best, ruling: Ruling): Ruling {
  const isApart = news?.lane.startsWith('sub:') && !session.turns.open
  if (!isApart || ruling.state.kind !== 'working' || ruling.because[0] !== news) return ruling
  return { ...ruling, state: { kind: 'working', doing: 'background' } }
}

/** Paint that goes on, and Enter, contradict every idleness, but cannot say what it is instead. */
function doubtIdle(session: Session, ruling: Ruling, now: Instant): Ruling {
  if (ruling.state.kind !== 'idle') return ruling
  const evidence = ruling.because[0] as News | Sign
  const from = evidence.type === 'news' ? evidence.at : evidence.since
  let { recheckAt } = ruling
  for (const sign of [session.signs.keys?.sign, session.signs.paint?.sign]) {
    if (sign?.hold === undefined || now >= doubtUntil(sign, evidence)) continue
    const due = doubtDue(sign, from)
    if (now >= due) {
      return {
        state: { kind: 'unknown' },
        rule: 'doubt',
        because: [sign, evidence],
        recheckAt: Math.min(recheckAt, doubtUntil(sign, evidence)),
      }
    }
    recheckAt = Math.min(recheckAt, due)
  }
  return recheckAt === ruling.recheckAt ? ruling : { ...ruling, recheckAt }
}

/**
 * That a program has started says nothing of it any more once its terminal moved: such a doubt has no end. Any other ends
 * when the movement does.
 */
function doubtUntil(sign: Sign, evidence: News | Sign): Instant {
  const isStart = evidence.type === 'news' && evidence.onlyFrom !== undefined
  return isStart ? Infinity : sign.seen + (sign.hold ?? 0)
}

function doubtDue(sign: Sign, from: Instant): Instant {
  if (sign.source === 'keys') return sign.since > from ? sign.since : Infinity
  return sign.since > from + paintNewMs ? sign.since : from + paintTailMs
}

function isTurnOver(session: Session, ruling: Ruling, now: Instant): boolean {
  const { state, rule } = ruling
  if (state.kind === 'idle' || state.kind === 'exited') return true
  if (state.kind === 'working' && state.doing === 'background') return true
  if (state.kind === 'working' && state.doing === 'retrying') return false
  if (session.turns.open || session.turns.count === 0) return false
  if (state.kind === 'unknown') return rule === 'doubt' && session.before.turnOver
  const queue = session.lanes.queue
  if (queue && now < expiry(session, queue.news)) return false
  return rule !== 'busier' && rule !== 'sign'
}
