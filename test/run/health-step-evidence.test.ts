/** What one sample does to the verdict: which evidence is kept, which counts anew, and what the verdict carries. */
import { describe, expect, test } from 'vitest'
import type { ProcessCause } from '../../src/core/state.ts'
import type { Diagnosis, Proof } from '../../src/process/diagnosis.ts'
import { noMetrics } from '../../src/process/metrics.ts'
import type { Sample } from '../../src/process/sampler-step.ts'
import type { Call, SnapshotPair, Target } from '../../src/process/snapshot.ts'
import { fallbackOf, type HealthInput, newHealth, stepHealth } from '../../src/run/step/health-step.ts'
import { always, presets } from '../../src/run/step/presets.ts'
import type { RunVerdict } from '../../src/run/step/run-verdict.ts'
import { stepSilence } from '../../src/run/step/silence-step.ts'
import { held, pairOf, pipe, rootPid, thread, tree } from '../support/process-tree.ts'

type Given = Partial<Omit<HealthInput, 'sample'>> & { readonly sample?: Partial<Sample> }

/** A sample each second, with what is given of some of them; the verdict of each. */
function verdicts(seconds: number, given: (second: number) => Given): RunVerdict[] {
  let state = newHealth(0)
  return Array.from({ length: seconds }, (_, index) => {
    const at = (index + 1) * 1000
    const { sample, lastOutput = 0, ...more } = given(index + 1)
    const whole: Sample = { at, tier: 0, moved: false, lastMoved: 0, metrics: noMetrics, ...sample }
    const next = stepHealth(state, { sample: whole, lastOutput, ...more }, presets.conservative)
    state = next.state
    return next.verdict
  })
}

/** The last of them. */
const lastOf = (seconds: number, given: (second: number) => Given): RunVerdict =>
  verdicts(seconds, given).at(-1) as RunVerdict

const leaf = { pid: 7, tid: 8, name: 'cat', call: 'read(0)', on: 'a pipe', waker: [] }
const diagnosis = (cause: ProcessCause, proof: Proof, isBlocked: boolean): Diagnosis => ({
  cause,
  proof,
  isBlocked,
  summary: `it has ${cause}`,
  chain: [],
  waits: [],
  doubts: [],
})
const proven = diagnosis('stdin', 'proven', true)
const level = ({ health }: RunVerdict): string => `${health.level} ${health.certainty}`

describe('a verdict', () => {
  test('begins healthy, since the start', () => {
    expect(lastOf(1, () => ({}))).toStrictEqual({
      at: 1000,
      health: { level: 'healthy', certainty: 'low' },
      since: 0,
      reason: 'too early to tell: it has been watched for less than a minute',
      safeToKill: false,
      metrics: noMetrics,
      history: [],
    })
  })

  test('carries the diagnosis and since when it is blocked', () => {
    const verdict = lastOf(30, () => ({ diagnosis: { ...proven, advice: 'end it' } }))
    expect(verdict).toMatchObject({
      diagnosis: { cause: 'stdin' },
      blockedSince: 0,
      recommendation: 'end it',
      safeToKill: true,
    })
    expect(verdict).not.toHaveProperty('fallback')
    expect(lastOf(30, () => ({}))).not.toHaveProperty('diagnosis')
  })

  test('that is healthy has no cause, though input is waited for', () => {
    const { health } = lastOf(100, () => ({ diagnosis: diagnosis('stdin', 'inferred', false) }))
    expect(health).toStrictEqual({ level: 'healthy', certainty: 'high' })
    const { health: silent } = lastOf(700, () => ({ diagnosis: diagnosis('stdin', 'inferred', false) }))
    expect(silent).toStrictEqual({ level: 'suspicious', cause: 'stdin', certainty: 'low' })
  })
})

describe('time', () => {
  test('of output is that of the output, not of the sample after it', () => {
    const { reason } = lastOf(100, second => ({ lastOutput: second > 95 ? 94_600 : 0 }))
    expect(reason).toBe('its last output came 5.4 s ago')
  })

  test('of rest begins with the last time slice, not with the sample after it', () => {
    const verdict = lastOf(40, second => ({
      sample: second <= 20 ? { moved: true, lastMoved: second * 1000 - 300 } : { lastMoved: 19_700 },
      ...(second > 20 ? { diagnosis: proven } : {}),
    }))
    expect(verdict.blockedSince).toBe(19_700)
    expect(verdict.reason).toBe('blocked 20 s: it has stdin')
  })

  test('that is discarded changes nothing of what is believed', () => {
    const story = verdicts(33, second => ({
      ...(second <= 30 ? { diagnosis: proven } : {}),
      sample:
        second > 30
          ? { moved: true, lastMoved: second * 1000, ...(second < 33 ? { discarded: 'late' } : {}) }
          : {},
    }))
    expect(story.slice(29).map(level)).toEqual([
      'confirmed_stuck certain',
      'confirmed_stuck certain',
      'confirmed_stuck certain',
      'healthy low',
    ])
  })

  test('that is discarded does not keep a fresh look from being believed', () => {
    const verdict = lastOf(1, () => ({ sample: { discarded: 'late' }, diagnosis: proven }))
    expect(level(verdict)).toBe('suspicious medium')
  })
})

describe('what stands in the way', () => {
  test.each([
    ['another process', { pid: 9 }],
    ['another thread', { tid: 9 }],
    ['another call', { call: 'read(3)' }],
  ])('%s begins the dwell again', (_, other) => {
    const given = diagnosis('dead_peer', 'bounded', false)
    const story = verdicts(16, second => ({
      diagnosis: { ...given, leaf: second <= 15 ? leaf : { ...leaf, ...other } },
    }))
    expect(story.slice(-2).map(level)).toEqual(['likely_stuck high', 'suspicious medium'])
    expect(story.at(-1)?.blockedSince).toBe(16_000)
  })

  test('needs no thread that can be named', () => {
    const nobody = diagnosis('dead_peer', 'bounded', false)
    expect(level(lastOf(20, () => ({ diagnosis: nobody })))).toBe('likely_stuck high')
    expect(lastOf(700, () => ({ diagnosis: diagnosis('stdin', 'inferred', false) })).health.level).toBe(
      'suspicious',
    )
  })

  test('has moved, and stands there again: it begins anew, but for a ring of locks', () => {
    const since = (given: Diagnosis) =>
      lastOf(20, second => ({
        diagnosis: given,
        sample: second === 20 ? { moved: true, lastMoved: 19_500 } : {},
      })).blockedSince
    expect(since(proven)).toBe(20_000)
    expect(since(diagnosis('deadlock', 'proven', true))).toBe(0)
  })

  test.each<[string, Diagnosis]>([
    ['of no known cause', diagnosis('unknown', 'inferred', false)],
    ['that nothing shows', diagnosis('network', 'unknown', false)],
    ['that is blocked, and not proven', diagnosis('network', 'inferred', true)],
    ['an end that nothing shows', diagnosis('stdin', 'unknown', false)],
  ])('%s excuses no silence, and proves nothing', (_, given) => {
    expect(level(lastOf(1500, () => ({ diagnosis: given })))).toBe('suspicious low')
  })

  test('is not believed any more once it has moved', () => {
    const known = (given: Diagnosis) =>
      lastOf(20, second => ({
        ...(second === 19 ? { diagnosis: given } : {}),
        sample: second === 20 ? { moved: true, lastMoved: 20_000 } : {},
      })).diagnosis?.cause
    expect(known(proven)).toBeUndefined()
    expect(known(diagnosis('unknown', 'unknown', false))).toBeUndefined()
    expect(known(diagnosis('network', 'inferred', false))).toBe('network')
    expect(known(diagnosis('deadlock', 'proven', true))).toBe('deadlock')
  })
})

describe('where the threads may not be looked into', () => {
  const secret: Call = { type: 'hidden', why: 'EACCES' }
  const open = pipe({ pids: [], isWhole: false })
  const pair = (fd?: Target, more: Parameters<typeof tree>[1] = {}): SnapshotPair =>
    pairOf([tree(rootPid, { call: secret, fds: fd ? { 0: fd } : {}, ...more })])
  const idle = { isFull: true, cpuPercent: 0, ioBytes: 0, isConnected: false }

  test('what the figures say outlives the look, until something moves', () => {
    const unknown = diagnosis('unknown', 'unknown', false)
    const told = verdicts(80, second => ({
      diagnosis: unknown,
      ...(second < 70 ? { sample: { pair: pair(open) } } : {}),
    }))
    expect(told[68]?.fallback).toBe('LIKELY_STDIN_WAITING')
    const kept = verdicts(80, second => ({
      ...(second === 70 ? { sample: { pair: pair(open) } } : {}),
      ...(second === 75 ? { sample: { moved: true, lastMoved: 75_000 } } : {}),
    }))
    expect([70, 74, 75, 76].map(second => kept[second - 1]?.fallback)).toEqual([
      'LIKELY_STDIN_WAITING',
      'LIKELY_STDIN_WAITING',
      undefined,
      undefined,
    ])
  })

  test.each<[string, Target | undefined, string]>([
    ['a pipe', open, 'LIKELY_STDIN_WAITING'],
    ['a terminal', { type: 'tty', path: '/dev/pts/1' }, 'LIKELY_STDIN_WAITING'],
    ['a socket', { type: 'unix', inode: '9', isListening: false, peer: held(77) }, 'LIKELY_STDIN_WAITING'],
    ['nothing', { type: 'device', path: '/dev/null' }, 'LIKELY_HUNG'],
    ['closed', undefined, 'LIKELY_HUNG'],
  ])('stdin is %s', (_, fd, wanted) => expect(fallbackOf(pair(fd), idle, undefined)).toBe(wanted))

  test.each([
    ['CPU', { cpuPercent: always.zeroCpu }, undefined],
    ['almost no CPU', { cpuPercent: always.zeroCpu - 0.001 }, 'LIKELY_HUNG'],
    ['I/O', { ioBytes: always.zeroIo }, undefined],
    ['almost no I/O', { ioBytes: always.zeroIo - 1 }, 'LIKELY_HUNG'],
    ['too few samples', { isFull: false }, undefined],
    ['a connection', { isConnected: true }, undefined],
  ])('%s', (_, more, wanted) => expect(fallbackOf(pair(), { ...idle, ...more }, undefined)).toBe(wanted))

  test('one hidden thread of one process is enough, one that runs too many', () => {
    const threads = [thread(1, { type: 'other', name: 'x' }), thread(11, secret)]
    const two = (state: string) =>
      pairOf([
        tree(rootPid, { threads: [threads[0] as (typeof threads)[0], { ...thread(11, secret), state }] }),
        tree(2, { call: { type: 'other', name: 'x' }, fds: { 0: open } }),
      ])
    expect(fallbackOf(two('S'), idle, undefined)).toBe('LIKELY_STDIN_WAITING')
    expect(fallbackOf(two('R'), idle, undefined)).toBeUndefined()
    expect(fallbackOf(two('S'), idle, false)).toBe('LIKELY_HUNG')
  })
})

describe('silence', () => {
  const window = { isFull: true, cpuPercent: 0, ioBytes: 0, isConnected: false }
  const quiet = { at: 5000, silentFor: 700_000, quietFor: 90_000, window, isBlocked: true }
  const step = (more: object, before = {}) => stepSilence(before, { ...quiet, ...more }, presets.conservative)

  test.each([
    ['reads as much as counts', { ioBytes: presets.conservative.stuckIo }, {}],
    ['reads less', { ioBytes: presets.conservative.stuckIo - 1 }, { calmSince: 5000 }],
  ])('of what %s', (_, more, silence) => {
    expect(step({ window: { ...window, ...more } })).toStrictEqual({
      silence,
      health: { level: 'suspicious', cause: 'no_progress', certainty: 'low' },
    })
  })

  test('of what nobody looked into stays a suspicion, and is counted all the same', () => {
    expect(step({ isBlocked: false, fallback: 'LIKELY_HUNG' }, { calmSince: 1000 })).toStrictEqual({
      silence: { calmSince: 1000 },
      health: { level: 'suspicious', cause: 'no_progress', certainty: 'medium' },
    })
  })

  test('becomes likely after its time, by its own name', () => {
    const { escalate } = presets.conservative
    expect(step({ at: 1000 + escalate - 1 }, { calmSince: 1000 }).health.level).toBe('suspicious')
    expect(step({ at: 1000 + escalate }, { calmSince: 1000 })).toStrictEqual({
      silence: { calmSince: 1000, likelySince: 1000 + escalate },
      health: { level: 'likely_stuck', cause: 'no_progress', certainty: 'medium' },
    })
  })
})
