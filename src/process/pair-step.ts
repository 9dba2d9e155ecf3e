/** When a sampler looks deep: as soon as the tree is quiet, and now and then while it moves without anything new. */
import type { Instant } from '../core/state.ts'

export type CutPlan = {
  /** Ticks in a row in which nothing ran. */
  readonly quiet: number
  /** Cuts since something ran. */
  readonly cuts: number
  /** When the last cut was given, and what its last scan cost, ms of processor time. */
  readonly last: Instant
  readonly cost: number
  readonly novelty: Instant
  /** A first scan was taken whose second is to follow. */
  readonly isOpen: boolean
}

export const newCutPlan = (at: Instant): CutPlan => ({
  quiet: 0,
  cuts: 0,
  last: Number.NEGATIVE_INFINITY,
  cost: 0,
  novelty: at,
  isOpen: false,
})

/**
 * ms without anything new after which a tree that moves is looked at as well (docs/research/process.md#when-to-look).
 */
const longWithoutNovelty = 10_000

/**
 * ms from one cut to the next while nothing moves: the first are for the diagnosis to settle. Later ones are only there for
 * what changes without the tree, as a connection's retries do.
 */
const betweenQuietCuts = [2_000, 5_000, 10_000, 30_000] as const
const betweenMovingCuts = 10_000

/** A scan may not take more of the time than this part of it: of a tree that runs now and then, and of one that rests. */
const share = 1 / 20
const restingShare = 1 / 2000
/** ms between cuts at most, whatever they cost. */
const longestWait = 300_000

type Tick = { readonly at: Instant; readonly moved: boolean; readonly isBroken: boolean }

export type CutStep = {
  readonly plan: CutPlan
  /** Take a deep scan now. */
  readonly isDeep: boolean
  /** The scan before still counts as the first of a cut. */
  readonly keepsBefore: boolean
}

/** @param tick.isBroken the window can't be trusted: what was scanned before it is no half of a cut */
export function planCut(before: CutPlan, { at, moved, isBroken }: Tick): CutStep {
  const isStale = at - before.novelty >= longWithoutNovelty
  const isMoving = moved || isBroken
  const plan: CutPlan = {
    ...before,
    quiet: isMoving ? 0 : before.quiet + 1,
    cuts: isMoving ? 0 : before.cuts,
    isOpen: before.isOpen && !isBroken && (!moved || isStale),
  }
  const keepsBefore = plan.isOpen || !isMoving
  if (plan.isOpen) return { plan, isDeep: true, keepsBefore }
  const wait =
    plan.quiet > 0 ? quietWait(plan) : isStale ? longer(betweenMovingCuts, plan, restingShare) : undefined
  return { plan, isDeep: wait !== undefined && at - plan.last >= wait, keepsBefore }
}

const longer = (ms: number, { cost }: CutPlan, part: number): number =>
  Math.max(ms, Math.min(longestWait, cost / part))

const quietWait = (plan: CutPlan): number => {
  const between = plan.cuts > 0 && betweenQuietCuts[Math.min(plan.cuts, betweenQuietCuts.length) - 1]
  return between ? longer(between, plan, restingShare) : longer(0, plan, share)
}

/** After a deep scan: `gave` a cut, or it was the first half of one. */
export const afterScan = (plan: CutPlan, at: Instant, gave: boolean, cost: number): CutPlan =>
  gave ? { ...plan, cuts: plan.cuts + 1, last: at, cost, isOpen: false } : { ...plan, cost, isOpen: true }
