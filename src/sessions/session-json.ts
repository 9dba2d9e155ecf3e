/** A session as JSON: the one form that every command and the API print (docs/session.schema.json). */
import { defined } from '../core/defined.ts'
import { wakesOf } from '../core/evidence/beside.ts'
import { explain, explainReason, explainSinceLook, heldSince } from '../core/explain/explain.ts'
import { explanationOf } from '../core/explain/explanation.ts'
import type { Session } from '../core/session.ts'
import type { Instant } from '../core/state.ts'
import { oneLine, type Printable, printable } from '../core/text/printable.ts'
import { jsonEvidence, jsonState, jsonVerdict, timeOf } from '../shapes/verdict-json.ts'
import { needOf, needsPerson } from './rank.ts'
import { ageOf } from './session-age.ts'
import type { LiveSession } from './session-source.ts'
import { isSettled } from './settled.ts'
import { ownWordsOf } from './turn-end.ts'

const inSeconds = (ms: number): number => Math.round(ms) / 1000

/**
 * A session as docs/cli.md describes it.
 * @param epoch ms since the epoch at the machine's monotonic 0
 */
export function jsonRow(live: LiveSession, now: Instant, epoch: number) {
  const { session, isSeen, isSinceLook, isKept, hooks, id, agent, pid, ...rest } = live
  const { host, name, cwd, branch, pane, tmux, place, window, terminal, title } = rest
  const { transcript, status, note, drift, recording } = rest
  const age = ageOf(live)
  return {
    id,
    agent,
    pid,
    ...defined({ host, name, cwd, branch, pane, tmux, place, window, terminal, title }),
    ...defined({ transcript, status, note, recording }),
    ...(drift ? { drift } : {}),
    hooks,
    seen: isSeen,
    needsMe: needsPerson(live),
    need: needOf(live),
    ...defined({ kept: isKept }),
    settled: isSettled(live, now),
    ...jsonVerdict(session.verdict, epoch),
    ...(isSinceLook ? {} : { held: inSeconds(Math.max(0, now - heldSince(session.verdict))) }),
    ...(age === undefined ? {} : { age: inSeconds(age) }),
    ...besideOf(session, now, epoch),
    ...factsOf(live),
    why: whyOf(live, now),
  }
}

/**
 * The fields that a list of sessions shows. It has instants, no ages: it stays the same until something changes.
 * @param epoch ms since the epoch at the machine's monotonic 0
 */
export function thinRow(live: LiveSession, now: Instant, epoch: number) {
  const { session, isSeen, isSinceLook, isKept, id, agent, pid } = live
  const { host, name, cwd, branch, pane, place, window, terminal, title, note, recording } = live
  const { tool, about, prompt, menu } = session.facts
  return {
    id,
    agent,
    pid,
    ...defined({ host, name, cwd, branch, pane, place, window, terminal, title, note, recording }),
    seen: isSeen,
    needsMe: needsPerson(live),
    need: needOf(live),
    ...defined({ kept: isKept }),
    settled: isSettled(live, now),
    ...jsonState(session.verdict, epoch),
    ...(isSinceLook ? { sinceLook: true } : {}),
    ...defined({ tool, about, prompt, ...ownWordsOf(session), menu: menu || undefined }),
  }
}

/** What goes on beside the turn, and what will begin one; lists that hold something. */
function besideOf({ facts }: LiveSession['session'], now: Instant, epoch: number) {
  const { background = [] } = facts
  const wakes = wakesOf(facts, now).map(({ at, ...wake }) =>
    at === undefined ? wake : { ...wake, at: timeOf(at, epoch), in: inSeconds(at - now) },
  )
  return { ...(background.length > 0 ? { background } : {}), ...(wakes.length > 0 ? { wakes } : {}) }
}

/** Facts besides the verdict. A tool is given where it runs or asks, an error where the turn ended in one. */
function factsOf({ session }: LiveSession) {
  const { tool, about, prompt, model, version, tokensIn, tokensOut, context, cost, menu } = session.facts
  return {
    ...defined({ tool, about, prompt, ...ownWordsOf(session), model, version }),
    ...defined({ tokensIn, tokensOut, context, cost, menu: menu || undefined }),
  }
}

/** Why the verdict is what it is, behind what keeps it from being better known. */
export const whyOf = (live: LiveSession, now: Instant): Printable => noted(live, sentenceOf(live, now))

/** The same without an age, for who shows one that goes on. */
export const reasonOf = (live: LiveSession, now: Instant): Printable =>
  noted(
    live,
    live.isSinceLook ? sentenceOf(live, now) : explainReason(live.session.verdict, live.session.facts),
  )

function noted({ note, hooks, drift }: LiveSession, sentence: string): Printable {
  const notes = [
    note,
    hooks === 'blind' ? 'hook-blind: a turn passed without a hook' : undefined,
    drift &&
      `its version ${drift.version} is newer than the rules over its screens, which were checked on ${drift.checked}`,
  ]
  const shown = notes.filter(text => text !== undefined).map(text => `[${oneLine(text, 200)}] `)
  return printable(`${shown.join('')}${sentence}`)
}

/** The verdict as a sentence; without a duration where nobody knows since when. */
export function sentenceOf({ session, isSinceLook }: LiveSession, now: Instant): string {
  const { verdict, facts } = session
  return isSinceLook ? explainSinceLook(verdict, now, facts) : explain(verdict, now, facts)
}

/** Beside the verdict's own fields; instants as they are there. */
export function jsonExplanation(session: Session, now: number, epoch: number | undefined, isFollowed = true) {
  const { sentence, evidence, wouldChange, idleConfidence } = explanationOf(session, now, isFollowed)
  return {
    sentence,
    idleConfidence,
    evidence: evidence.map(({ evidence, used, note }) => ({
      ...jsonEvidence(evidence, epoch),
      used,
      ...(note ? { note } : {}),
    })),
    wouldChange,
    facts: jsonFacts(session, epoch),
  }
}

function jsonFacts({ facts }: Session, epoch: number | undefined) {
  const wakes = facts.wakes?.map(({ at, ...wake }) =>
    at === undefined ? wake : { ...wake, at: timeOf(at, epoch) },
  )
  return wakes === undefined ? facts : { ...facts, wakes }
}
