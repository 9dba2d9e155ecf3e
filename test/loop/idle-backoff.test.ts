/** The arithmetic of idleness: whatever the numbers, a wait is finite, capped, and never goes beyond `max`. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  delayAfter,
  type IdleRule,
  type IdleRun,
  idleDefaults,
  idleFor,
  nextWait,
  oneMore,
  resumed,
  suspended,
} from '../../src/loop/step/idle-backoff.ts'

/** Any rule that a file may have. */
const rules = fc
  .record({
    delay: fc.oneof(fc.integer({ min: 1, max: 1e9 }), fc.constant(1)),
    backoff: fc.oneof(
      fc.constantFrom(1, 1 + Number.EPSILON, 2, 1e308, Number.MAX_VALUE),
      fc.double({ min: 1, max: 1e6, noNaN: true }),
    ),
    longer: fc.integer({ min: 0, max: 1e12 }),
    most: fc.oneof(fc.integer({ min: 0, max: 1e12 }), fc.constant(1e300)),
  })
  .map(
    ({ delay, backoff, longer, most }): IdleRule => ({
      delay,
      backoff,
      maxDelay: delay + longer,
      max: delay + most,
    }),
  )

const counts = fc.oneof(
  fc.integer({ min: 1, max: 100_000 }),
  fc.constantFrom(1, 2, 1025, Number.MAX_SAFE_INTEGER),
)

describe('the wait after the nth idle iteration', () => {
  test('document 001: 30 s, 1, 2, 4 min, then 5', () => {
    const waits = [1, 2, 3, 4, 5, 6, 1025, 100_000].map(count => delayAfter(idleDefaults, count) / 1000)
    expect(waits).toEqual([30, 60, 120, 240, 300, 300, 300, 300])
  })

  test('is a number above 0, and never longer than max_delay', () => {
    fc.assert(
      fc.property(rules, counts, (rule, count) => {
        const wait = delayAfter(rule, count)
        expect(Number.isFinite(wait)).toBe(true)
        expect(wait).toBeGreaterThanOrEqual(Math.min(rule.delay, rule.maxDelay))
        expect(wait).toBeLessThanOrEqual(rule.maxDelay)
      }),
    )
  })

  test('the first is the delay, and none is shorter than the one before', () => {
    fc.assert(
      fc.property(rules, fc.integer({ min: 1, max: 3000 }), (rule, count) => {
        expect(delayAfter(rule, 1)).toBe(rule.delay)
        expect(delayAfter(rule, count + 1)).toBeGreaterThanOrEqual(delayAfter(rule, count))
      }),
    )
  })
})

/** Idles until it may no more; each iteration takes `busy` ms, the agent asks for `wanted`. */
function idleAway(rule: IdleRule, busy: number, most: number, wanted?: number) {
  let run: IdleRun | undefined
  let now = 0
  const waits: number[] = []
  while (waits.length < most) {
    now += busy
    run = oneMore(run, now)
    const wait = nextWait(rule, run, now, wanted)
    if (wait === undefined) return { waits, now, run }
    waits.push(wait)
    now += wait
  }
  return { waits, now, run }
}

describe('a hundred thousand idle iterations', () => {
  test.each([
    ['as document 001 has it', idleDefaults],
    ['the steepest backoff', { ...idleDefaults, backoff: Number.MAX_VALUE }],
    ['no backoff at all', { ...idleDefaults, backoff: 1 }],
  ])('%s: every wait is a number', (_, rule) => {
    const { waits, now, run } = idleAway({ ...rule, max: 1e12 }, 12_000, 100_000)
    expect(waits).toHaveLength(100_000)
    expect(waits.every(wait => wait > 0 && wait <= rule.maxDelay)).toBe(true)
    expect(Number.isSafeInteger(now)).toBe(true)
    expect(run).toMatchObject({ count: 100_000, since: 12_000 })
  })
})

describe('max', () => {
  test('no wait goes beyond it, and it ends at it', () => {
    const busy = fc.integer({ min: 0, max: 600_000 })
    const wanted = fc.option(fc.integer({ min: 1, max: 1e9 }), { nil: undefined })
    const modest = rules.filter(rule => rule.max < 1e12)
    fc.assert(
      fc.property(modest, busy, wanted, (rule, each, asked) => {
        const { waits, now } = idleAway(rule, each, 5000, asked)
        const waited = waits.reduce((sum, wait) => sum + wait, 0)
        expect(waited).toBeLessThanOrEqual(rule.max)
        // The first iteration ends before idleness begins, and the last may run beyond it.
        if (waits.length < 5000) expect(now - each).toBeLessThanOrEqual(rule.max + each)
      }),
    )
  })

  test('document 001: 6 h, reached to the millisecond where iterations take no time', () => {
    const { now, waits } = idleAway(idleDefaults, 0, 1e6)
    expect(now).toBe(6 * 3_600_000)
    expect(waits.at(-1)).toBeLessThanOrEqual(300_000)
  })

  test('a wait that the agent asks for is cut as well', () => {
    expect(nextWait(idleDefaults, { count: 1, since: 0 }, 0, 1e12)).toBe(idleDefaults.max)
    expect(nextWait(idleDefaults, { count: 1, since: 0 }, idleDefaults.max, 1e12)).toBeUndefined()
  })
})

describe('time that does not count', () => {
  test('is left out, once, however often it is suspended', () => {
    fc.assert(
      fc.property(fc.nat(1e9), fc.nat(1e9), fc.nat(1e9), (before, limited, later) => {
        const run: IdleRun = { count: 3, since: 0 }
        const held = suspended(suspended(run, before), before + limited / 2)
        expect(idleFor(held, before + limited)).toBe(before)
        const again = resumed(held, before + limited)
        expect(idleFor(again, before + limited + later)).toBe(before + later)
        expect(resumed(again, 1e12)).toEqual(again)
      }),
    )
  })
})
