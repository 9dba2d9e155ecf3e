/** A verdict as a sentence for a tired person: what, since when, why. */

import type { Wake } from '../evidence/background.ts'
import { wakesOf } from '../evidence/beside.ts'
import type { Facts, Source } from '../evidence/signal.ts'
import type { Evidence, Verdict } from '../judge/verdict.ts'
import type { Doing, IdleAfter, Instant, State, WaitingFor } from '../state.ts'
import { formatDuration } from '../text/duration.ts'
import { oneLine } from '../text/printable.ts'
import { explainHealth } from './explain-health.ts'

/** Each word that a state may have, of what it does, what it waits for, and how the turn before it ended. */
export const doings: Readonly<Record<Doing, string>> = {
  thinking: 'the model is at it',
  streaming: 'the answer is being written',
  tool: 'a tool runs',
  compacting: 'the conversation is being compacted',
  background: 'background work goes on, the turn itself is over',
  retrying: 'the provider refused, it tries again',
  command: 'a command runs',
}

export const waits: Readonly<Record<WaitingFor, string>> = {
  permission: 'a permission',
  question: 'the answer to a question',
  plan: 'the approval of a plan',
  trust: 'the trust in a folder',
  login: 'a login',
  dialog: 'an answer to a dialog',
  password: 'a password',
  confirmation: 'a confirmation',
  keypress: 'a key',
  pager: 'its pager to be closed',
  editor: 'its editor to be closed',
  input: 'input',
}

export const ends: Readonly<Record<IdleAfter, string>> = {
  turn: 'the turn is finished',
  interrupt: 'the turn was interrupted',
  error: 'the turn ended in an error',
  limit: 'the turn ended at the provider’s limit',
}

const sources: Readonly<Record<Source, string>> = {
  hook: 'hook',
  transcript: 'transcript',
  rows: 'output row',
  status: 'status file',
  osc7501: 'program status',
  title: 'title',
  progress: 'progress code',
  paint: 'terminal',
  keys: 'keyboard',
  screen: 'screen',
  process: 'process',
  session: 'session',
}

/**
 * Explains a verdict in one or two sentences.
 * @param now the instant from which ages are counted, ms; the verdict's own time line
 * @param facts adds what is known besides (the tool, the question)
 */
export function explain(verdict: Verdict, now: Instant, facts: Facts = {}): string {
  const why = `${what(verdict.state, facts)} for ${age(now, heldSince(verdict))}: ${explainWhy(verdict, now)}`
  return `${why}.${afterwords(verdict, now, facts)}`
}

/** The same of what was so already when it was first looked at: since when is not known. */
export function explainSinceLook(verdict: Verdict, now: Instant, facts: Facts = {}): string {
  const [first, second] = verdict.because
  const after = second ? `, later than ${name(second)} ${agoAt(now, second)}` : ''
  const shown =
    first?.source === 'title' || first?.source === 'screen' ? `${name(first)} shows it${after}` : first?.what
  return `${inWords(verdict.state, facts)}: ${shown ?? 'nothing has been heard yet'}.${afterwords(verdict, now, facts)}`
}

function afterwords(verdict: Verdict, now: Instant, facts: Facts): string {
  const doubt = explainHealth(verdict, now)
  const { degraded, menu = '' } = facts
  const unread = degraded === undefined ? '' : ` Not all of it could be read: ${oneLine(degraded, 200)}.`
  const wakes = verdict.state.kind === 'idle' ? wakesOf(facts, now) : []
  const next = wakes.length === 0 ? '' : ` It will be woken: ${wakes.slice(0, 3).map(wakeWords).join(', ')}.`
  const opened = menu === '' ? '' : ` A menu stands open on its screen (${oneLine(menu, 60)}).`
  return `${doubt && ` ${doubt}`}${next}${opened}${unread}`
}

const wakeWords = ({ kind, what }: Wake): string =>
  what === undefined ? kind : `${kind} (${oneLine(what, 60)})`

/** The question of a waiting session. A permission without a question shows the argument of its tool. */
export function questionIn(state: State, { question, about }: Facts): string | undefined {
  if (state.kind !== 'waiting') return undefined
  return question ?? (state.for === 'permission' ? about : undefined)
}

/** The state, with the tool or the question as far as they are known: `Waiting for a permission (“make”)`. */
export const inWords = (state: State, facts: Facts): string => what(state, facts).replace(/,$/, '')

function what(state: State, facts: Facts): string {
  switch (state.kind) {
    case 'starting':
      return 'Starting'
    case 'working': {
      if (state.doing === undefined) return 'Working'
      const tool = state.doing === 'tool' && facts.tool ? ` (${oneLine(facts.tool, 40)})` : ''
      return `Working, ${doings[state.doing]}${tool},`
    }
    case 'waiting': {
      const question = state.for === 'dialog' ? undefined : questionIn(state, facts)
      return `Waiting for ${waits[state.for]}${question ? ` (“${oneLine(question, 60)}”)` : ''}`
    }
    case 'idle':
      return state.after ? `Idle, ${ends[state.after]},` : 'Idle'
    case 'exited':
      return state.signal ? `Gone, ended by ${state.signal},` : 'Gone'
    case 'unknown':
      return 'Unknown'
  }
}

/** The same as of no moment: nothing in it ages, so that it can stand beside an age that does. */
export const explainReason = (verdict: Verdict, facts: Facts = {}): string =>
  `${inWords(verdict.state, facts)}: ${explainWhy(verdict)}.`

/**
 * The evidence of a verdict in one clause.
 * @param now the instant from which its ages are counted; without it there are none
 */
export function explainWhy({ rule, because }: Verdict, now?: Instant): string {
  const [first, second] = because
  const ago = (evidence: Evidence): string => (now === undefined ? '' : ` ${agoAt(now, evidence)}`)
  const shows = (sign: Evidence): string =>
    now === undefined ? 'says so' : `has said so for ${age(now, instantOf(sign))}`
  if (rule === 'halted') return `it can’t go on${first ? `, whatever ${name(first)} said${ago(first)}` : ''}`
  if (!first) return 'nothing has been heard yet'
  switch (rule) {
    case 'exit':
    case 'nothing':
      return `${first.what}`
    case 'agreed':
      return `${name(first)} said so${ago(first)}${second ? `, ${name(second)} agrees` : ''}`
    case 'sign':
      return `${name(first)} ${shows(first)}, nothing else is known`
    case 'busier':
      return `${name(first)} shows it${second ? `, later than ${name(second)}${ago(second)}` : ''}`
    case 'overturned':
      return `${name(first)} ${shows(first)}${second ? `; the last news was ${name(second)}${ago(second)}` : ''}`
    case 'contradicted':
      return `${name(first)} said so${ago(first)}${second ? `; ${name(second)} says otherwise, but ${againstNews(first, second)}` : ''}`
    case 'doubt':
      if (second && first.type === 'sign' && first.tier !== 'inferred')
        return `${name(first)} and ${name(second)}${ago(second)} say different things, and either may be late`
      return `${second ? `${name(second)} speaks for idle, but ` : ''}${first.what}`
    case 'news':
      return `${name(first)} said so${ago(first)}`
  }
}

/** Why the second does not count: it is older, or its source is not yet proven. */
const againstNews = (first: Evidence, second: Evidence): string =>
  instantOf(second) > instantOf(first) ? 'is not believed alone' : 'it has not moved since'

/** The evidence's source and event: `the Stop hook`, `the status file (busy)`. */
function name(evidence: Evidence): string {
  const source = sources[evidence.source]
  const event = oneLine(evidence.what, 40)
  if (evidence.source === 'hook') return `the ${event} hook`
  if (evidence.source === 'session') return `the ${event}`
  return `the ${source} (${event})`
}

export const instantOf = (evidence: Evidence): Instant =>
  evidence.type === 'sign' ? evidence.since : evidence.at

/**
 * When the session entered its state. A sign carries the start of its state, even at the first look; the verdict's own
 * time is the time of that look. A sign that agrees with the news but started after it proves a different state in
 * between: a granted tool has run since the grant, not since the call.
 */
export function heldSince({ state, since, rule, because }: Verdict): Instant {
  const [evidence, second] = because
  if (evidence?.type === 'sign' && evidence.state.kind === state.kind) return Math.min(since, evidence.since)
  const isLater =
    rule === 'agreed' && second?.type === 'sign' && !second.isSinceLook && second.since > since + second.lag
  return isLater ? second.since : since
}

const age = (now: Instant, then: Instant): string => formatDuration(Math.max(0, now - then))

/** Nobody reads tenths of a second. */
const justNowMs = 100

function agoAt(now: Instant, evidence: Evidence): string {
  const ms = now - instantOf(evidence)
  return ms < justNowMs ? 'just now' : `${age(now, instantOf(evidence))} ago`
}

/** A piece of evidence on a line of its own, with its tier and age. */
export function explainEvidence(evidence: Evidence, now: Instant): string {
  const tier = evidence.type === 'sign' ? evidence.tier : evidence.type === 'news' ? 'news' : 'proven'
  const state = evidence.type === 'exit' ? 'exited' : describeState(evidence.state)
  return `${name(evidence)}: ${state} [${tier}, ${age(now, instantOf(evidence))} old]`
}

/** A state in a few words: `working/tool`, `waiting/permission`, `idle/interrupt`. */
export function describeState(state: State): string {
  const detail =
    state.kind === 'working'
      ? state.doing
      : state.kind === 'waiting'
        ? state.for
        : state.kind === 'idle'
          ? state.after
          : undefined
  return detail ? `${state.kind}/${detail}` : state.kind
}
