/** When a sampler looks deep: as soon as the tree is quiet, and now and then while it moves without anything new. */
import type { Instant } from '../core/state.ts'

export type PairPlan = {
  /** Ticks in a row in which nothing ran. */
  readonly quiet: number
  /** Cuts since something ran. */
  readonly pairs: number
  /** When the last pair was given, and what its last scan cost, ms of processor time. */
  readonly last: Instant
  readonly cost: number
  readonly progress: Instant
  /** The first scan of a pair was taken; the second follows. */
  readonly isOpen: boolean
}

export const newPairPlan = (at: Instant): PairPlan => ({
  quiet: 0,
  pairs: 0,
  last: Number.NEGATIVE_INFINITY,
  cost: 0,
  progress: at,
  isOpen: false,
})

/**
 * ms without anything new after which a tree that moves is looked at as well (docs/research/process.md#when-to-look).
 */
const longWithoutProgress = 4_000

/**
 * ms from one pair to the next while nothing moves: the first are for the diagnosis to settle. Later ones are only there for
 * what changes without the tree, as a connection's retries do.
 */
const betweenQuietPairs = [2_000, 5_000, 10_000, 30_000] as const
const betweenMovingPairs = 10_000

/** A scan may not take more of the time than this part of it: of a tree that runs now and then, and of one that rests. */
const share = 1 / 20
const restingShare = 1 / 2000
/** ms between pairs at most, whatever they cost. */
const longestWait = 300_000

type Tick = { readonly at: Instant; readonly moved: boolean; readonly isBroken: boolean }

export type PairStep = {
  readonly plan: PairPlan
  /** Take a deep scan now. */
  readonly isDeep: boolean
  /** The scan before still counts as the first of a pair. */
  readonly keepsBefore: boolean
}

/** @param tick.isBroken the window can't be trusted: what was scanned before it is no half of a pair */
export function planPair(before: PairPlan, { at, moved, isBroken }: Tick): PairStep {
  const isStale = at - before.progress >= longWithoutProgress
  const isMoving = moved || isBroken
  const plan: PairPlan = {
    ...before,
    quiet: isMoving ? 0 : before.quiet + 1,
    pairs: isMoving ? 0 : before.pairs,
    isOpen: before.isOpen && !isBroken && (!moved || isStale),
  }
  const keepsBefore = plan.isOpen || !isMoving
  if (plan.isOpen) return { plan, isDeep: true, keepsBefore }
  const wait =
    plan.quiet > 0 ? quietWait(plan) : isStale ? longer(betweenMovingPairs, plan, restingShare) : undefined
  return { plan, isDeep: wait !== undefined && at - plan.last >= wait, keepsBefore }
}

const longer = (ms: number, { cost }: PairPlan, part: number): number =>
  Math.max(ms, Math.min(longestWait, cost / part))

const quietWait = (plan: PairPlan): number => {
  const between = plan.pairs > 0 && betweenQuietPairs[Math.min(plan.pairs, betweenQuietPairs.length) - 1]
  return between ? longer(between, plan, restingShare) : longer(0, plan, share)
}

/** After a deep scan: `gave` a pair, or it was the first half of one. */
export const afterScan = (plan: PairPlan, at: Instant, gave: boolean, cost: number): PairPlan =>
  gave ? { ...plan, pairs: plan.pairs + 1, last: at, cost, isOpen: false } : { ...plan, cost, isOpen: true }
