/**
 * The rule: the heaviest live lane, and what the living signs do to it. It is asymmetric on purpose. A sign may call a
 * session busier than the news as soon as it had time to notice them; it may call it idle only if it changed after them.
 */

import { isResting } from '../evidence/background.ts'
import { type Best, expiry, heaviestLane } from '../evidence/lanes.ts'
import { latestMs, unanswered } from '../evidence/presses.ts'
import type { News, Sign, Source } from '../evidence/signal.ts'
import type { Session, TrackedStatus } from '../session.ts'
import { type Instant, type Kind, type State, sameState, weight } from '../state.ts'
import { beliefIn } from './confidence.ts'
import { isMayBeUp, lateWorkUntil, uncertainFrom } from './either-late.ts'
import { judgeHealth } from './judge-health.ts'
import { agreeing, isOutdated, rankedSigns, whyUnknown } from './living-signs.ts'
import { dueAt, endShownDue, lateIdleDue } from './sign-due.ts'
import type { Evidence, Rule, Verdict } from './verdict.ts'

/** Programs finish their drawing after a turn: Gemini for 3 s, Copilot's banner for 3.3 s. Longer paint is work. */
const paintTailMs = 5000
/** The slowest source that shows idle on a terminal takes 0.4 s to show work (docs/research/agents.md#latency). */
const briefestDoubtMs = 500
/** How long idleness is in doubt after Enter where the sources of turns are silent: a command of the CLI's own, or a dead source. */
const silentMs = 60_000
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
  const ruled = session.exit ? exited(session) : rule(session, now)
  const { health, by, recheckAt } = judgeHealth(session, ruled.state, now)
  const ruling: Ruling = by?.isHalted ? { ...ruled, state: { kind: 'unknown' }, rule: 'halted' } : ruled
  const { state, because } = ruling
  const before = verdictBefore(session, now)
  const news = because.find(evidence => evidence.type === 'news')
  const { confidence, until } = beliefIn(ruling, session.presses.length > 0, now)
  const verdict: Mutable<Verdict> = {
    state,
    health,
    confidence,
    turn: session.turns.count,
    turnOver: isTurnOver(session, ruled, now),
    since: sameState(before.state, state) ? before.since : now,
    rule: ruling.rule,
    because,
  }
  if (by) verdict.healthBy = by
  if (isTurnWithoutNews(session, verdict)) verdict.turn++
  if (state.kind === 'idle' && news?.asks) verdict.asks = true
  if (news?.limit && news.state.kind === state.kind) verdict.limit = news.limit
  const due = Math.min(ruling.recheckAt, recheckAt, until)
  if (due < Infinity) verdict.recheckAt = due
  return verdict
}

/** Work after a finished turn without news of a start: only signs show it. */
export function isTurnWithoutNews({ before, turns }: Session, verdict: Verdict): boolean {
  if (verdict.state.kind !== 'working' || verdict.turnOver || verdict.rule === 'news') return false
  if (!before.turnOver || turns.count !== before.turn || turns.lastStart >= verdict.since) return false
  return verdict.because.some(isWorkSign) && !isReportedLate(verdict, before)
}

/** News from before that turn's end are not of another turn, though a sign of idleness brings them up again. */
const isWorkSign = (one: Verdict['because'][number]): boolean =>
  one.type === 'sign' && one.state.kind === 'working'

/**
 * Its start was reported after a sign had shown its end, and the signs that agree are from before that: it is the same turn,
 * and its end is still to be reported. So it is where a new Claude Code's transcript is found after a short first turn.
 */
const isReportedLate = ({ because }: Verdict, { since }: Verdict): boolean =>
  because.some(one => one.type === 'news' && one.seen > since) &&
  because.every(one => one.type !== 'sign' || one.since <= since)

const plainExit: State = { kind: 'exited' }

function stateAfter({ code, signal }: NonNullable<Session['exit']>): State {
  if (code === undefined && signal === undefined) return plainExit
  return {
    kind: 'exited',
    ...(code === undefined ? {} : { code }),
    ...(signal === undefined ? {} : { signal }),
  }
}

function exited(session: Session): Ruling {
  const exit = session.exit as NonNullable<Session['exit']>
  return { state: stateAfter(exit), rule: 'exit', because: [exit], recheckAt: Infinity }
}

function rule(session: Session, now: Instant): Ruling {
  const best = heaviestLane(session, now)
  const signs = rankedSigns(session, best, now)
  // A status shows that something runs, but not what: a known server is no work.
  const resting = isResting(session.facts.background)
    ? signs.held.filter(one => !isBackground(one.sign.state))
    : signs.held
  const menuUntil = menuShownUntil(session)
  const held = now < menuUntil ? resting.filter(one => !isDialog(one.sign.state)) : resting
  const recheckAt = held.length < resting.length ? Math.min(signs.recheckAt, menuUntil) : signs.recheckAt
  const ruled = applySigns(session, best, besideTurn(held), now, recheckAt)
  return doubtIdle(session, asBackground(session, best, ruled), now)
}

/** Idleness is the turn's. Where another sign shows work beside the turn, that is what the session does. */
const besideTurn = (signs: readonly TrackedStatus[]): readonly TrackedStatus[] =>
  signs.some(one => isBackground(one.sign.state) && !one.onProbation)
    ? signs.filter(one => one.sign.state.kind !== 'idle')
    : signs

const isBackground = (state: State): boolean => state.kind === 'working' && state.doing === 'background'

/**
 * Some tell of a menu as they tell of a dialog (Claude Code's status file). Between turns a menu that the screen shows blocks
 * nothing, for as long as the screen is known.
 */
function menuShownUntil({ facts: { menu = '' }, signs, turns }: Session): Instant {
  const screen = signs.screen?.sign
  if (menu === '' || turns.open || screen?.state.kind !== 'unknown') return -Infinity
  return screen.seen + (screen.hold ?? 0)
}

const isDialog = (state: State): boolean => state.kind === 'waiting' && state.for === 'dialog'

/** The verdict that stood before this instant. */
const verdictBefore = (session: Session, now: Instant): Verdict =>
  now > session.now ? session.verdict : session.before

/** A program that was seen to be up does not start again, even where the sign that showed it is gone. */
function isUp(session: Session, { news }: Best, now: Instant): boolean {
  const before = verdictBefore(session, now)
  const { state, rule, since } = before
  if (news?.state.kind !== 'starting' || state.kind === 'starting') return false
  return rule !== 'halted' && !isMayBeUp(before) && since > news.at
}

function applySigns(
  session: Session,
  best: Best,
  signs: readonly TrackedStatus[],
  now: Instant,
  recheck: Instant,
): Ruling {
  const { news, newest } = best
  const kind: Kind = news?.state.kind ?? 'unknown'
  const isRunning = isUp(session, best, now)
  const endFrom = endShownDue(best, signs)
  let recheckAt = recheck
  let against: Sign | undefined
  let either: readonly Evidence[] | undefined
  for (const held of signs) {
    const { sign } = held
    if (sign.state.kind === kind || isOutdated(sign, signs)) continue
    const due = Math.min(
      sign.state.kind === 'idle' ? endFrom : Infinity,
      Math.max(dueAt(best, held, signs, isRunning), lateIdleDue(session, held, kind)),
    )
    const lateUntil = news ? lateWorkUntil(session, sign, news) : -Infinity
    if (now >= due && now >= lateUntil) {
      const rule: Rule = !news ? 'sign' : weight[sign.state.kind] > weight[kind] ? 'busier' : 'overturned'
      const state = named(sign.state, signs, sign.source)
      return { state, rule, because: news ? [sign, news] : [sign], recheckAt }
    }
    const eitherFrom = Math.min(due, uncertainFrom(session, held, best))
    recheckAt = Math.min(recheckAt, now < eitherFrom ? eitherFrom : now < due ? due : lateUntil)
    if (news && now >= eitherFrom) either ??= [sign, news]
    if (now > newest + sign.lag) against ??= sign
  }
  if (either) return { state: { kind: 'unknown' }, rule: 'doubt', because: either, recheckAt }
  if (!news) return { state: { kind: 'unknown' }, rule: 'nothing', because: whyUnknown(session), recheckAt }
  if (isRunning) return { state: { kind: 'unknown' }, rule: 'doubt', because: [news], recheckAt }
  const behind = agreeing(news, signs)
  if (behind)
    return { state: named(merge(news, behind), signs), rule: 'agreed', because: [news, behind], recheckAt }
  if (against) return { state: news.state, rule: 'contradicted', because: [news, against], recheckAt }
  return { state: news.state, rule: 'news', because: [news], recheckAt }
}

/** A dialog of some kind, as the sign calls it that knows of which. */
function named(state: State, signs: readonly TrackedStatus[], by?: Source): State {
  if (state.kind !== 'waiting') return state
  // By this protocol Claude Code calls all that it asks a permission, also whether a folder is trusted.
  const isAnyDialog = state.for === 'dialog' || (by === 'osc7501' && state.for === 'permission')
  if (!isAnyDialog) return state
  const specific = signs.find(
    ({ sign }) => sign.source !== by && sign.state.kind === 'waiting' && sign.state.for !== 'dialog',
  )
  return specific?.sign.state ?? state
}

/** Of two claims of one kind, the details that only one of them knows. */
function merge(news: News, sign: Sign): State {
  const { state } = news
  if (state.kind === 'waiting' && state.for === 'dialog') return sign.state
  if (state.kind === 'idle' && state.after === undefined) return sign.state
  if (state.kind === 'working' && sign.state.kind === 'working' && sign.state.doing !== undefined) {
    return state.doing === undefined || sign.since > news.at ? sign.state : state
  }
  return state
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
  const open = unansweredBefore(session, evidence)
  const from = evidence.type === 'news' ? evidence.at : evidence.since
  let { recheckAt } = ruling
  for (const sign of [session.signs.keys?.sign, session.signs.paint?.sign]) {
    if (sign?.hold === undefined) continue
    const isOpen = open !== undefined && sign.source === 'keys'
    const until = doubtUntil(session, sign, ruling, isOpen)
    if (now >= until) continue
    const due = isOpen ? from : doubtDue(sign, from)
    if (now >= due) {
      return {
        state: { kind: 'unknown' },
        rule: 'doubt',
        because: [sign, evidence],
        recheckAt: Math.min(recheckAt, until),
      }
    }
    recheckAt = Math.min(recheckAt, due)
  }
  return recheckAt === ruling.recheckAt ? ruling : { ...ruling, recheckAt }
}

/** An end without a stamp may be late: an Enter before it that its source has not answered may have begun the next turn. */
function unansweredBefore(session: Session, evidence: News | Sign): Instant | undefined {
  if (evidence.type === 'sign') return unanswered(session, evidence.source, evidence.since)
  return evidence.at === evidence.seen ? unanswered(session, evidence.source, evidence.at) : undefined
}

/**
 * The start of a program is no evidence once its terminal moved: such a doubt has no end. Any other ends
 * when the movement does.
 */
function doubtUntil(session: Session, sign: Sign, { because }: Ruling, isOpen: boolean): Instant {
  const [evidence] = because
  const isStart = evidence?.type === 'news' && evidence.onlyFrom !== undefined
  if (isStart) return Infinity
  return sign.seen + (sign.source === 'keys' ? enterDoubt(session, sign, because, isOpen) : (sign.hold ?? 0))
}

/**
 * How long Enter casts doubt. What calls the session idle called it busy after an earlier Enter: twice that time. Where
 * no living sign is idle, and earlier turns were reported, their source may be gone: for a minute. So it is where the terminal
 * does not draw the text that Enter handed in: its `hold` is as long then (terminal/paint.ts). `isOpen`: the source of
 * the end lives, and has not answered Enter yet: for as long as it may be late.
 */
function enterDoubt(
  { answers, turns }: Session,
  { hold = 0 }: Sign,
  because: readonly Evidence[],
  isOpen: boolean,
): number {
  if (hold >= silentMs) return hold
  const shown = because.find(evidence => evidence.type === 'sign' && evidence.state.kind === 'idle')
  const { took } = (shown && answers[shown.source]) ?? {}
  if (took !== undefined) return Math.min(Math.max(2 * took, briefestDoubtMs), latestMs)
  if (isOpen) return latestMs
  return shown || turns.count === 0 ? hold : Math.max(hold, silentMs)
}

function doubtDue(sign: Sign, from: Instant): Instant {
  if (sign.source === 'keys') return sign.since > from ? sign.since : Infinity
  return sign.since > from + paintNewMs ? sign.since : from + paintTailMs
}

function isTurnOver(session: Session, ruling: Ruling, now: Instant): boolean {
  const { state, rule } = ruling
  if (state.kind === 'idle' || state.kind === 'exited') return true
  if (isBackground(state)) return true
  if (state.kind === 'working' && state.doing === 'retrying') return false
  if (session.turns.open || session.turns.count === 0) return false
  if (state.kind === 'unknown') return rule === 'doubt' && session.before.turnOver
  const queue = session.lanes.queue
  if (queue && now < expiry(session, queue.news)) return false
  return rule !== 'busier' && rule !== 'sign'
}
