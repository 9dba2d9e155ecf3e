/**
 * The health of a supervised tree from one sample to the next: what the closure proves, what a known cause excuses for as
 * long as it lasts, and else the rules of docs/seeds.md#004 on silence. Only a proof is ever certain.
 */

import { defined } from '../../core/defined.ts'
import type { Health, Instant, ProcessCause } from '../../core/state.ts'
import type { Diagnosis } from '../../process/diagnosis.ts'
import type { Sample } from '../../process/sampler-step.ts'
import type { SnapshotPair } from '../../process/snapshot.ts'
import {
  type MetricsHistory,
  newHistory,
  pushMetrics,
  skipTime,
  type Window,
  windowOf,
} from './metrics-history.ts'
import { always, defaultDwell, type Preset } from './presets.ts'
import type { Fallback, RunVerdict } from './run-verdict.ts'
import { type Silence, stepSilence } from './silence-step.ts'
import {
  isHeldOnPurpose,
  isSafeToKill,
  reasonOf,
  recommendationOf,
  type VerdictFacts,
} from './verdict-text.ts'

export type HealthInput = {
  readonly sample: Sample
  /** The last output that counts as progress (progress.ts); the start where there was none. */
  readonly lastOutput: Instant
  /** What this sample's pair shows; absent where it took none. */
  readonly diagnosis?: Diagnosis
  /** What the supervisor gave it as stdin can be read from, and is not at its end. */
  readonly isStdinOpen?: boolean
}

/** What blocks the tree, and since when nothing of it has moved. */
type Blocked = { readonly key: string; readonly since: Instant }

/** Instants are counted ones: time in which the tree could not have moved, or was not watched, is left out. */
export type HealthState = {
  readonly at: Instant
  readonly lost: number
  readonly lastOutput: Instant
  readonly silentSince: Instant
  readonly quietSince: Instant
  readonly health: Health
  readonly since: Instant
  readonly history: MetricsHistory
  readonly diagnosis?: Diagnosis
  readonly fallback?: Fallback
  readonly blocked?: Blocked
  readonly silence: Silence
}

export const newHealth = (at: Instant): HealthState => ({
  at,
  lost: 0,
  lastOutput: at,
  silentSince: at,
  quietSince: at,
  health: { level: 'healthy', certainty: 'low' },
  since: at,
  history: newHistory(at),
  silence: {},
})

/**
 * The next state and its verdict.
 * @param dwell how long a proof must have held before it is certain, ms
 */
export function stepHealth(
  before: HealthState,
  input: HealthInput,
  preset: Preset,
  dwell: number = defaultDwell,
): { state: HealthState; verdict: RunVerdict } {
  const { sample } = input
  const watched = watchedSince(before, input)
  const now = sample.at - watched.lost
  const diagnosis = lastingDiagnosis(watched, input)
  const blocked = blockedBy(watched, diagnosis, sample, now)
  const window = windowOf(watched.history)
  const fallback = fallbackNow(watched, input, diagnosis)
  const silentFor = now - watched.silentSince
  const facts: VerdictFacts = defined({
    health: watched.health,
    silentFor,
    isSilent: silentFor >= preset.silence,
    window,
    diagnosis,
    blockedFor: blocked && now - blocked.since,
    fallback,
  })
  const judged = judge(watched, facts, now, preset, dwell)
  // Time that was discarded shows nothing: only a sample that counts may change the verdict.
  const isKept = sample.discarded !== undefined && watched.health.level !== 'healthy'
  const health = isKept ? watched.health : judged.health
  const isSame = health.level === before.health.level && health.cause === before.health.cause
  const { diagnosis: _d, fallback: _f, blocked: _b, ...rest } = watched
  const state: HealthState = {
    ...rest,
    health,
    since: isSame ? watched.since : sample.at,
    silence: isKept ? watched.silence : judged.silence,
    ...defined({ diagnosis, fallback, blocked }),
  }
  return { state, verdict: verdictOf(state, { ...facts, health }, sample) }
}

/** Takes the sample's time and figures in. */
function watchedSince(before: HealthState, { sample, lastOutput }: HealthInput): HealthState {
  const { at, discarded, metrics, lastMoved } = sample
  const lost = discarded === undefined ? before.lost : before.lost + Math.max(0, at - before.at)
  const counted = at - lost
  const hasOutput = lastOutput > before.lastOutput
  return {
    ...before,
    at,
    lost,
    lastOutput: Math.max(lastOutput, before.lastOutput),
    silentSince: hasOutput ? counted - Math.max(0, at - lastOutput) : before.silentSince,
    quietSince: sample.moved ? Math.max(before.quietSince, counted - (at - lastMoved)) : before.quietSince,
    history:
      discarded === undefined ? pushMetrics(before.history, at, metrics) : skipTime(before.history, at),
  }
}

/** A diagnosis holds until the next one, or until what it calls blocked has moved. */
function lastingDiagnosis(
  { diagnosis }: HealthState,
  { sample, diagnosis: fresh }: HealthInput,
): Diagnosis | undefined {
  if (fresh) return diagnosis && isYetToFire(diagnosis, fresh, sample) ? diagnosis : fresh
  if (!sample.moved || !diagnosis) return diagnosis
  // Other threads may go on beside a ring of locks.
  if (diagnosis.cause === 'deadlock' || diagnosis.isWrapped) return diagnosis
  return isClosed(diagnosis) || diagnosis.cause === 'unknown' ? undefined : diagnosis
}

/** The timer that was to end the wait is now as near as one that ticks: the diagnosis is kept until it has fired. */
const isYetToFire = ({ cause, until }: Diagnosis, fresh: Diagnosis, { moved, pair }: Sample): boolean =>
  until !== undefined &&
  pair !== undefined &&
  !moved &&
  fresh.cause === cause &&
  isClosed(fresh) &&
  until > pair.after.at

function blockedBy(
  { blocked, quietSince }: HealthState,
  diagnosis: Diagnosis | undefined,
  { moved, pair }: Sample,
  now: Instant,
): Blocked | undefined {
  if (!diagnosis) return undefined
  const { cause, leaf, isWrapped } = diagnosis
  const key = `${cause} ${leaf?.pid ?? ''} ${leaf?.tid ?? ''} ${leaf?.call ?? ''}`
  const isSame = blocked?.key === key
  if (unanswered.has(cause)) return isSame ? blocked : { key, since: now }
  if (!isClosed(diagnosis)) return undefined
  if (isSame && (cause === 'deadlock' || isWrapped || !moved)) return blocked
  // Between the two looks it stood, whatever of its wrappers moved.
  const between = isWrapped && pair ? pair.after.at - pair.before.at : 0
  return { key, since: moved ? now - between : quietSince }
}

/** Nothing that can be seen will move it: proven, or likely where something can't be seen. */
const isClosed = ({ isBlocked, proof, unseen }: Diagnosis): boolean =>
  (isBlocked && proof === 'proven') || unseen !== undefined

/** It outlives the pair that showed it, for as long as nothing new is known. */
function fallbackNow(
  { fallback, history }: HealthState,
  { sample, isStdinOpen, diagnosis: fresh }: HealthInput,
  diagnosis: Diagnosis | undefined,
): Fallback | undefined {
  if (diagnosis && diagnosis.cause !== 'unknown') return undefined
  if (sample.pair || fresh) return fallbackOf(sample.pair, windowOf(history), isStdinOpen)
  return sample.moved ? undefined : fallback
}

/** Nothing gets done, or another program may lawfully never come: they excuse no silence, and prove nothing either. */
const doubtful: ReadonlySet<ProcessCause> = new Set<ProcessCause>(['ticking', 'output', 'signal'])
/**
 * An inferred cause excuses a silence up to the preset's limit, except these: a server may wait for clients for ever, and a wait
 * for input is shown by the state.
 */
const lasting: ReadonlySet<ProcessCause> = new Set<ProcessCause>(['server', 'stdin'])
/** The kernel gives up by itself, in the end: likely after the dwell, certain never. */
const unanswered: ReadonlySet<ProcessCause> = new Set<ProcessCause>(['dead_peer', 'unreachable'])
/** Ends that excuse nothing where they are inferred: no source that lives was found. `bounded`: a timer may end them. */
const ends: ReadonlySet<ProcessCause> = new Set<ProcessCause>(['stdin', 'deadlock', 'closed_wait'])

function judge(
  { silence, quietSince }: HealthState,
  { diagnosis, blockedFor, silentFor, isSilent, window, fallback }: VerdictFacts,
  now: Instant,
  preset: Preset,
  dwell: number,
): { health: Health; silence: Silence } {
  if (diagnosis && blockedFor !== undefined) {
    const { cause } = diagnosis
    const isHeld = isHeldOnPurpose(cause)
    const known: Health =
      unanswered.has(cause) || isHeld || diagnosis.unseen
        ? { level: 'likely_stuck', cause, certainty: 'high' }
        : { level: 'confirmed_stuck', cause, certainty: 'certain' }
    // Whoever stopped it may continue it, and a message that it waits for may come: a short silence is no evidence.
    const isEarly = blockedFor < dwell || ((isHeld || diagnosis.mayAwaitWord === true) && !isSilent)
    const health: Health = isEarly ? { level: 'suspicious', cause, certainty: 'medium' } : known
    return { health, silence: {} }
  }
  if (diagnosis && isExcuse(diagnosis)) {
    const { cause, proof, isOpen } = diagnosis
    const isDoubtful = doubtful.has(cause) || isOpen || (ends.has(cause) && !hasLivingSource(diagnosis))
    const isPassing = proof === 'inferred' && !lasting.has(cause)
    const certainty = proof === 'inferred' ? 'medium' : 'high'
    if (isSilent && (isDoubtful || isPassing))
      return { health: { level: 'suspicious', cause, certainty: 'low' }, silence: {} }
    return { health: { level: 'healthy', cause, certainty }, silence: {} }
  }
  const isBlocked = diagnosis !== undefined && ends.has(diagnosis.cause) && diagnosis.proof !== 'unknown'
  const stepped = stepSilence(
    silence,
    defined({ at: now, silentFor, quietFor: now - quietSince, window, isBlocked, fallback }),
    preset,
  )
  if (!diagnosis || stepped.health.level === 'healthy') return stepped
  return { ...stepped, health: { ...stepped.health, cause: diagnosis.cause } }
}

/** A cause that is known, and leaves a source that will or may move it. */
function isExcuse(diagnosis: Diagnosis): boolean {
  const { isBlocked, cause, proof, isOpen } = diagnosis
  if (isBlocked || cause === 'unknown' || proof === 'unknown') return false
  return !ends.has(cause) || proof === 'bounded' || isOpen === true || hasLivingSource(diagnosis)
}

/** Somebody who lives may give what it waits for: a person at the terminal, a supervisor that owes input. */
const hasLivingSource = ({ leaf }: Diagnosis): boolean => leaf?.live !== undefined

function verdictOf(state: HealthState, facts: VerdictFacts, { at, metrics }: Sample): RunVerdict {
  return defined({
    at,
    health: state.health,
    since: state.since,
    reason: reasonOf(facts),
    safeToKill: isSafeToKill(state.health),
    metrics,
    history: state.history.done.slice(-always.samples),
    recommendation: recommendationOf(facts),
    diagnosis: facts.diagnosis,
    fallback: facts.fallback,
    blockedSince: state.blocked?.since,
    silentFor: facts.isSilent ? facts.silentFor : undefined,
  })
}

/**
 * @param isStdinOpen what the supervisor gave it; where it did not start the tree, what the files tell
 * @returns none where the tree moves, or where the threads could be looked into
 */
export function fallbackOf(
  pair: SnapshotPair | undefined,
  window: Window,
  isStdinOpen: boolean | undefined,
): Fallback | undefined {
  const processes = pair?.after.processes
  const isHidden = processes?.some(({ threads }) => threads.some(({ call }) => call.type === 'hidden'))
  if (!processes || !isHidden || !window.isFull) return undefined
  if (window.cpuPercent >= always.zeroCpu || window.ioBytes >= always.zeroIo || window.isConnected)
    return undefined
  const isAsleep = processes.every(({ threads }) => threads.every(({ state }) => state === 'S'))
  if (!isAsleep) return undefined
  const isOpen = isStdinOpen ?? processes.some(({ fds }) => isSource(fds[0]?.type))
  return isOpen ? 'LIKELY_STDIN_WAITING' : 'LIKELY_HUNG'
}

const isSource = (type: string | undefined): boolean => type === 'pipe' || type === 'tty' || type === 'unix'
