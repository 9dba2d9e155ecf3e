/**
 * `advance` files evidence, then asks `judge`. Everything here is a value: the same signals give the same bytes.
 */
import { auditSigns } from './evidence/audit.ts'
import { fileNews } from './evidence/file-event.ts'
import { fileHealth } from './evidence/file-health.ts'
import { fileSign } from './evidence/file-status.ts'
import type { Exit, FactSignal, Facts, HealthSignal, News, Sign, Signal, Source } from './evidence/signal.ts'
import { noTurns, openBySign, type Turns } from './evidence/turns.ts'
import { isUntoldTurn, judge } from './judge/judge.ts'
import { firstVerdict, type Verdict } from './judge/verdict.ts'
import type { Instant, Kind } from './state.ts'

/** A lane's latest news and the sources that said the same. */
export type Claim = { readonly news: News; readonly by: readonly Source[] }

/** A source's latest sign, and how far the source is trusted. */
export type Held = {
  readonly sign: Sign
  /** Moves in step with the news that it owes before it may call idle what the news call busy. */
  readonly debt: number
  /** It has contradicted the news for longer than it lawfully may: until the debt is paid it counts for nothing. */
  readonly late: boolean
  /** This very move of it has paid. */
  readonly paid: boolean
}

/** What the news alone say, and since when. */
export type Heard = { readonly kind: Kind; readonly since: Instant }

export type Session = {
  readonly now: Instant
  readonly turns: Turns
  readonly lanes: Readonly<Record<string, Claim>>
  readonly signs: Readonly<Record<string, Held>>
  /** What was told of its health, by owner. */
  readonly vitals: Readonly<Record<string, HealthSignal>>
  readonly heard: Heard
  readonly facts: Facts
  /** When the token counts last changed. */
  readonly tokensAt?: Instant
  readonly exit?: Exit
  /** The verdict as it stood before this instant: what `since` and the turn's number are measured against. */
  readonly before: Verdict
  readonly verdict: Verdict
  /** What was heard at this very instant, and the session as it was before: see `advance`. */
  readonly instant: { readonly base: Session; readonly heard: readonly Sourced[] } | undefined
}

type Sourced = Exclude<Signal, FactSignal>

/**
 * A session of which nothing is known yet.
 * @param at its first instant, ms
 */
export function newSession(at: Instant): Session {
  const verdict = firstVerdict(at)
  const heard: Heard = { kind: 'unknown', since: at }
  return {
    now: at,
    turns: noTurns,
    lanes: {},
    signs: {},
    vitals: {},
    heard,
    facts: {},
    before: verdict,
    verdict,
    instant: undefined,
  }
}

/** A session whose process was seen to start at `at`. */
export function startedSession(at: Instant): Session {
  const starting: News = {
    type: 'news',
    source: 'session',
    what: 'process start',
    lane: 'main',
    says: { kind: 'starting' },
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
      return current === session
        ? learn(session, signal.facts)
        : concluded(learn(current, signal.facts), undefined)
    case 'news':
    case 'sign':
    case 'exit':
    case 'health':
      return hear(current, signal)
    default:
      return concluded(current, current.instant)
  }
}

function nextInstant(session: Session, now: Instant): Session {
  const turns = isUntoldTurn(session, session.verdict)
    ? openBySign(session.turns, session.now)
    : session.turns
  const signs = auditSigns(session, now)
  return { ...session, now, turns, before: session.verdict, signs, instant: undefined }
}

const concluded = (session: Session, instant: Session['instant']): Session => ({
  ...session,
  instant,
  verdict: judge(session, session.now),
})

function learn(session: Session, facts: Facts): Session {
  const { tokensIn, tokensOut } = session.facts
  const moved = (facts.tokensIn ?? tokensIn) !== tokensIn || (facts.tokensOut ?? tokensOut) !== tokensOut
  return { ...session, facts: { ...session.facts, ...facts }, ...(moved ? { tokensAt: session.now } : {}) }
}

/** More signals of one instant than any session has: beyond it their order counts, so that a flood stays cheap. */
const mostAtOnce = 64

function hear(session: Session, signal: Sourced): Session {
  const { instant } = session
  if (!instant || instant.heard.length >= mostAtOnce)
    return concluded(file(session, signal), { base: session, heard: [signal] })
  const { base, heard: earlier } = instant
  const after = earlier.findLastIndex(other => other.source <= signal.source) + 1
  const heard = [...earlier.slice(0, after), signal, ...earlier.slice(after)]
  const isLast = after === earlier.length
  const filed = isLast ? file(session, signal) : { ...heard.reduce(file, base), ...learnt(session) }
  return concluded(filed, { base, heard })
}

/** Facts have no order of their own: what was learnt stays learnt. */
const learnt = ({ facts, tokensAt }: Session): Pick<Session, 'facts' | 'tokensAt'> =>
  tokensAt === undefined ? { facts } : { facts, tokensAt }

function file(session: Session, signal: Sourced): Session {
  switch (signal.type) {
    case 'news':
      return fileNews(session, signal.at > session.now ? { ...signal, at: session.now } : signal)
    case 'sign':
      return fileSign(session, signal.since > session.now ? { ...signal, since: session.now } : signal)
    case 'exit':
      return session.exit ? session : { ...session, exit: signal, vitals: {} }
    case 'health':
      return fileHealth(session, signal.since > session.now ? { ...signal, since: session.now } : signal)
  }
}
