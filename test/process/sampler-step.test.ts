import { describe, expect, test } from 'vitest'
import { noMetrics } from '../../src/process/metrics.ts'
import {
  isNewTree,
  lastSample,
  newSampler,
  nextDepth,
  noteProgress,
  openTick,
  type SamplerState,
  sampleOf,
  settleTick,
  takeDeepScan,
  takeScan,
  withCost,
} from '../../src/process/sampler-step.ts'
import { snapshot, still, thread, tree } from '../support/process-tree.ts'

/** What a sampler decides, one tick at a time. Times are ms. */

const scanOf = (slices = 5, cpu = 0, pid = 1) =>
  snapshot([tree(pid, { threads: [thread(pid, still, { slices, cpu })] })])
const scanned = (at: number, cost: number, state = newSampler(0, 0)): SamplerState =>
  withCost(takeScan(state, scanOf(), at), cost)
const seen = (at: number, more: object = {}) => ({ at, uptime: at, ran: false, isWhole: true, ...more })

describe('a tick', () => {
  test('begins with a scan', () => {
    expect(openTick(newSampler(0, 0), seen(0)).tick).toEqual({
      at: 0,
      ran: false,
      discarded: undefined,
      isScanDue: true,
    })
  })

  test.each<[string, object, number, boolean]>([
    ['nothing ran', {}, 90_000, false],
    ['something ran', { ran: true }, 1500, true],
    ['something ran, just after a scan', { ran: true }, 1499, false],
    ['nobody knows whether anything ran', { isWhole: false }, 6000, true],
    ['nobody knows, just after a scan', { isWhole: false }, 5999, false],
  ])('%s: %j at %i', (_, more, at, isDue) =>
    expect(openTick(scanned(1000, 0), seen(at, more)).tick.isScanDue).toBe(isDue),
  )

  test.each<[string, object, boolean, number, boolean]>([
    ['a fiftieth of the time while it runs', { ran: true }, false, 5999, false],
    ['and no more', { ran: true }, false, 6000, true],
    ['a tenth for the last one, when it rests', {}, true, 1999, false],
    ['and no more', {}, true, 2000, true],
    ['a fiftieth while it runs on', { ran: true }, true, 2000, false],
  ])('scans that take 100 ms take %s', (_, more, owesScan, at, isDue) =>
    expect(openTick({ ...scanned(1000, 100), owesScan }, seen(at, more)).tick.isScanDue).toBe(isDue),
  )

  test('remembers that something ran until a scan has looked', () => {
    const ran = openTick(scanned(1000, 0), seen(1100, { ran: true })).state
    expect(ran.owesScan).toBe(true)
    expect(openTick(ran, seen(1200)).state.owesScan).toBe(true)
    expect(openTick(ran, seen(2000)).tick.isScanDue).toBe(true)
    expect(ran).toMatchObject({ lastTick: 1100, uptime: 1100 })
  })

  test.each<[string, number, number, string | undefined]>([
    ['in time', 3500, 3500, undefined],
    ['too late', 3501, 3501, 'late'],
    ['after a sleep', 2000, 4001, 'suspended'],
    ['after a nap', 2000, 4000, undefined],
  ])('that comes %s', (_, at, uptime, discarded) => {
    const state = { ...scanned(1000, 0), lastTick: 1000, uptime: 1000, due: 2000 }
    expect(openTick(state, seen(at, { uptime })).tick.discarded).toBe(discarded)
    const first = { ...state, lastTick: undefined }
    expect(openTick(first, seen(2000, { uptime: 90_000 })).tick.discarded).toBeUndefined()
  })
})

describe('a scan', () => {
  test('is new where its threads are', () => {
    expect(isNewTree(newSampler(0, 0), scanOf())).toBe(true)
    expect(isNewTree(scanned(0, 0), scanOf())).toBe(false)
    expect(isNewTree(scanned(0, 0), scanOf(9, 9))).toBe(false)
    expect(isNewTree(scanned(0, 0), scanOf(5, 0, 2))).toBe(true)
  })

  test('costs what it costs', () => {
    expect(withCost(newSampler(0, 0), 5)).toEqual(newSampler(0, 0))
    expect(scanned(7, 5).lastScan).toEqual({ snapshot: scanOf(), at: 7, cost: 5 })
  })
})

describe('whether it moved', () => {
  const before = scanned(1000, 0)
  const tick = { at: 2000, ran: false, discarded: undefined, isScanDue: true }
  const settle = (after: SamplerState, more: object = {}, from = before) =>
    settleTick(after, { ...tick, ...more }, from)

  test('a scan tells', () => {
    const same = takeScan(before, scanOf(), 2000)
    expect(settle(same)).toMatchObject({ moved: false, state: { lastMoved: 0, owesScan: false } })
    expect(settle(takeScan(before, scanOf(6), 2000))).toMatchObject({
      moved: true,
      state: { lastMoved: 2000 },
    })
    expect(settle(same, { ran: true }).moved).toBe(true)
    expect(settle(same, {}, newSampler(0, 0)).moved).toBe(true)
    expect(settle({ ...same, owesScan: true }).state.owesScan).toBe(false)
  })

  test('without one, what ran before tells', () => {
    const without = { isScanDue: false }
    expect(settle(before, without)).toMatchObject({ moved: false, state: { owesScan: false } })
    expect(settle({ ...before, owesScan: true }, without)).toMatchObject({
      moved: true,
      state: { owesScan: true },
    })
  })

  test('what rests uses nothing', () => {
    const busy = { ...before, metrics: { ...noMetrics, cpuPercent: 50, fds: 3 } }
    expect(settle(busy, { isScanDue: false }).state.metrics).toMatchObject({ cpuPercent: 0, fds: 3 })
    expect(settle({ ...busy, owesScan: true }, { isScanDue: false }).state.metrics.cpuPercent).toBe(50)
  })

  test('what it was scanned for before counts no more once it moved', () => {
    const half = { ...before, before: { snapshot: scanOf(), depth: 'calls' } } as const
    expect(settle(half, { isScanDue: false }).state.before).toBe(half.before)
    expect(settle({ ...half, owesScan: true }, { isScanDue: false }).state.before).toBeUndefined()
    expect(settle(half, { isScanDue: false, discarded: 'late' }).state.before).toBeUndefined()
  })
})

describe('a deep scan', () => {
  const half = (depth: 'calls' | 'suspects'): SamplerState => ({
    ...newSampler(0, 0),
    before: { snapshot: scanOf(), depth },
  })

  test('asks for the counters of connections each thirty seconds, for both halves of a pair', () => {
    expect(nextDepth(newSampler(0, 0), 0)).toBe('suspects')
    expect(nextDepth({ ...newSampler(0, 0), lastSuspects: 1000 }, 30_999)).toBe('calls')
    expect(nextDepth({ ...newSampler(0, 0), lastSuspects: 1000 }, 31_000)).toBe('suspects')
    expect(nextDepth({ ...half('calls'), lastSuspects: 1000 }, 90_000)).toBe('calls')
    expect(nextDepth({ ...half('suspects'), lastSuspects: 1000 }, 1001)).toBe('suspects')
  })

  test('is the first half of a pair, or the second', () => {
    const first = takeDeepScan(scanned(5000, 9), 'calls', newSampler(0, 0))
    expect(first.pair).toBeUndefined()
    expect(first.state).toMatchObject({ before: { depth: 'calls' }, plan: { isOpen: true, cost: 9 } })
    expect(first.state.lastSuspects).toBe(Number.NEGATIVE_INFINITY)
    const second = takeDeepScan(scanned(5000, 9), 'suspects', half('suspects'))
    expect(second.pair).toEqual({ before: scanOf(), after: scanOf() })
    expect(second.state).toMatchObject({ lastSuspects: 5000, plan: { isOpen: false, pairs: 1, last: 5000 } })
    expect(takeDeepScan(newSampler(0, 0), 'calls', half('calls')).pair).toBeUndefined()
  })

  test('tells what the tick used, and not the moment that it took', () => {
    const used = { cpuPercent: 7, delayPercent: 8, ioBytes: 9 }
    const state = { ...scanned(5000, 9), metrics: { ...noMetrics, cpuPercent: 99, connections: 4 } }
    const before = { ...newSampler(0, 0), metrics: { ...noMetrics, ...used } }
    expect(takeDeepScan(state, 'calls', before).state.metrics).toEqual({
      ...noMetrics,
      ...used,
      connections: 4,
    })
  })
})

describe('a sample', () => {
  const tick = { at: 2000, ran: false, discarded: undefined, isScanDue: false }
  const pair = { before: scanOf(), after: scanOf() }
  const state = (depth?: 'calls' | 'suspects', delayPercent = 0): SamplerState => ({
    ...newSampler(5, 0),
    metrics: { ...noMetrics, delayPercent },
    before: depth && { snapshot: scanOf(), depth },
  })

  test('tells how deep it looked', () => {
    expect(sampleOf(state(), tick, false, undefined)).toEqual({
      at: 2000,
      tier: 0,
      moved: false,
      lastMoved: 5,
      metrics: noMetrics,
    })
    expect(sampleOf(state('suspects'), { ...tick, isScanDue: true }, true, undefined)).toMatchObject({
      tier: 1,
      moved: true,
    })
    expect(sampleOf(state('calls'), tick, false, pair)).toMatchObject({ tier: 2, pair })
    expect(sampleOf(state('suspects'), tick, false, pair).tier).toBe(3)
    expect(sampleOf(state(), tick, false, pair).tier).toBe(2)
  })

  test('tells why it must not count as quiet', () => {
    const why = (delayPercent: number, discarded?: 'late') =>
      sampleOf(state(undefined, delayPercent), { ...tick, discarded }, false, undefined).discarded
    expect(why(20)).toBeUndefined()
    expect(why(20.1)).toBe('starved')
    expect(why(20.1, 'late')).toBe('late')
  })

  test('of a root that is gone is the last', () => {
    expect(lastSample(7)).toEqual({
      at: 7,
      tier: 1,
      moved: true,
      lastMoved: 7,
      metrics: noMetrics,
      isGone: true,
    })
  })

  test('progress is the latest that came', () => {
    const noted = noteProgress(newSampler(0, 0), 50)
    expect(noted.plan.progress).toBe(50)
    expect(noteProgress(noted, 40).plan.progress).toBe(50)
  })
})
