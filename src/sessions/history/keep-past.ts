/** Keeps what becomes of the sessions of a source, for as long as the source lives: what a host does with the history. */
import os from 'node:os'
import type { Clock, Timer } from '../../core/clock.ts'
import { isLullError } from '../../core/lull-error.ts'
import { oneLine } from '../../core/text/printable.ts'
import type { Entry } from '../../history/entry.ts'
import { type History, openHistory } from '../../history/open-history.ts'
import type { Places } from '../../os/file/places.ts'
import type { SessionSource } from '../session-source.ts'
import {
  type KeptSession,
  keepChange,
  newPast,
  nextKept,
  type PastInput,
  type PastStepState,
} from './past-step.ts'
import { readPast, stateKind } from './session-past.ts'

/**
 * Resolves once the source has ended.
 * @param complain called with what can't be stored; the host goes on
 * @param onKept called once something was stored
 */
export async function keepPast(
  source: SessionSource,
  places: Places,
  clock: Clock,
  complain: (sentence: string) => void,
  onKept: () => void = () => undefined,
): Promise<void> {
  let history: History | undefined
  let state: PastStepState | undefined
  let complained = 0
  let bootedAt = 0
  const faulty = new Set<string>()
  let unkept: readonly Entry[] = []
  let timer: Timer | undefined

  function take(input: PastInput): void {
    history ??= opened(places, complain)
    state ??= history && newPast(lastKept(history))
    if (!history || !state) return
    const now = clock.now()
    // Only a snapshot shows that a session was lost: the kernel is not asked at each change.
    if (input.type === 'snapshot') bootedAt = clock.wall() - os.uptime() * 1000
    const step = keepChange(state, input, { now, epoch: clock.wall() - now, bootedAt })
    state = step.state
    for (const { session, why } of step.faults ?? []) {
      if (!faulty.has(session)) complain(`the history can't keep session ${oneLine(session, 20)}: ${why}`)
      faulty.add(session)
    }
    const entries = [...unkept, ...step.entries]
    unkept = keep(history, entries, complain)
    if (unkept.length < entries.length) onKept()
    for (const notice of history.notices.slice(complained)) complain(notice)
    complained = history.notices.length
    timer?.cancel()
    const next = nextKept(state)
    timer = next < Infinity ? clock.at(next, () => take({ type: 'time' })) : undefined
  }

  for await (const change of await source.changes()) take(change)
  timer?.cancel()
  if (history) keep(history, unkept, complain)
  history?.close()
}

/** A full disk has room again at some time; what a session came to by then is not lost, as far as so many go. */
const mostUnkept = 500

/** @returns those that are refused: what comes later would stand before them */
function keep(
  history: History,
  entries: readonly Entry[],
  complain: (sentence: string) => void,
): readonly Entry[] {
  for (const [at, entry] of entries.entries()) {
    const refused = history.tryAdd(entry)
    if (refused === undefined) continue
    complain(`the history does not keep this now: ${refused}`)
    return entries.slice(at).slice(-mostUnkept)
  }
  return []
}

function opened(places: Places, complain: (sentence: string) => void): History | undefined {
  try {
    return openHistory(places)
  } catch (error) {
    if (!isLullError(error)) throw error
    complain(`there is no history: ${error.message}`)
    return undefined
  }
}

/** What is known of sessions that an earlier host followed. */
function lastKept(history: History): ReadonlyMap<string, KeptSession> {
  const kept = new Map<string, KeptSession>()
  for (const entry of history.lastOfEach(stateKind)) {
    const past = readPast(entry)
    const { session, agent = '', cwd, at } = entry
    if (session === undefined || !past) continue
    kept.set(session, { past, at, agent, ...(cwd === undefined ? {} : { cwd }) })
  }
  return kept
}
