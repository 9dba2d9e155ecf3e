/**
 * `advance` files evidence, then asks `judge`. Everything here is a value: the same signals give the same bytes.
 */
import { auditSigns } from './evidence/audit.ts'
import { fileNews, noteKind } from './evidence/file-event.ts'
import { fileHealth } from './evidence/file-health.ts'
import { fileSign } from './evidence/file-status.ts'
import type { Facts, News, Signal } from './evidence/signal.ts'
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

function concluded(session: Session, instant: Session['instant']): Session {
  const verdict = judge(session, session.now)
  const ofTurn = verdict.turn === session.verdict.turn ? session.facts : withoutEnd(session.facts)
  const facts = verdict.state.kind === 'waiting' ? ofTurn : withoutQuestion(ofTurn)
  return { ...session, facts, instant, verdict }
}

/** How a turn ended, and with which words, belongs to that turn. */
function withoutEnd(facts: Facts): Facts {
  const { finalMessage: _, error: __, ...rest } = facts
  return rest
}

/** A question's text belongs to its dialog: it is answered, or another one opens. */
function withoutQuestion(facts: Facts): Facts {
  if (facts.question === undefined) return facts
  const { question: _, ...rest } = facts
  return rest
}

const opensDialog = ({ lanes }: Session, { says, lane }: News): boolean =>
  says.kind === 'waiting' && lanes[lane] === undefined

function learn(session: Session, facts: Facts): Session {
  const { tokensIn, tokensOut } = session.facts
  const moved = (facts.tokensIn ?? tokensIn) !== tokensIn || (facts.tokensOut ?? tokensOut) !== tokensOut
  // Of two sources that tell of one dialog the fuller stands: OpenCode's log has the parts of the command.
  const { question } = session.facts
  const held = facts.question?.split('\n').every(part => question?.includes(part))
  const told = held ? { ...facts, question: session.facts.question as string } : facts
  return { ...session, facts: { ...session.facts, ...told }, ...(moved ? { tokensAt: session.now } : {}) }
}

/** More signals of one instant than any session has: beyond it their order counts, so that a flood stays cheap. */
const mostAtOnce = 64

/** A signal whose place is before others of its instant is filed there: all of them are filed anew. */
function fileInOrder(session: Session, signal: Sourced): Session {
  const { instant } = session
  if (!instant || instant.signals.length >= mostAtOnce)
    return concluded(file(session, signal), { base: session, signals: [signal] })
  const { base, signals: earlier } = instant
  const after = earlier.findLastIndex(other => other.source <= signal.source) + 1
  const signals = [...earlier.slice(0, after), signal, ...earlier.slice(after)]
  const next = file(session, signal)
  const isLast = after === earlier.length
  const filed = isLast ? next : { ...signals.reduce(file, base), ...learnt(next) }
  return concluded(filed, { base, signals })
}

/** Facts have no order of their own: what was learnt stays learnt. */
const learnt = ({ facts, tokensAt }: Session): Pick<Session, 'facts' | 'tokensAt'> =>
  tokensAt === undefined ? { facts } : { facts, tokensAt }

function file(session: Session, signal: Sourced): Session {
  switch (signal.type) {
    case 'news': {
      const told = opensDialog(session, signal)
        ? { ...session, facts: withoutQuestion(session.facts) }
        : session
      return fileNews(told, signal.at > session.now ? { ...signal, at: session.now } : signal)
    }
    case 'sign':
      return fileSign(session, signal.since > session.now ? { ...signal, since: session.now } : signal)
    case 'exit':
      return session.exit ? session : { ...session, exit: signal, healthByOwner: {} }
    case 'health':
      return fileHealth(session, signal.since > session.now ? { ...signal, since: session.now } : signal)
  }
}
