/** Whether a session's last turn is over, how it ended, and whether anybody has looked since. */
import type { BackgroundKind } from '../core/evidence/background.ts'
import { kindsBeside } from '../core/evidence/beside.ts'
import type { Facts, News } from '../core/evidence/signal.ts'
import { questionIn } from '../core/explain/explain.ts'
import type { Session } from '../core/session.ts'
import type { IdleAfter } from '../core/state.ts'
import { errorWords } from '../core/text/error-words.ts'
import type { LiveSession } from './session-source.ts'

export type OwnWords = {
  /** What it asks, while it waits. */
  readonly question?: string
  /** Of what ended in one. */
  readonly error?: string
  /** Its last message, once the turn is over. */
  readonly message?: string
}

export function ownWordsOf(session: Session): OwnWords {
  const { state } = session.verdict
  const { error, finalMessage: message } = session.facts
  const question = questionIn(state, session.facts)
  const end = reportedEnd(session)
  const hasFailed = end === 'error' || end === 'limit' || state.kind === 'exited'
  return {
    ...(question ? { question } : {}),
    ...(error && hasFailed ? { error: errorWords(error) } : {}),
    ...(message && end === 'turn' ? { message } : {}),
  }
}

/** `Bash: npm test`: the tool and what it works on; empty where none is known. */
export const toolWords = ({ tool, about }: Facts): string =>
  [tool, about].filter(word => word !== undefined).join(': ')

/** Its turn is over, and what goes on is beside it (a command, a subagent). */
export const isInBackground = ({ verdict: { state, turnOver } }: Session): boolean =>
  state.kind === 'working' && state.doing === 'background' && turnOver

/** All that goes on is of kinds that somebody does not wait for; `true`: of any kind. */
export const isBesideOnly = (session: Session, ignored: boolean | readonly BackgroundKind[]): boolean =>
  isInBackground(session) &&
  (typeof ignored === 'boolean'
    ? ignored
    : kindsBeside(session)?.every(kind => ignored.includes(kind)) === true)

/** How the last turn ended, as far as any source reported it: background work hides it from the state, not from the news. */
export function reportedEnd({ verdict: { state }, lanes }: Session): IdleAfter | undefined {
  if (state.kind === 'idle') return state.after
  const reported = lanes.main?.news.state
  return reported?.kind === 'idle' ? reported.after : undefined
}

/** The same; a turn of which nothing came after its prompt, or after what it asked, was broken off, though nobody reports that. */
export const endOfTurn = (session: Session): IdleAfter | undefined =>
  reportedEnd(session) ?? (isBrokenOff(session) ? 'interrupt' : undefined)

/**
 * A sign shows idleness, and the latest report is the prompt itself (Claude Code writes nothing else if Esc takes a prompt back
 * before its first token, or if a hook refuses it), or what the agent asked (OpenCode's log has no line for a refusal), or that this
 * has gone from the screen. Reports that expire come from sources that never report an end (Gemini CLI's chat file), so their
 * silence proves nothing.
 */
const isBrokenOff = ({ verdict: { state, rule, because }, lanes }: Session): boolean =>
  state.kind === 'idle' &&
  (isDialogGone(lanes.main?.news) ||
    (rule === 'overturned' &&
      because.some(
        one =>
          one.type === 'news' &&
          one.hold === undefined &&
          (one.starts || (isAsked(one) && isLatest(one, lanes))),
      )))

/** All that the screen reports of a turn: track/granted.ts. */
const isDialogGone = (news: News | undefined): boolean =>
  news?.source === 'screen' && news.state.kind === 'working'

/** By itself: a subagent's question may be left behind by a turn that went on. */
const isAsked = ({ lane, state }: News): boolean =>
  lane.startsWith('ask:main:') && state.kind === 'waiting' && state.for !== 'dialog'

const isLatest = (news: News, { main }: Session['lanes']): boolean => (main?.news.at ?? -Infinity) <= news.at

/**
 * The turn is over and no person has seen it: "come and see" instead of "idle". While work goes on beside it, it is not done. A
 * turn that the person interrupted was looked at, and a session that has had no turn has done nothing.
 */
export function isUnseen({ session, isSeen }: LiveSession): boolean {
  const { verdict } = session
  if (isSeen || verdict.turn === 0) return false
  return verdict.state.kind === 'idle' && endOfTurn(session) !== 'interrupt'
}

/** It works on its turn, and not only beside one that is over. */
export const isInTurn = ({ verdict: { state, turnOver } }: Session): boolean =>
  state.kind === 'working' && !turnOver
