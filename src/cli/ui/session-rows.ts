/** A live session as a row for people: the same for every command that lists sessions. */

import { wakesOf } from '../../core/evidence/beside.ts'
import { explainWhy, heldSince } from '../../core/explain/explain.ts'
import { explainHealth } from '../../core/explain/explain-health.ts'
import { type Need, stateWords } from '../../core/explain/need.ts'
import { oneLine, printable } from '../../core/text/printable.ts'
import type { Instant, Printable } from '../../core.ts'
import { resetIn } from '../../loop/limit-reset.ts'
import { zoneAt } from '../../loop/time-zone.ts'
import { needOf, needsPerson } from '../../sessions/rank.ts'
import { ageOf } from '../../sessions/session-age.ts'
import { whyOf } from '../../sessions/session-json.ts'
import { shortFolder, topicOf, whereOf } from '../../sessions/session-names.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import { ownWordsOf, reportedEnd, toolWords } from '../../sessions/turn-end.ts'
import { clockOf, dayOf, shortAge } from './clock-words.ts'

const longest = 200

/**
 * What a session does now, in few words: its tool, its question, its error. Not why.
 * @param epoch ms since the epoch at the machine's monotonic 0
 */
function nowWords(live: LiveSession, now: Instant, epoch: number): Printable {
  const { verdict, facts } = live.session
  const { menu = '' } = facts
  const { note = '' } = live
  const parts = [
    doing(live, now, epoch),
    explainHealth(verdict, now),
    menu && `menu open: ${menu}`,
    live.hooks === 'blind' ? 'hook-blind' : '',
    note,
  ]
  return printable(oneLine(parts.filter(part => part !== '').join(' · '), longest))
}

function doing({ session, note }: LiveSession, now: Instant, epoch: number): string {
  const { verdict, facts } = session
  const { state } = verdict
  const { question = '', error = '', message = '' } = ownWordsOf(session)
  switch (state.kind) {
    case 'starting':
      return ''
    case 'working':
      return working(session)
    case 'waiting':
      return [facts.tool, question || facts.about].filter(Boolean).join(': ')
    case 'idle': {
      if (reportedEnd(session) === 'limit')
        return [limitWords(session, now, epoch), error].filter(Boolean).join(' · ')
      const woken = wakesOf(facts, now).map(({ kind, what = '' }) => [kind, what].filter(Boolean).join(' '))
      const next = woken.length === 0 ? '' : `will be woken: ${woken.slice(0, 3).join(', ')}`
      return [next, error || message].filter(Boolean).join(' · ')
    }
    case 'exited': {
      const code = state.code === undefined ? '' : `code ${state.code}`
      return [state.signal === undefined ? code : `ended by ${state.signal}`, error]
        .filter(Boolean)
        .join(' · ')
    }
    case 'unknown':
      return note === undefined ? explainWhy(verdict, now) : ''
  }
}

function working({ verdict: { state }, facts }: LiveSession['session']): string {
  switch (state.kind === 'working' ? state.doing : undefined) {
    case 'tool':
      return toolWords(facts)
    case 'retrying':
      return facts.error ?? ''
    case 'background':
      return (facts.background ?? [])
        .map(({ kind, what = '' }) => [kind, what].filter(Boolean).join(' '))
        .join(', ')
    default:
      return ''
  }
}

/** `limit until 17:00`, in local time; empty where the end is unknown. */
function limitWords({ verdict, facts }: LiveSession['session'], now: Instant, epoch: number): string {
  const { limit, since } = verdict
  // A time in the error counts from when the error came.
  const failedAt = epoch + since
  const left = limit?.until === undefined ? resetIn(facts.error ?? '', failedAt, zoneAt(failedAt)) : undefined
  const until = limit?.until ?? (left === undefined ? undefined : since + left)
  if (until === undefined || until <= now) return ''
  const at = epoch + until
  const day = dayOf(at) === dayOf(epoch + now) ? '' : `${dayOf(at)} `
  return `limit until ${day}${clockOf(at).slice(0, 5)}`
}

export type Row = {
  readonly id: Printable
  readonly need: Need
  readonly needsMe: boolean
  /** `waiting/permission`, `done`, `stuck (working/tool)`. */
  readonly state: Printable
  /** For how long it has been in its state. */
  readonly held: string
  /** For how long its process has run; empty where that is not known. */
  readonly age: string
  readonly agent: Printable
  /** Its pane or terminal, and what it is about. */
  readonly where: Printable
  readonly topic: Printable
  readonly folder: Printable
  /** Of git; empty where there is none. */
  readonly branch: Printable
  /** Its tool, its question, its error. */
  readonly now: Printable
  /** Tokens in and out, the share of the context window, dollars; empty where unknown. */
  readonly tokens: string
  readonly context: string
  readonly cost: string
  readonly why: Printable
}

/** @param epoch ms since the epoch at the machine's monotonic 0 */
export function rowOf(live: LiveSession, now: Instant, home: string, epoch: number): Row {
  const { id, agent, name, cwd, branch } = live
  const folder = cwd === undefined ? '' : shortFolder(cwd, home)
  const age = ageOf(live)
  return {
    id: printable(id),
    need: needOf(live),
    needsMe: needsPerson(live),
    state: printable(stateOf(live)),
    held: heldText(live, now),
    age: age === undefined ? '' : shortAge(age),
    agent: printable(name === undefined ? agent : `${agent} ${name}`),
    where: printable(whereOf(live)),
    topic: printable(topicOf(live)),
    now: nowWords(live, now, epoch),
    ...spentOf(live),
    folder: printable(folder),
    branch: oneLine(branch ?? '', 100),
    why: whyOf(live, now),
  }
}

/** `12k/340` tokens, `34%` of the context window, `$1.20`. */
function spentOf({ session: { facts } }: LiveSession): Pick<Row, 'tokens' | 'context' | 'cost'> {
  const { tokensIn, tokensOut, context, cost } = facts
  const hasTokens = tokensIn !== undefined || tokensOut !== undefined
  return {
    tokens: hasTokens ? `${shortCount(tokensIn ?? 0)}/${shortCount(tokensOut ?? 0)}` : '',
    context: context === undefined ? '' : `${Math.round(context * 100)}%`,
    cost: cost === undefined || cost === 0 ? '' : `$${cost.toFixed(2)}`,
  }
}

/** `950`, `12k`, `1.2M`. */
function shortCount(count: number): string {
  if (count < 1000) return String(Math.round(count))
  const thousands = count / 1000
  if (thousands < 999.5) return `${thousands < 9.95 ? thousands.toFixed(1) : Math.round(thousands)}k`
  return `${(thousands / 1000).toFixed(1)}M`
}

/** `stateWords` of a live session. */
export const stateOf = (live: LiveSession): string =>
  stateWords(live.session.verdict.state, live.session.verdict.health.level, needOf(live))

/** `-` where lull sees it for the first time, `>3m` where it has been so for as long as it is looked at. */
export function heldText({ session, isSinceLook }: LiveSession, now: Instant): string {
  const ms = now - heldSince(session.verdict)
  if (!isSinceLook) return shortAge(ms)
  return ms < 1000 ? '-' : `>${shortAge(ms)}`
}
