/**
 * The one observer of a terminal, whatever holds it. It probes, captures, looks into an inner tmux, gets the shell's
 * reference and probes again; `observer-step.ts` and `classify/` decide. An end in between is an observation of its own.
 */
import { readText } from '../os/proc/proc-file.ts'
import { readStat } from '../os/proc/stat.ts'
import { readSettings } from '../os/tty/tty.ts'
import {
  conclude,
  concludeEnd,
  concludeRunning,
  concludeUnanswered,
  givenTo,
  isConclusive,
  isProvenRunning,
  isResting,
  isSame,
  isUnmoved,
  newObserver,
  type Observation,
  type ObserverState,
  type Polled,
  polledText,
  settleStep,
  withCapture,
  withRepls,
  withRest,
} from './observer-step.ts'
import type { OutputFeed } from './output-feed.ts'
import { ownRepls } from './own-repls.ts'
import { innerTmux } from './probe/inner-tmux.ts'
import { type Given, probeTerminal } from './probe/probe.ts'
import type { Gone, Probe } from './probe/probed.ts'
import { withReference } from './probe/shell-reference.ts'
import type { DrivableHolder, Ended, TerminalHolder } from './terminal-holder.ts'

export type Observer<Holder extends TerminalHolder = TerminalHolder> = {
  readonly holder: Holder
  /** The kernel and the stream alone: at once, and with the screen of the last capture. */
  probe(): Probe
  /**
   * Once, conclusive or not.
   * @param patience ms, after which it does without a screen
   */
  observe(patience?: number): Promise<Observation>
  /** The same, but without a capture where the kernel alone shows that a program runs and nobody reads. */
  observeFast(patience?: number): Promise<Observation>
  /** Observes until it is conclusive, or the patience (ms) is over. @returns the last observation */
  settle(patience: number): Promise<Observation>
  /** The last observation was conclusive and, as far as the kernel alone can tell, still is what another would say. */
  isUnchanged(): boolean
}

/** A terminal that is driven: observed, and typed into. */
export type DrivenTerminal = Observer<DrivableHolder>

export function createObserver<Holder extends TerminalHolder>(holder: Holder): Observer<Holder> {
  const { tty, pid, output } = holder
  let state: ObserverState = newObserver(pid)
  let last: Observation | undefined

  const given = () => givenTo(state, output.marks(), performance.now())
  const probe = (gone?: Gone): Probe => probeTerminal(tty, pid, { ...given(), ...(gone ? { gone } : {}) })
  const poll = (): Polled => new Map(state.watched.map(one => [one, pollOne(one, one === pid)]))
  const hasRested = (polled: Polled): boolean => isResting(state, polled, output.count(), performance.now())
  const ended = (end: Ended): Observation => concludeEnd(state, probe(end.end), end)

  const observe = (patience?: number): Promise<Observation> => observeAfter(poll(), probe(), patience)

  async function observeFast(patience?: number): Promise<Observation> {
    const { resting } = state
    const polled = poll()
    if (resting && isProvenRunning(resting.observation.verdict) && hasRested(polled))
      return resting.observation
    // Which pane an inner tmux shows, it has to be asked each time.
    if (state.inner) return observe(patience)
    const before = probe()
    const running = concludeRunning(state, before)
    if (!running) return observeAfter(polled, before, patience)
    state = withRest(state, running, polled, output.count())
    return running
  }

  /** @param polled and a probe, both from right before */
  async function observeAfter(polled: Polled, before: Probe, patience?: number): Promise<Observation> {
    state = withRepls(state, await ownRepls())
    last = await made(polled, before, patience)
    state = withRest(state, last, polled, output.count())
    return last
  }

  async function made(polled: Polled, before: Probe, patience?: number): Promise<Observation> {
    const capture = await holder.capture(patience)
    if (capture.type === 'ended') return ended(capture)
    if (capture.type === 'unanswered') {
      const alone = probe()
      return alone.gone ? ended(await holder.ended()) : concludeUnanswered(state, alone, capture)
    }
    const { screen, isRendered } = capture
    // Only the screen shows whether an inner tmux asks something itself.
    const inner = isRendered ? await innerTmux({ ...before, screen }) : undefined
    const { inner: _, ...rest } = withCapture(state, capture, before, performance.now())
    state = inner ? { ...rest, inner } : rest
    const settings = readSettings(tty)
    let after = isUnmoved(before, polled, poll(), settings) ? unmoved(before, given()) : probe()
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

  return {
    holder,
    probe: () => probe(),
    observe,
    observeFast,
    settle: patience => settle(observe, output, patience),
    isUnchanged() {
      if (!last || !isConclusive(last)) return false
      const isStopped = readSettings(tty)?.isOutputStopped === true
      if (isStopped !== (last.probe.isOutputStopped === true)) return false
      const polled = poll()
      if (state.resting?.observation.verdict === last.verdict && hasRested(polled)) return true
      const now = probe()
      if (!isSame(last, now)) return false
      state = withRest(state, { ...last, probe: now }, polled, output.count())
      return true
    },
  }
}

/** Who ignores SIGHUP sleeps on when its terminal is taken away: only the kernel's note of its terminal changes then. */
function pollOne(pid: number, isLeader: boolean): string {
  const runs = polledText(readText(`/proc/${pid}/schedstat`))
  return isLeader && runs !== '' ? `${runs.trimEnd()} tty ${readStat(pid)?.tty}` : runs
}

/** What another probe would find of processes that have not run since, and of a terminal that is as it was. */
function unmoved(known: Probe, { inner: _, ...given }: Given): Probe {
  return { ...known, ...given, at: performance.now() }
}

/** The one loop that waits until observations agree. */
async function settle(
  observe: () => Promise<Observation>,
  output: OutputFeed,
  patience: number,
): Promise<Observation> {
  const from = performance.now()
  for (;;) {
    const observation = await observe()
    const delay = settleStep(observation, performance.now() - from, patience)
    if (delay === undefined) return observation
    await output.woken(delay)
  }
}
