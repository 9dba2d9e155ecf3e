/**
 * Looks at a process tree about once a second, as cheaply as what happens there allows. Tier 0: did any thread run? Tier 1:
 * processes and figures. Tier 2: a pair, which is two scans of what every thread waits for. Tier 3: a pair that also asks for
 * the counters of connections.
 */
import os from 'node:os'
import type { Clock, Timer } from '../core/clock.ts'
import type { Instant } from '../core/state.ts'
import { atRest, isSameTree, type Metrics, measure, noMetrics } from './metrics.ts'
import { afterScan, newPairPlan, planPair } from './pair-step.ts'
import type { Depth, ProcessReader } from './process-reader.ts'
import type { Snapshot, SnapshotPair } from './snapshot.ts'

/** Why a sample must not count as quiet: the sampler itself was late, the machine slept, or the tree got no processor. */
type Discarded = 'late' | 'suspended' | 'starved'

export type Sample = {
  readonly at: Instant
  /** The deepest look that this sample took. */
  readonly tier: 0 | 1 | 2 | 3
  /** A thread ran, or the tree changed, since the sample before. */
  readonly moved: boolean
  readonly lastMoved: Instant
  readonly metrics: Metrics
  readonly discarded?: Discarded
  readonly pair?: SnapshotPair
  /** The root is gone: this is the last sample. */
  readonly isGone?: true
}

export type Sampler = {
  /** Output or an event that counts as progress came. */
  progress(at: Instant): void
  /** Takes a sample now, with a pair. `onSample` is not called. */
  look(): Sample
  close(): void
}

export type Watching = {
  readonly clock: Clock
  readonly reader: ProcessReader
  /** Called with each sample, about once a second. */
  readonly onSample: (sample: Sample) => void
  /** ms since boot with the time that the machine slept; the system's where it is left out. */
  readonly uptime?: () => number
}

/** ms from tick to tick. */
const tickMs = 1000
/** ms between scans of processes while nothing is known to run; only where the activity can't tell. */
const blindInterval = 5000
/** A tick that comes this much too late, ms, says nothing about the tree: lull itself did not run. */
const latest = 1500
/** Uptime is told in whole seconds on some systems. */
const sleptFor = 2000
/** Percent of one processor's time that threads waited for one, from which a window counts as starved. */
const starvedFrom = 20
/** ms between looks at the counters of connections. */
const betweenSuspects = 30_000
/** Scans of processes may not take more of the time than this part of it, while the tree runs; a last one when it rests. */
const share = 1 / 50
const restingShare = 1 / 10

export function watchTree(
  root: number,
  { clock, reader, onSample, uptime = () => os.uptime() * 1000 }: Watching,
): Sampler {
  const activity = reader.activity?.()
  let plan = newPairPlan(clock.now())
  let metrics = noMetrics
  let lastMoved = clock.now()
  let lastTick: Instant | undefined
  let planned = clock.now()
  let lastUptime = uptime()
  /** `cost`: ms of processor time; a busy machine must not make lull look away. */
  let lastScan: { readonly snapshot: Snapshot; readonly at: Instant; readonly cost: number } | undefined
  let owesScan = false
  let lastSuspects = Number.NEGATIVE_INFINITY
  let before: { readonly snapshot: Snapshot; readonly depth: Depth } | undefined
  let isClosed = false
  let timer: Timer | undefined

  const scan = (depth: Depth, at: Instant): Snapshot | undefined => {
    const start = process.cpuUsage()
    const snapshot = reader.snapshot(root, depth)
    if (!snapshot) return undefined
    metrics = measure(lastScan?.snapshot, snapshot, metrics)
    if (!lastScan || !isSameTree(lastScan.snapshot, snapshot, 'whatever ran'))
      activity?.follow(
        snapshot.processes.flatMap(({ pid, threads }) => threads.map(({ tid }) => [pid, tid] as const)),
      )
    const { user, system } = process.cpuUsage(start)
    lastScan = { snapshot, at, cost: (user + system) / 1000 }
    return snapshot
  }

  const broken = (at: Instant): Discarded | undefined => {
    const up = uptime()
    const slept = lastTick === undefined ? 0 : up - lastUptime - (at - lastTick)
    lastUptime = up
    if (slept > sleptFor) return 'suspended'
    return at - planned > latest ? 'late' : undefined
  }

  /** Whether anything ran; where the activity can't tell, a scan of times does, now and then. */
  const hasMoved = (at: Instant): { readonly moved: boolean; readonly isScanned: boolean } | undefined => {
    const ran = activity?.poll() ?? false
    const isBlind = !activity?.isWhole()
    // What ran may have started others, which nobody follows yet.
    owesScan ||= ran
    const spent = (lastScan?.cost ?? 0) / (owesScan && !ran ? restingShare : share)
    const wait = Math.max(tickMs / 2, spent, owesScan ? 0 : blindInterval)
    const isDue = !lastScan || ((owesScan || isBlind) && at - lastScan.at >= wait)
    if (!isDue) return { moved: owesScan, isScanned: false }
    owesScan = false
    const old = lastScan?.snapshot
    const snapshot = scan('tree', at)
    return snapshot && { moved: ran || !old || !isSameTree(old, snapshot, 'nothing ran'), isScanned: true }
  }

  const take = (at: Instant): Sample => {
    const discarded = broken(at)
    lastTick = at
    const found = hasMoved(at)
    if (!found) return { at, tier: 1, moved: true, lastMoved: at, metrics: noMetrics, isGone: true }
    if (found.moved) lastMoved = at
    if (!found.moved) metrics = atRest(metrics)
    const step = planPair(plan, { at, moved: found.moved, isBroken: discarded !== undefined })
    plan = step.plan
    if (!step.keepsBefore) before = undefined
    const pair = step.isDeep ? deepen(at) : undefined
    const starved = metrics.delayPercent > starvedFrom ? 'starved' : undefined
    const why = discarded ?? starved
    return {
      at,
      tier: pair ? (before?.depth === 'suspects' ? 3 : 2) : found.isScanned ? 1 : 0,
      moved: found.moved,
      lastMoved,
      metrics,
      ...(why && { discarded: why }),
      ...(pair && { pair }),
    }
  }

  /** A scan that is the second of a pair where there is a first, and the first of the next in any case. */
  const deepen = (at: Instant): SnapshotPair | undefined => {
    const isSuspect = before ? before.depth === 'suspects' : at - lastSuspects >= betweenSuspects
    const depth: Depth = isSuspect ? 'suspects' : 'calls'
    const used = metrics
    const after = scan(depth, at)
    if (!after) return undefined
    metrics = {
      ...metrics,
      cpuPercent: used.cpuPercent,
      delayPercent: used.delayPercent,
      ioBytes: used.ioBytes,
    }
    if (isSuspect) lastSuspects = at
    const pair = before && { before: before.snapshot, after }
    before = { snapshot: after, depth }
    plan = afterScan(plan, at, pair !== undefined, lastScan?.cost ?? 0)
    return pair
  }

  const tick = () => {
    if (isClosed) return
    const at = clock.now()
    if (at < planned) {
      // Node's timers may fire a little early, and two ticks have to be two seconds.
      timer = clock.at(planned, tick)
      return
    }
    const sample = take(at)
    if (sample.isGone) close()
    // A scan that takes longer than a tick is not lull's being late.
    planned = Math.max(at + tickMs, clock.now())
    if (!isClosed) timer = clock.at(planned, tick)
    onSample(sample)
  }

  const close = () => {
    if (isClosed) return
    isClosed = true
    timer?.cancel()
    activity?.close()
  }

  timer = clock.at(planned, tick)
  return {
    progress(at) {
      plan = { ...plan, progress: Math.max(plan.progress, at) }
    },
    look() {
      const sample = take(clock.now())
      if (sample.pair || sample.isGone) return sample
      const pair = deepen(sample.at) ?? deepen(sample.at)
      return pair ? { ...sample, tier: 2, pair } : sample
    },
    close,
  }
}
