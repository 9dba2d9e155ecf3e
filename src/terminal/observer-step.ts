/** What an observer keeps of a terminal, and what it concludes: two probes with a capture between them. Pure. */
import { healthy } from '../core/judge/verdict.ts'
import type { Instant } from '../core/state.ts'
import type { Grid } from '../core/text/grid.ts'
import type { TerminalSettings } from '../os/tty/tty.ts'
import { classify } from './classify/classify.ts'
import { learn } from './classify/learn.ts'
import { type Learned, nothingLearned } from './classify/learned.ts'
import type { OwnRepls } from './classify/repl/repl-rows.ts'
import { beforeCursor } from './classify/screen-text.ts'
import type { TerminalVerdict } from './classify/terminal-verdict.ts'
import type { Given } from './probe/probe.ts'
import { type InnerTerminal, type Probe, readingOf, type StreamMarks } from './probe/probed.ts'
import { isRelay } from './probe/relays.ts'
import { isSteady } from './probe/steady.ts'
import type { Ended, Shown, TerminalFacts, Unanswered } from './terminal-holder.ts'

export type Observation = {
  readonly verdict: TerminalVerdict
  readonly probe: Probe
  /** Nothing moved while it was made. */
  readonly isSteady: boolean
  /** All that was printed before is on the screen, which is the same as in the observation before. */
  readonly isWhole: boolean
  readonly screen?: Grid
  /** The last lines, what has scrolled away included; of an earlier observation where the holder was not asked. */
  readonly lines: readonly string[]
  /** Of a pane of tmux. */
  readonly facts?: TerminalFacts
  /** Why `repls.yaml` does not hold: a sentence that names it. */
  readonly unreadRepls?: string
  /** Why its holder did not answer: the screen and the lines are of an earlier observation. */
  readonly unanswered?: string
}

/** It needs no second one: nothing moved, and no more quiet is wanted. */
export const isConclusive = ({ isSteady, verdict }: Observation): boolean =>
  isSteady && verdict.observeAgainIn === undefined

export type ObserverState = {
  readonly learned: Learned
  readonly lines: readonly string[]
  /** What was captured last, as text, since when it is so as far as captures can tell, and whether the one before was alike. */
  readonly shown?: {
    readonly screen: Grid
    readonly text: string
    readonly since: Instant
    readonly isRepeated: boolean
    /** The cursor's line alone, and since when it is so. */
    readonly line: string
    readonly lineSince: Instant
  }
  /** What a tmux inside of this terminal shows. */
  readonly inner?: InnerTerminal
  /** The last conclusive observation, and a poll of its processes from before it. */
  readonly resting?: {
    readonly observation: Observation
    readonly polled: Polled
    readonly count: number
  }
  /** Where there is a `repls.yaml`. */
  readonly ownRepls?: OwnRepls
  /** The processes that are polled. */
  readonly watched: readonly number[]
}

/** @param pid of the terminal's first process */
export const newObserver = (pid: number): ObserverState => ({
  learned: nothingLearned,
  lines: [],
  watched: [pid],
})

/** What is known beside the kernel's facts. */
export function givenTo(
  { shown, inner }: ObserverState,
  stream: StreamMarks | undefined,
  now: Instant,
): Given {
  const since = stream?.lastOutput ?? shown?.since
  return {
    ...(since === undefined ? {} : { quiet: now - since }),
    ...(stream ? { stream } : {}),
    ...(shown ? { screen: shown.screen, still: now - shown.lineSince } : {}),
    ...(inner ? { inner } : {}),
  }
}

/** @param before from right before it */
export function withCapture(
  state: ObserverState,
  { screen, lines, facts }: Shown,
  before: Probe,
  now: Instant,
): ObserverState {
  // Lines that scroll away may be alike, also where a full history grows no more, and so may two frames of a spinner.
  const text = JSON.stringify([facts?.historySize, screen, writersOf(before)])
  const isRepeated = state.shown?.text === text
  const since = isRepeated && state.shown ? state.shown.since : now
  const line = beforeCursor(screen)
  const lineSince = state.shown?.line === line ? state.shown.lineSince : now
  return { ...state, lines, shown: { screen, text, since, isRepeated, line, lineSince } }
}

const writersOf = ({ processes, inner }: Probe): readonly string[] => [
  ...processes.map(({ pid, switches, calls, writtenChars }) =>
    // Who is kept from writing wakes up for each piece.
    calls.some(({ type }) => type === 'writes') ? `${pid} ${switches}` : `${pid} ${writtenChars}`,
  ),
  ...(inner ? writersOf(inner) : []),
]

/** What the two probes around a capture say. */
export function conclude(
  state: ObserverState,
  before: Probe,
  after: Probe,
  { isWhole, isRepeated = false, screen, lines, facts }: Shown,
): { readonly state: ObserverState; readonly observation: Observation } {
  const verdict = classify(after, state.learned)
  const steady = isSteady(before, after)
  const isAlike = state.shown?.isRepeated || (isRepeated && `${writersOf(before)}` === `${writersOf(after)}`)
  return {
    state: steady ? { ...state, learned: learn(state.learned, after) } : state,
    observation: {
      verdict,
      probe: after,
      isSteady: steady,
      // A terminal inside of it may not have passed on all that it has.
      isWhole: isWhole && isAlike === true && after.inner === undefined,
      screen,
      lines,
      ...(facts ? { facts } : {}),
      ...unread(state),
    },
  }
}

const unread = ({ ownRepls }: ObserverState): Pick<Observation, 'unreadRepls'> =>
  ownRepls?.mistake === undefined ? {} : { unreadRepls: ownRepls.mistake }

/** With the REPLs of `repls.yaml`, where there is one. */
export function withRepls({ ownRepls, ...state }: ObserverState, own: OwnRepls | undefined): ObserverState {
  const learned = ownRepls === own ? state.learned : { ...state.learned, repls: own?.rows ?? [] }
  return { ...state, learned, ...(own ? { ownRepls: own } : {}) }
}

/**
 * `/proc/PID/schedstat` of the processes that are watched: it changes whenever their main thread begins to run, or stops. ''
 * where it is hidden. That of the terminal's first process says whose terminal it has, too.
 */
export type Polled = ReadonlyMap<number, string>

/** A kernel that counts no runs (before 5.14, with `nodelayacct`) prints zeros: nothing is known then. */
export const polledText = (schedstat: string): string => (schedstat.startsWith('0 0 0') ? '' : schedstat)

/**
 * Nothing that a probe found has run between two polls around it, and its terminal is as it was: another probe would find the
 * same. Keys wait in a terminal, and Ctrl-S stops its output, before anybody runs.
 * @param before from before the probe
 * @param settings from before `now`
 */
export const isUnmoved = (
  probe: Probe,
  before: Polled,
  now: Polled,
  settings: TerminalSettings | undefined,
): boolean =>
  probe.processes.length > 0 &&
  probe.queued === settings?.queued &&
  (probe.isOutputStopped === true) === settings?.isOutputStopped &&
  probe.termios?.canonical === settings.canonical &&
  probe.termios.echo === settings.echo &&
  probe.termios.signals === settings.signals &&
  !probe.inner &&
  !hasRelay(probe) &&
  // What runs all the time prints, too, and its numbers stay the same until the next tick of its processor.
  probe.processes.every(({ calls, state }) => calls.length === 1 && state !== 'R') &&
  pidsOf(probe).every(pid => before.get(pid) && before.get(pid) === now.get(pid))

/** The result of a probe alone, with the screen and the lines of the last capture. */
const withoutCapture = (state: ObserverState, probe: Probe) => ({
  verdict: classify(probe, state.learned),
  probe,
  isWhole: false,
  lines: state.lines,
  ...(state.shown ? { screen: state.shown.screen } : {}),
  ...unread(state),
})

/** @param probe one that knows of the end */
export function concludeEnd(state: ObserverState, probe: Probe, { lines, facts }: Ended): Observation {
  return {
    ...withoutCapture(state, probe),
    isSteady: true,
    isWhole: true,
    ...(lines ? { lines } : {}),
    ...(facts ? { facts } : {}),
  }
}

/** How soon a holder that did not answer is asked again: ms. */
const askAgainMs = 100

/** What is left without the holder: whether a program surely runs, as the kernel has it, and else nothing. */
export function concludeUnanswered(state: ObserverState, probe: Probe, { why }: Unanswered): Observation {
  const known = withoutCapture(state, probe)
  const isKnown = isProvenRunning(known.verdict) && known.verdict.health.level === 'healthy'
  const verdict = isKnown ? known.verdict : { ...nothingKnown, why }
  return { ...known, verdict, isSteady: isKnown, unanswered: why }
}

const nothingKnown = {
  state: { kind: 'unknown' },
  health: healthy,
  confidence: 0,
  tier: 'inferred',
  observeAgainIn: askAgainMs,
} as const

/** Undefined where the kernel alone does not prove that a program runs and nobody reads. */
export function concludeRunning(state: ObserverState, probe: Probe): Observation | undefined {
  const running = withoutCapture(state, probe)
  return state.shown && isProvenRunning(running.verdict) ? { ...running, isSteady: true } : undefined
}

export const isProvenRunning = ({ state, tier }: TerminalVerdict): boolean =>
  state.kind === 'working' && tier === 'proven'

/** A probe that agrees with a conclusive observation: the reader is known, and nothing has moved. */
export const isSame = ({ probe, verdict }: Observation, now: Probe): boolean =>
  !hasRelay(probe) &&
  probe.processes.some(readingOf) === (verdict.state.kind !== 'working') &&
  isSteady(probe, now)

const hasRelay = ({ relay, processes }: Probe): boolean => relay !== undefined || processes.some(isRelay)

/** What other threads do is probed after so long: ms. */
const longestTrust = 5000

/**
 * @param polled from before the observation
 * @param count bytes that were printed so far
 */
export function withRest(
  state: ObserverState,
  observation: Observation,
  polled: Polled,
  count: number,
): ObserverState {
  const pids = [...new Set(pidsOf(observation.probe))]
  const { resting: _, ...rest } = { ...state, watched: pids }
  // A terminal behind a relay comes, goes and changes while the relay and all that was seen sleep.
  if (hasRelay(observation.probe)) return rest
  // Of processes that were not watched nothing was polled before.
  if (!pids.every(pid => polled.get(pid)) || !isConclusive(observation)) return rest
  return { ...rest, resting: { observation, polled, count } }
}

/** Nothing has run since: no other observation can say anything else. */
export function isResting({ resting }: ObserverState, polled: Polled, count: number, now: Instant): boolean {
  if (!resting || resting.count !== count) return false
  if (![...polled].every(([pid, text]) => text !== '' && resting.polled.get(pid) === text)) return false
  const { verdict, probe } = resting.observation
  const isShell = verdict.reader === probe.leader && probe.processes.every(({ calls }) => calls.length === 1)
  return isShell || now - probe.at < longestTrust
}

/** Of the terminal's owners, and of those of a terminal inside of it. */
const pidsOf = ({ leader, processes, inner }: Probe): number[] => [
  leader,
  ...processes.map(({ pid }) => pid),
  ...(inner ? pidsOf(inner) : []),
]

/** A writer that a flood blocks goes on within this time, ms: after that it is stuck. */
const stuckMs = 1000
/** How soon, and how late at the latest, what moves is observed again: a capture of a tmux pane costs a process. ms */
const soonMs = 5
const lateMs = 100

/**
 * How many ms later to observe again, until an observation can be trusted; undefined where this is the last one.
 * @param elapsed ms since the first observation
 * @param patience ms
 */
export function settleStep(observation: Observation, elapsed: number, patience: number): number | undefined {
  const { health, observeAgainIn = soonMs } = observation.verdict
  const isStuck = health.level === 'confirmed_stuck'
  const isDone = isStuck ? elapsed >= stuckMs : isConclusive(observation) || elapsed >= patience
  return isDone ? undefined : Math.min(observeAgainIn, lateMs)
}
