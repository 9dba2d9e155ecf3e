/**
 * Which changes of sessions are kept: a change in, entries out. That a look could tell nothing for a moment is no change; and what a
 * host that begins finds as it was left is no news. Pure.
 */
import type { Instant } from '../../core/state.ts'
import type { Entry } from '../../history/entry.ts'
import { mayPass, passedAt } from '../passing-wait.ts'
import type { LiveChange, LiveSession } from '../session-source.ts'
import { entryOf, hasMoreWords, isSamePast, type PastState, stateKind, withWordsOf } from './session-past.ts'

/** A session as it was kept last. */
export type KeptSession = {
  readonly past: PastState
  readonly at: number
  readonly agent: string
  readonly cwd?: string
}

export type PastStepState = {
  readonly kept: ReadonlyMap<string, KeptSession>
  /** Unknown, or starting, since then: kept once that has lasted. */
  readonly unsettled: ReadonlyMap<string, Entry>
  /** They wait, and that may pass at once: kept once it has not. */
  readonly passing: ReadonlyMap<string, LiveSession>
}

export const newPast = (kept: PastStepState['kept']): PastStepState => ({
  kept,
  unsettled: new Map(),
  passing: new Map(),
})

/** Shorter than that, they tell nobody anything: ms. */
const unsettledMs = 10_000
const isUnsettled = ({ state }: PastState): boolean => state === 'unknown' || state === 'starting'
/** Of a session that is found again since when may be read a little otherwise: ms. */
const foundAgainMs = 5000

/** `time`: a wait that is held back has not passed. */
export type PastInput = LiveChange | { readonly type: 'time' }

/** `epoch`, and when the machine was started: ms since the epoch. */
export type PastMoment = { readonly now: number; readonly epoch: number; readonly bootedAt: number }

/** `faults`: sessions that can't be read as they are, and why. The others are kept. */
type PastStep = {
  readonly state: PastStepState
  readonly entries: readonly Entry[]
  readonly faults?: readonly PastFault[]
}
type PastFault = { readonly session: string; readonly why: string }

/** When a wait that is held back is to be kept; Infinity where none is. */
export const nextKept = ({ passing }: PastStepState): Instant =>
  Math.min(...[...passing.values()].map(({ session }) => passedAt(session)))

export function keepChange(state: PastStepState, change: PastInput, moment: PastMoment): PastStep {
  switch (change.type) {
    case 'time':
      return keepSessions({ state, entries: [] }, [...state.passing.values()], moment, false)
    case 'gone': {
      const { kept, unsettled, passing } = state
      const left = kept.get(change.id)
      const isUnreported = left !== undefined && left.past.state !== 'exited' && change.shownAs === undefined
      return {
        state: {
          kept: without(kept, change.id),
          unsettled: without(unsettled, change.id),
          passing: without(passing, change.id),
        },
        entries: isUnreported ? [goneEntry(change, left, moment)] : [],
      }
    }
    case 'changed':
      return keepSession(state, change.session, moment, false)
    case 'snapshot':
      return keepSessions(
        keepLost(state, new Set(change.sessions.map(({ id }) => id)), moment),
        change.sessions,
        moment,
        true,
      )
  }
}

const keepSessions = (
  first: PastStep,
  sessions: readonly LiveSession[],
  moment: PastMoment,
  isFound: boolean,
): PastStep =>
  sessions.reduce<PastStep>((step, session) => {
    const next = keepSession(step.state, session, moment, isFound)
    const faults = [...(step.faults ?? []), ...(next.faults ?? [])]
    const entries = [...step.entries, ...next.entries]
    return { state: next.state, entries, ...(faults.length > 0 ? { faults } : {}) }
  }, first)

function keepSession(
  { passing, ...before }: PastStepState,
  live: LiveSession,
  { now, epoch }: PastMoment,
  isFound: boolean,
): PastStep {
  const state = { ...before, passing: without(passing, live.id) }
  try {
    if (mayPass(live.session) && now < passedAt(live.session))
      return { state: { ...state, passing: new Map(passing).set(live.id, live) }, entries: [] }
    return keepEntry(state, live, entryOf(live, now, epoch), isFound)
  } catch (error) {
    return { state, entries: [], faults: [{ session: live.id, why: String(error) }] }
  }
}

function keepEntry(
  { kept, unsettled, passing }: PastStepState,
  { id, agent, cwd, isSinceLook }: LiveSession,
  reported: Entry,
  isFound: boolean,
): PastStep {
  const before = kept.get(id)
  const entry = after(before, reported)
  const past = entry.data as PastState
  const pending = unsettled.get(id)
  if (isUnsettled(past) && before?.past.state !== past.state)
    return { state: { kept, unsettled: new Map(unsettled).set(id, pending ?? entry), passing }, entries: [] }
  const wasUnsettled = pending !== undefined && entry.at - pending.at >= unsettledMs ? [pending] : []
  const alike = before && wasUnsettled.length === 0 && isSamePast(before.past, past) ? before : undefined
  const isSame =
    alike !== undefined &&
    (isFound
      ? isSinceLook === true ||
        past.state === 'exited' ||
        Math.abs(alike.at - entry.at) < foundAgainMs ||
        isSameEnd(alike.past, past)
      : past.state !== 'idle' || alike.past.turn === past.turn)
  const newest = {
    past: isSame ? withWordsOf(alike.past, past) : past,
    at: isSame ? alike.at : entry.at,
    agent,
    ...(cwd === undefined ? {} : { cwd }),
  }
  const more = { ...entry, at: newest.at, data: { ...past, isMore: true } }
  const news = isSame ? (hasMoreWords(alike.past, past) ? [more] : []) : [entry]
  return {
    state: { kept: new Map(kept).set(id, newest), unsettled: without(unsettled, id), passing },
    entries: [...wasUnsettled, ...news],
  }
}

/** The end of one turn, by its words: when it ended may be read otherwise by a host that begins. */
const isSameEnd = (before: PastState, past: PastState): boolean =>
  past.state === 'idle' &&
  past.message !== undefined &&
  past.message === before.message &&
  past.prompt === before.prompt

/** Sources have clocks of their own: an entry never gets an earlier time than the one before it. */
function after(before: KeptSession | undefined, entry: Entry): Entry {
  const early = before === undefined ? 0 : before.at - entry.at
  return early > 0 && early < foundAgainMs ? { ...entry, at: entry.at + early } : entry
}

/** Those that ended while no host looked. */
function keepLost(
  { kept, ...others }: PastStepState,
  there: ReadonlySet<string>,
  moment: PastMoment,
): PastStep {
  const lost = [...kept].filter(([id]) => !there.has(id))
  return {
    state: { ...others, kept: new Map([...kept].filter(([id]) => there.has(id))), passing: new Map() },
    entries: lost
      .filter(([, { past }]) => past.state !== 'exited')
      .map(([id, session]) => lostEntry(id, session, moment)),
  }
}

const goneEntry = (
  { id, why }: Extract<LiveChange, { readonly type: 'gone' }>,
  session: KeptSession,
  { now, epoch }: PastMoment,
): Entry =>
  endEntry(
    id,
    session,
    epoch + now,
    why === undefined ? { lost: 'it is gone; how it ended is not known' } : { note: why },
  )

function lostEntry(id: string, session: KeptSession, { now, epoch, bootedAt }: PastMoment): Entry {
  return bootedAt > session.at
    ? endEntry(id, session, bootedAt, { lost: 'the machine was started anew' })
    : endEntry(id, session, epoch + now, { lost: 'it ended while no host looked; when, nobody knows' })
}

/** An end that was not seen: what is known of it is who it was, and perhaps why. */
function endEntry(
  session: string,
  { past, agent, cwd }: KeptSession,
  at: number,
  end: Pick<PastState, 'lost' | 'note'>,
): Entry {
  const { name, pid, pane, place, window, terminal, title, prompt, owner, note, turn, cost } = past
  const data: PastState = {
    ...Object.fromEntries(
      Object.entries({ name, pid, pane, place, window, terminal, title, prompt, owner, note, cost }).filter(
        ([, value]) => value !== undefined,
      ),
    ),
    state: 'exited',
    turn,
    ...end,
  }
  return {
    at,
    kind: stateKind,
    session,
    agent,
    ...(cwd === undefined ? {} : { cwd }),
    data,
  }
}

const without = <V>(map: ReadonlyMap<string, V>, id: string): ReadonlyMap<string, V> =>
  map.has(id) ? new Map([...map].filter(([key]) => key !== id)) : map
