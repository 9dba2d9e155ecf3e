import { describe, expect, test } from 'vitest'
import { afterScan, newPairPlan, type PairPlan, planPair } from '../../src/process/pair-step.ts'

/** When a sampler looks deep. Times are ms; a tick a second. */

const still = { moved: false, isBroken: false }
const running = { moved: true, isBroken: false }

type World = {
  /** Processor time that a deep scan takes. */
  readonly cost?: number
  readonly moves?: (at: number) => boolean
  readonly breaks?: (at: number) => boolean
  /** Something new came. */
  readonly progresses?: (at: number) => boolean
}

/** The instants at which pairs are given, until `end`. */
function pairsOf(end: number, { cost = 1, moves = () => false, breaks, progresses }: World = {}): number[] {
  const pairs: number[] = []
  let plan = newPairPlan(0)
  let isBegun = false
  for (let at = 1000; at <= end; at += 1000) {
    if (progresses?.(at)) plan = { ...plan, progress: at }
    const step = planPair(plan, { at, moved: moves(at), isBroken: breaks?.(at) ?? false })
    plan = step.plan
    if (!step.keepsBefore) isBegun = false
    if (!step.isDeep) continue
    if (isBegun) pairs.push(at)
    plan = afterScan(plan, at, isBegun, cost)
    isBegun = true
  }
  return pairs
}

describe('a tree that rests', () => {
  test('is looked at at once, and then more and more seldom', () =>
    expect(pairsOf(110_000)).toEqual([2000, 4000, 9000, 19_000, 49_000, 79_000, 109_000]))

  test.each([
    [1, 30_000],
    [15, 30_000],
    [16, 32_000],
    [100, 200_000],
    [150, 300_000],
    [5000, 300_000],
  ])('whose scan takes %i ms is looked at every %i ms', (cost, every) => {
    const pairs = pairsOf(3_000_000, { cost })
    expect((pairs.at(-1) ?? 0) - (pairs.at(-2) ?? 0)).toBe(every)
  })
})

describe('a tree that runs', () => {
  const always = () => true

  test('is not looked at while it brings something new', () =>
    expect(pairsOf(60_000, { moves: always, progresses: always })).toEqual([]))

  test('and brings nothing new for four seconds is, and ten seconds later again', () =>
    expect(pairsOf(33_000, { moves: always })).toEqual([5000, 16_000, 27_000]))

  test.each([
    [5, 11_000],
    [6, 13_000],
    [200, 301_000],
  ])('and brings nothing new, where a scan takes %i ms, every %i ms', (cost, every) => {
    const pairs = pairsOf(3_000_000, { moves: always, cost })
    expect((pairs.at(-1) ?? 0) - (pairs.at(-2) ?? 0)).toBe(every)
  })

  test('begins anew each time: half a pair from before is none', () => {
    const progresses = always
    expect(pairsOf(9000, { moves: at => at === 2000, progresses })).toEqual([4000, 6000])
    expect(pairsOf(9000, { breaks: at => at === 2000 })).toEqual([4000, 6000])
    expect(pairsOf(13_000, { moves: always, breaks: at => at === 5000 })).toEqual([6000])
  })

  test.each([
    [50, 2],
    [100, 4],
    [200, 6],
  ])('every third second, where a scan takes %i ms, is not looked at all the time', (cost, fewest) => {
    const moves = (at: number) => at % 3000 === 0
    const dear = pairsOf(60_000, { moves, cost, progresses: always }).length
    const cheap = pairsOf(60_000, { moves, cost: 1, progresses: always }).length
    expect(cheap).toBe(20)
    expect(dear).toBeLessThanOrEqual(20)
    expect(dear).toBeGreaterThanOrEqual(fewest)
  })
})

describe('a step', () => {
  const plan: PairPlan = { ...newPairPlan(0), last: 10_000, cost: 50, progress: 10_000 }

  test.each([
    [10_999, false],
    [11_000, true],
  ])('at %i, of a tree that ran and whose scan took 50 ms: deep is %s', (at, isDeep) =>
    expect(planPair(plan, { at, ...still }).isDeep).toBe(isDeep),
  )

  test.each([
    [13_999, false],
    [14_000, true],
  ])('at %i, of a tree that runs without anything new: deep is %s', (at, isDeep) =>
    expect(planPair({ ...plan, cost: 1, last: 0 }, { at, ...running }).isDeep).toBe(isDeep),
  )

  test('says whether the scan before still counts', () => {
    const open = { ...plan, isOpen: true }
    expect(planPair(open, { at: 11_000, ...still }).keepsBefore).toBe(true)
    expect(planPair(open, { at: 11_000, ...running }).keepsBefore).toBe(false)
    expect(planPair(open, { at: 21_000, ...running }).keepsBefore).toBe(true)
    expect(planPair(open, { at: 21_000, moved: false, isBroken: true }).keepsBefore).toBe(false)
    expect(planPair(plan, { at: 11_000, ...still }).keepsBefore).toBe(true)
    expect(planPair(plan, { at: 21_000, ...running }).keepsBefore).toBe(false)
  })
})
