/** The detector's verdict on a session, reduced to what is worth a notification. No rule of its own about states. */

import path from 'node:path'
import { inWords } from '../core/explain/explain.ts'
import { redact } from '../core/redact/redact.ts'
import type { Session } from '../core/session.ts'
import type { Instant } from '../core/state.ts'
import { oneLine } from '../core/text/printable.ts'
import { mayPass } from '../sessions/passing-wait.ts'
import { needOf } from '../sessions/rank.ts'
import { shortFolder } from '../sessions/session-names.ts'
import type { LiveSession } from '../sessions/session-source.ts'
import { endOfTurn, ownWordsOf, toolWords } from '../sessions/turn-end.ts'
import type { NotifyRules } from './rules/notify-fields.ts'
import { duesOf } from './step/gather-step.ts'
import type { NotifySighting, Occasion, Subject } from './step/notify-state.ts'

export type Preview = {
  readonly to: string
  readonly session: string
  readonly title: string
  /** ms until it is due; 0 where it is. */
  readonly in: number
  readonly isUrgent: boolean
}

/** What the rules would send about the sessions as they are now. */
export const previewOf = (
  { rules }: NotifyRules,
  sessions: readonly LiveSession[],
  now: Instant,
  home: string,
): readonly Preview[] =>
  sessions
    .flatMap(live => {
      const sighting = notifySighting(live, home)
      const { who, what } = sighting.subject
      return duesOf(sighting, rules).map(({ to, at, isUrgent }) => ({
        to,
        session: live.id,
        title: `${who}: ${what}`,
        in: Math.max(0, at - now),
        isUrgent,
      }))
    })
    .sort((a, b) => a.in - b.in)

export const notifySighting = (live: LiveSession, home: string): NotifySighting => {
  const occasion = occasionOf(live)
  return {
    subject: subjectOf(live, occasion, home),
    ...(occasion ? { occasion } : {}),
    ...(isUnclear(live) ? { isUnclear: true } : {}),
    ...(live.isSinceLook ? { isSinceLook: true } : {}),
  }
}

/** A host that has just begun to look knows of many no more than that they have started. */
const isUnclear = ({ session: { verdict } }: LiveSession): boolean =>
  verdict.state.kind === 'unknown' || verdict.state.kind === 'starting'

/** Undefined where nobody is needed; another user's sessions are that user's. */
function occasionOf(live: LiveSession): Occasion | undefined {
  if (live.owner !== undefined) return undefined
  const { verdict } = live.session
  const { state, since, healthBy } = verdict
  // Whoever left it open before nobody is away.
  switch (needOf(live.isSeenByFocus ? { ...live, isSeen: false } : live)) {
    case 'gone':
      return { is: 'exited', since }
    case 'answer':
      return {
        is: 'waiting',
        since,
        ...(state.kind === 'waiting' ? { for: state.for } : {}),
        ...(mayPass(live.session) ? { mayPass: true } : {}),
      }
    case 'help':
      return { is: 'stuck', since: Math.max(since, healthBy?.since ?? since) }
    case 'look': {
      const end = endOfTurn(live.session)
      const is = end === 'error' ? 'failed' : end === 'limit' ? 'limited' : 'done'
      return { is, since, turn: verdict.turn, ...lastedOf(live.session) }
    }
    default:
      return undefined
  }
}

/** Unknown for a turn with an unseen beginning. */
function lastedOf({ turns: { lastStart, lastEnd } }: Session): { readonly lasted?: number } {
  const lasted = lastEnd - lastStart
  return lastStart > Number.MIN_SAFE_INTEGER && lasted >= 0 ? { lasted } : {}
}

/** Of a question or a message so much is shown: what fits on a lock screen, and a little more. */
const longestQuote = 300
const longestFolder = 200

function subjectOf(live: LiveSession, occasion: Occasion | undefined, home: string): Subject {
  const { agent, name, cwd, branch, id, place, terminal, session } = live
  const folder = cwd === undefined ? undefined : oneLine(shortFolder(cwd, home), longestFolder)
  // Another one may be in the same folder.
  const folderName = cwd === undefined ? id : path.basename(cwd)
  const called = name ?? [folderName, terminal ?? place].filter(Boolean).join(' ')
  const quote = quoteOf(session, occasion)
  return {
    agent: oneLine(agent, 40),
    ...(name === undefined ? {} : { name: oneLine(name, 60) }),
    ...(cwd === undefined ? {} : { cwd }),
    who: `${oneLine(agent, 40)} ${oneLine(called, 60)}`,
    what: whatOf(session, occasion),
    ...(folder === undefined
      ? {}
      : { place: branch === undefined ? folder : `${folder} ${oneLine(branch, 60)}` }),
    ...(quote === undefined || quote === '' ? {} : { quote }),
    // Without a terminal to go to, `explain` shows what is known.
    go: `lull ${live.pane === undefined && live.terminal === undefined ? 'explain' : 'go'} ${id}`,
  }
}

function whatOf({ verdict: { state, asks } }: Session, occasion: Occasion | undefined): string {
  switch (occasion?.is) {
    case 'stuck':
      return `stuck (${lowerFirst(inWords(state, {}))})`
    case 'failed':
      return 'failed: the turn ended in an error'
    case 'limited':
      return 'at the provider’s limit'
    case 'done':
      return asks ? 'done, and asks' : 'done'
    default:
      return lowerFirst(inWords(state, {}))
  }
}

/** It leaves the machine: what looks like a secret does not. */
function quoteOf(session: Session, occasion: Occasion | undefined): string | undefined {
  const { question, error, message = session.facts.finalMessage } = ownWordsOf(session)
  const quote = {
    waiting: question,
    stuck: toolWords(session.facts) || undefined,
    failed: error,
    limited: error,
    done: message,
    exited: undefined,
  }[occasion?.is ?? 'exited']
  return quote === undefined ? undefined : oneLine(redact(quote.slice(0, 4 * longestQuote)), longestQuote)
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
