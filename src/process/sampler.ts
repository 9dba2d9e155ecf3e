/**
 * Looks at a process tree about once a second, as cheaply as what happens there allows. Tier 0: did any thread run? Tier 1:
 * processes and figures. Tier 2: a pair, which is two scans of what every thread waits for. Tier 3: a pair that also asks for
 * the counters of connections.
 */
import os from 'node:os'
import type { Clock, Timer } from '../core/clock.ts'
import type { Instant } from '../core/state.ts'
import { readWhole } from '../os/proc/proc-file.ts'
import type { Depth, ProcessReader } from './process-reader.ts'
import {
  isNewTree,
  lastSample,
  newSampler,
  nextDepth,
  noteProgress,
  openTick,
  type Sample,
  sampleOf,
  settleTick,
  takeDeepScan,
  takeScan,
  tickMs,
  withCost,
} from './sampler-step.ts'
import type { Snapshot, SnapshotPair } from './snapshot.ts'

export type Sampler = {
  /** Output or an event that counts as progress came. */
  progress(at: Instant): void
  /** Takes a sample now, with a pair. `onSample` is not called. */
  sample(): Sample
  close(): void
}

export type Watching = {
  readonly clock: Clock
  readonly reader: ProcessReader
  /** Called with each sample, about once a second. */
  readonly onSample: (sample: Sample) => void
  /** ms since boot with the time that the machine slept; the system's where it is left out. */
  readonly uptime?: () => number
  /** ms of processor time that this process has taken; the system's where it is left out. */
  readonly spent?: () => number
}

const spentByProcess = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

export function watchTree(
  root: number,
  { clock, reader, onSample, uptime = () => os.uptime() * 1000, spent = spentByProcess }: Watching,
): Sampler {
  const activity = reader.activity?.()
  let state = newSampler(clock.now(), uptime())
  let isClosed = false
  let timer: Timer | undefined

  /** Where the system has no room to read all of it, what is missing would seem to be gone. */
  const scan = (depth: Depth, at: Instant): 'taken' | 'gone' | 'refused' => {
    const start = spent()
    const { value: snapshot, refusal } = readWhole(() => reader.snapshot(root, depth))
    if (refusal !== undefined) return 'refused'
    if (!snapshot) return 'gone'
    const isNew = isNewTree(state, snapshot)
    state = takeScan(state, snapshot, at)
    if (isNew) activity?.follow(threadsOf(snapshot))
    state = withCost(state, spent() - start)
    return 'taken'
  }

  const deepen = (at: Instant): SnapshotPair | undefined => {
    const before = state
    const depth = nextDepth(before, at)
    if (scan(depth, at) !== 'taken') return undefined
    const deepened = takeDeepScan(state, depth, before)
    state = deepened.state
    return deepened.pair
  }

  const take = (at: Instant): Sample => {
    const ran = activity?.poll() ?? false
    const opened = openTick(state, { at, uptime: uptime(), ran, isWhole: activity?.isWhole() === true })
    state = opened.state
    if (opened.tick.isScanDue && scan('tree', at) === 'gone') return lastSample(at)
    const settled = settleTick(state, opened.tick, opened.state)
    state = settled.state
    const pair = settled.isDeep ? deepen(at) : undefined
    return sampleOf(state, opened.tick, settled.moved, pair)
  }

  const tick = () => {
    if (isClosed) return
    const at = clock.now()
    if (at < state.due) {
      // Node's timers may fire a little early, and two ticks have to be two seconds.
      timer = clock.at(state.due, tick)
      return
    }
    const sample = take(at)
    if (sample.isGone) close()
    // A scan that takes longer than a tick is not lull's being late.
    state = { ...state, due: Math.max(at + tickMs, clock.now()) }
    if (!isClosed) timer = clock.at(state.due, tick)
    onSample(sample)
  }

  const close = () => {
    if (isClosed) return
    isClosed = true
    timer?.cancel()
    activity?.close()
  }

  timer = clock.at(state.due, tick)
  return {
    progress(at) {
      state = noteProgress(state, at)
    },
    sample() {
      const sample = take(clock.now())
      if (sample.pair || sample.isGone) return sample
      const pair = deepen(sample.at) ?? deepen(sample.at)
      return pair ? { ...sample, tier: 2, pair } : sample
    },
    close,
  }
}

const threadsOf = ({ processes }: Snapshot): readonly (readonly [pid: number, tid: number])[] =>
  processes.flatMap(({ pid, threads }) => threads.map(({ tid }) => [pid, tid] as const))
