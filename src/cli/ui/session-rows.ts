/** A live session as a row, for people and as JSON: every command that lists sessions says the same of them. */

import { describeState, explain, type IdleAfter, type Instant, oneLine } from '../../core.ts'
import { heldSince, type Need, needOf, needsPerson } from '../../sessions/rank.ts'
import { ageOf } from '../../sessions/session-age.ts'
import { shortFolder } from '../../sessions/session-names.ts'
import type { LiveSession } from '../../sessions/session-source.ts'
import { printable } from './cells.ts'
import { jsonVerdict } from './print-verdict.ts'

export type Row = {
  readonly id: string
  readonly need: Need
  readonly needsMe: boolean
  /** `waiting/permission`, `done`, `stuck (working/tool)`. */
  readonly state: string
  /** For how long it has been in its state. */
  readonly held: string
  /** For how long its process has run; empty where that is not known. */
  readonly age: string
  readonly agent: string
  readonly folder: string
  readonly why: string
}

export function rowOf(live: LiveSession, now: Instant, home: string): Row {
  const { id, agent, name, cwd, branch, session } = live
  const folder = cwd === undefined ? '' : shortFolder(cwd, home)
  const age = ageOf(live)
  return {
    id,
    need: needOf(live),
    needsMe: needsPerson(live),
    state: stateOf(live),
    held: shortAge(now - heldSince(session.verdict)),
    age: age === undefined ? '' : shortAge(age),
    agent: name === undefined ? agent : printable(`${agent} ${name}`),
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
function whyOf({ note, hooks, session }: LiveSession, now: Instant): string {
  const notes = [
    note,
    hooks === 'blind' ? 'hook-blind: it went through a turn and none was heard' : undefined,
  ]
  const noted = notes.filter(text => text !== undefined).map(text => `[${oneLine(text, 200)}] `)
  return printable(`${noted.join('')}${explain(session.verdict, now, session.facts)}`)
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
  const { session, isSeen, hooks, id, agent, pid, ...rest } = live
  const { name, cwd, branch, pane, tmux, transcript, status, note } = rest
  const age = ageOf(live)
  return {
    id,
    agent,
    pid,
    ...known({ name, cwd, branch, pane, tmux, transcript, status, note }),
    hooks,
    seen: isSeen,
    needsMe: needsPerson(live),
    need: needOf(live),
    ...jsonVerdict(session.verdict, epoch),
    held: inSeconds(Math.max(0, now - heldSince(session.verdict))),
    ...(age === undefined ? {} : { age: inSeconds(age) }),
    why: whyOf(live, now),
  }
}

const known = (fields: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
