/**
 * The one observer of a terminal, whatever holds it. Probe, capture, an inner tmux, the shell's reference, probe again: what
 * that says is decided in `observer-step.ts` and `classify/`. What ends in between is an observation that says so.
 */
import { readProc } from '../os/proc/small-file.ts'
import {
  conclude,
  concludeEnd,
  concludeRunning,
  isConclusive,
  isProvenRunning,
  isSame,
  newObserver,
  type Observation,
  type ObserverState,
  settleStep,
  withCapture,
} from './observer-step.ts'
import { innerTmux } from './probe/inner-tmux.ts'
import { probeTerminal } from './probe/probe.ts'
import type { Probe } from './probe/probed.ts'
import { withReference } from './probe/shell-reference.ts'
import type { DrivableHolder, Ended, TerminalHolder } from './terminal-holder.ts'

export type Observer<Holder extends TerminalHolder = TerminalHolder> = {
  readonly holder: Holder
  /** The kernel and the stream alone: at once, and with the screen of the last capture. */
  probe(): Probe
  /** An observation without a capture, where the kernel alone tells that a program runs and nobody reads. */
  probeFast(): Observation | undefined
  /** Once, conclusive or not. */
  observe(): Promise<Observation>
  /** Observes until it is conclusive, or the patience (ms) is over. @returns the last observation */
  settle(patience: number): Promise<Observation>
  /** The last observation was conclusive and, as far as the kernel alone can tell, still is what another would say. */
  isUnchanged(): boolean
}

/** A terminal that is driven: observed, and typed into. */
export type DrivenTerminal = Observer<DrivableHolder>

/** What polls watch: processes that have not run since can't have changed what an observation said. */
type Resting = {
  readonly observation: Observation
  readonly polled: string
  readonly at: number
  readonly count: number
}

/** ms: /proc/PID/schedstat changes whenever the main thread runs; other threads are not seen there. */
const longestTrust = 5000

export function createObserver<Holder extends TerminalHolder>(holder: Holder): Observer<Holder> {
  const { tty, pid, output, pace } = holder
  let state: ObserverState = newObserver
  let last: Observation | undefined
  let resting: Resting | undefined
  let watched: readonly number[] = [pid]

  function probe(gone?: Probe['gone']): Probe {
    const { shown, inner } = state
    const stream = output.marks()
    const since = stream?.lastOutput ?? shown?.since
    return probeTerminal(tty, pid, {
      ...(since === undefined ? {} : { quiet: performance.now() - since }),
      ...(stream ? { stream } : {}),
      ...(shown ? { screen: shown.screen } : {}),
      ...(inner ? { inner } : {}),
      ...(gone ? { gone } : {}),
    })
  }

  async function observe(): Promise<Observation> {
    const polled = poll(watched)
    last = await made()
    rest(last, polled)
    return last
  }

  async function made(): Promise<Observation> {
    const before = probe()
    const capture = await holder.capture()
    if (capture.type === 'ended') return ended(capture)
    const { screen, isRendered } = capture
    // Whether tmux itself asks something in there, only its screen tells.
    const inner = isRendered ? await innerTmux({ ...before, screen }) : undefined
    const { inner: _, ...rest } = withCapture(state, capture, performance.now())
    state = inner ? { ...rest, inner } : rest
    let after = probe()
    if (after.gone) return ended(await holder.ended())
    const learned = await withReference(state.learned, after)
    if (learned !== state.learned) {
      // Measuring took time.
      state = { ...state, learned }
      after = probe()
    }
    const concluded = conclude(state, before, after, capture)
    state = concluded.state
    return concluded.observation
  }

  const ended = (end: Ended): Observation => concludeEnd(state, probe(end.end), end)

  /** @param polled from before the observation */
  function rest(observation: Observation, polled: string): void {
    const { at } = observation.probe
    const pids = [...new Set(pidsOf(observation.probe))]
    // Nothing was polled of others before.
    const isKnown = `${pids}` === `${watched}`
    resting =
      isKnown && isConclusive(observation) ? { observation, polled, at, count: output.count() } : undefined
    watched = pids
  }

  function isResting(): boolean {
    if (!resting || resting.count !== output.count() || poll(watched) !== resting.polled) return false
    const { verdict, probe } = resting.observation
    const isShell = verdict.reader === pid && probe.processes.every(({ calls }) => calls.length === 1)
    return isShell || performance.now() - resting.at < longestTrust
  }

  return {
    holder,
    probe: () => probe(),
    probeFast() {
      if (output.marks() === undefined) return undefined
      if (resting && isProvenRunning(resting.observation.verdict) && isResting()) return resting.observation
      const polled = poll(watched)
      const running = concludeRunning(state, probe())
      if (running) rest(running, polled)
      return running
    },
    observe,
    async settle(patience) {
      const from = performance.now()
      for (;;) {
        const observation = await observe()
        const delay = settleStep(observation, performance.now() - from, patience, pace)
        if (delay === undefined) return observation
        await output.woken(delay)
      }
    },
    isUnchanged() {
      if (!last || !isConclusive(last)) return false
      if (resting?.observation.verdict === last.verdict && isResting()) return true
      const polled = poll(watched)
      const now = probe()
      const isAsBefore = isSame(last, now)
      if (isAsBefore) rest({ ...last, probe: now }, polled)
      return isAsBefore
    },
  }
}

/** Of the terminal's owners, and of those of a terminal inside of it. */
const pidsOf = ({ leader, processes, inner }: Probe): number[] => [
  leader,
  ...processes.map(({ pid }) => pid),
  ...(inner ? pidsOf(inner) : []),
]

const poll = (pids: readonly number[]): string =>
  pids.map(pid => readProc(`/proc/${pid}/schedstat`) ?? 'gone').join()
