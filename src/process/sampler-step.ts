/** What a sampler knows of a tree, which scan it takes next, and what a sample contains. */
import type { Instant } from '../core/state.ts'
import { atRest, isSameTree, type Metrics, measure, noMetrics } from './metrics.ts'
import { afterScan, newPairPlan, type PairPlan, planPair } from './pair-step.ts'
import type { Depth } from './process-reader.ts'
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

/** `cost`: ms of processor time; a busy machine must not make lull look away. */
type Scan = { readonly snapshot: Snapshot; readonly at: Instant; readonly cost: number }

export type SamplerState = {
  readonly plan: PairPlan
  readonly metrics: Metrics
  readonly lastMoved: Instant
  readonly lastTick: Instant | undefined
  /** When the next tick is due. */
  readonly due: Instant
  readonly uptime: number
  readonly lastScan: Scan | undefined
  /** Something ran that no scan has looked at yet. */
  readonly owesScan: boolean
  readonly lastSuspects: Instant
  /** What may become the first half of a pair. */
  readonly before: { readonly snapshot: Snapshot; readonly depth: Depth } | undefined
}

export const newSampler = (at: Instant, uptime: number): SamplerState => ({
  plan: newPairPlan(at),
  metrics: noMetrics,
  lastMoved: at,
  lastTick: undefined,
  due: at,
  uptime,
  lastScan: undefined,
  owesScan: false,
  lastSuspects: Number.NEGATIVE_INFINITY,
  before: undefined,
})

/** ms from tick to tick. */
export const tickMs = 1000
/** ms between scans of processes while nothing is known to run; only where the activity can't tell. */
const blindInterval = 5000
/** A tick that is later than this, ms, is no evidence about the tree: lull itself did not run. */
const latest = 1500
/** Some systems report uptime in whole seconds. */
const sleptFor = 2000
/** Percent of one processor's time that threads waited for one, from which a window counts as starved. */
const starvedFrom = 20
/** ms between looks at the counters of connections. */
const betweenSuspects = 30_000
/** Scans of processes may not take more of the time than this part of it, while the tree runs; a last one when it rests. */
const share = 1 / 50
const restingShare = 1 / 10

type Tick = {
  readonly at: Instant
  /** A thread ran since the tick before, as far as the activity poll shows. */
  readonly ran: boolean
  readonly discarded: Discarded | undefined
  readonly isScanDue: boolean
}

type Seen = {
  readonly at: Instant
  readonly uptime: number
  readonly ran: boolean
  /** The activity poll follows all threads; without it only a scan of times shows whether anything ran. */
  readonly isWhole: boolean
}

export function openTick(
  state: SamplerState,
  { at, uptime, ran, isWhole }: Seen,
): { state: SamplerState; tick: Tick } {
  const { lastScan, lastTick } = state
  const slept = lastTick === undefined ? 0 : uptime - state.uptime - (at - lastTick)
  const discarded = slept > sleptFor ? 'suspended' : at - state.due > latest ? 'late' : undefined
  // What ran may have started others, which nobody follows yet.
  const owesScan = state.owesScan || ran
  const spent = (lastScan?.cost ?? 0) / (owesScan && !ran ? restingShare : share)
  const wait = Math.max(tickMs / 2, spent, owesScan ? 0 : blindInterval)
  const isScanDue = !lastScan || ((owesScan || !isWhole) && at - lastScan.at >= wait)
  return {
    state: { ...state, lastTick: at, uptime, owesScan },
    tick: { at, ran, discarded, isScanDue },
  }
}

/** Takes a scan in. Its cost is added later (`withCost`), because this step is part of it. */
export function takeScan(state: SamplerState, snapshot: Snapshot, at: Instant): SamplerState {
  const metrics = measure(state.lastScan?.snapshot, snapshot, state.metrics)
  return { ...state, metrics, lastScan: { snapshot, at, cost: 0 } }
}

export const withCost = (state: SamplerState, cost: number): SamplerState =>
  state.lastScan ? { ...state, lastScan: { ...state.lastScan, cost } } : state

/** The tree has other threads than in the scan before: the activity poll must follow them. */
export const isNewTree = (state: SamplerState, snapshot: Snapshot): boolean =>
  !state.lastScan || !isSameTree(state.lastScan.snapshot, snapshot, 'whatever ran')

/**
 * Whether the tree moved, and what that asks for.
 * @param before the state before the tick's scan was taken in
 */
export function settleTick(
  state: SamplerState,
  tick: Tick,
  before: SamplerState,
): { state: SamplerState; moved: boolean; isDeep: boolean } {
  const { at, ran, discarded, isScanDue } = tick
  const [old, now] = [before.lastScan?.snapshot, state.lastScan?.snapshot]
  const isChanged = !old || !now || !isSameTree(old, now, 'nothing ran')
  const moved = isScanDue ? ran || isChanged : state.owesScan
  const { plan, isDeep, keepsBefore } = planPair(state.plan, { at, moved, isBroken: discarded !== undefined })
  return {
    state: {
      ...state,
      plan,
      owesScan: isScanDue ? false : state.owesScan,
      lastMoved: moved ? at : state.lastMoved,
      metrics: moved ? state.metrics : atRest(state.metrics),
      before: keepsBefore ? state.before : undefined,
    },
    moved,
    isDeep,
  }
}

/** How deep the next deep scan is: both halves of a pair alike. */
export function nextDepth({ before, lastSuspects }: SamplerState, at: Instant): Depth {
  const isSuspect = before ? before.depth === 'suspects' : at - lastSuspects >= betweenSuspects
  return isSuspect ? 'suspects' : 'calls'
}

/**
 * Takes a deep scan in: the second of a pair where there is a first, and the first of the next in any case.
 * @param before the state before it: usage is measured over the tick, not over the moment of the scan
 */
export function takeDeepScan(
  state: SamplerState,
  depth: Depth,
  before: SamplerState,
): { state: SamplerState; pair: SnapshotPair | undefined } {
  const { lastScan } = state
  if (!lastScan) return { state, pair: undefined }
  const { snapshot, at, cost } = lastScan
  const { cpuPercent, delayPercent, ioBytes } = before.metrics
  const pair = before.before && { before: before.before.snapshot, after: snapshot }
  return {
    state: {
      ...state,
      metrics: { ...state.metrics, cpuPercent, delayPercent, ioBytes },
      lastSuspects: depth === 'suspects' ? at : state.lastSuspects,
      before: { snapshot, depth },
      plan: afterScan(state.plan, at, pair !== undefined, cost),
    },
    pair,
  }
}

export function sampleOf(
  { lastMoved, metrics, before }: SamplerState,
  { at, discarded, isScanDue }: Tick,
  moved: boolean,
  pair: SnapshotPair | undefined,
): Sample {
  const starved = metrics.delayPercent > starvedFrom ? 'starved' : undefined
  const why = discarded ?? starved
  return {
    at,
    tier: pair ? (before?.depth === 'suspects' ? 3 : 2) : isScanDue ? 1 : 0,
    moved,
    lastMoved,
    metrics,
    ...(why && { discarded: why }),
    ...(pair && { pair }),
  }
}

export const lastSample = (at: Instant): Sample => ({
  at,
  tier: 1,
  moved: true,
  lastMoved: at,
  metrics: noMetrics,
  isGone: true,
})

/** Output or an event that counts as progress came. */
export const noteProgress = (state: SamplerState, at: Instant): SamplerState => ({
  ...state,
  plan: { ...state.plan, progress: Math.max(state.plan.progress, at) },
})
