/** A live session as a row, for people and as JSON: every command that lists sessions says the same of them. */

import { wakesOf } from '../../core/evidence/beside.ts'
import { describeState, explain, explainSinceLook, heldSince } from '../../core/explain/explain.ts'
import { oneLine, printable } from '../../core/text/printable.ts'
import type { IdleAfter, Instant, Printable } from '../../core.ts'
import { type Need, needOf, needsPerson } from '../../sessions/rank.ts'
import { ageOf } from '../../sessions/session-age.ts'
import { shortFolder } from '../../sessions/session-names.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import { jsonVerdict } from './print-verdict.ts'

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
  readonly folder: Printable
  readonly why: Printable
}

export function rowOf(live: LiveSession, now: Instant, home: string): Row {
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
    folder: printable(branch === undefined ? folder : `${folder} ${oneLine(branch, 100)}`),
    why: whyOf(live, now),
  }
}

/** How a turn ended that nobody has looked at yet. */
const ends: Readonly<Record<IdleAfter, string>> = {
  turn: 'done',
  interrupt: 'interrupted',
  error: 'failed',
  limit: 'limited',
}

/** The state in a few words: it distinguishes done from idle, and stuck from busy. */
function stateOf(live: LiveSession): string {
  const { state, health } = live.session.verdict
  const said = describeState(state)
  switch (needOf(live)) {
    case 'help':
      return `${health.level === 'confirmed_stuck' ? 'stuck' : 'stuck?'} (${said})`
    case 'look':
      return (state.kind === 'idle' && state.after && ends[state.after]) || `done (${said})`
    default:
      return said
  }
}

/** Why the verdict is what it is, behind what keeps it from being better known. */
function whyOf(live: LiveSession, now: Instant): Printable {
  const { note, hooks, drift } = live
  const notes = [
    note,
    hooks === 'blind' ? 'hook-blind: it went through a turn and none was heard' : undefined,
    drift &&
      `its version ${drift.version} is newer than the rules over its screens, which were checked on ${drift.checked}`,
  ]
  const noted = notes.filter(text => text !== undefined).map(text => `[${oneLine(text, 200)}] `)
  return printable(`${noted.join('')}${sentenceOf(live, now)}`)
}

/** The verdict as a sentence; without a duration where nobody knows since when. */
export function sentenceOf({ session, isSinceLook }: LiveSession, now: Instant): string {
  const { verdict, facts } = session
  return isSinceLook ? explainSinceLook(verdict, now, facts) : explain(verdict, now, facts)
}

/** `-` where lull sees it for the first time, `>3m` where it has been so for as long as it is looked at. */
function heldText({ session, isSinceLook }: LiveSession, now: Instant): string {
  const ms = now - heldSince(session.verdict)
  if (!isSinceLook) return shortAge(ms)
  return ms < 1000 ? '-' : `>${shortAge(ms)}`
}

/** `12s`, `3m`, `2h05m`, `4d`: a column is narrow, and is read at a glance. */
export function shortAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}m`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return `${hours}h${String(minutes % 60).padStart(2, '0')}m`
  return `${Math.floor(hours / 24)}d`
}

const inSeconds = (ms: number): number => Math.round(ms) / 1000

/**
 * A session as docs/cli.md describes it.
 * @param epoch ms since the epoch at the machine's monotonic 0
 */
export function jsonRow(live: LiveSession, now: Instant, epoch: number) {
  const { session, isSeen, isSinceLook, hooks, id, agent, pid, ...rest } = live
  const { name, cwd, branch, pane, tmux, terminal, transcript, status, note, drift } = rest
  const age = ageOf(live)
  return {
    id,
    agent,
    pid,
    ...known({ name, cwd, branch, pane, tmux, terminal, transcript, status, note }),
    ...(drift ? { drift } : {}),
    hooks,
    seen: isSeen,
    needsMe: needsPerson(live),
    need: needOf(live),
    ...jsonVerdict(session.verdict, epoch),
    ...(isSinceLook ? {} : { held: inSeconds(Math.max(0, now - heldSince(session.verdict))) }),
    ...(age === undefined ? {} : { age: inSeconds(age) }),
    ...besideOf(session, now),
    ...(session.facts.menu ? { menu: session.facts.menu } : {}),
    why: whyOf(live, now),
  }
}

/** What goes on beside the turn, and what will begin one; lists that hold something. */
function besideOf({ facts }: LiveSession['session'], now: Instant) {
  const { background = [] } = facts
  const wakes = wakesOf(facts, now).map(({ at, ...wake }) =>
    at === undefined ? wake : { ...wake, in: inSeconds(at - now) },
  )
  return { ...(background.length > 0 ? { background } : {}), ...(wakes.length > 0 ? { wakes } : {}) }
}

const known = (fields: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
