import { describe, expect, test } from 'vitest'
import type { Health, ProcessCause } from '../../src/core/state.ts'
import type { Diagnosis, Proof } from '../../src/process/diagnosis.ts'
import { type Metrics, noMetrics } from '../../src/process/metrics.ts'
import type { Sample } from '../../src/process/sampler-step.ts'
import type { Call, SnapshotPair, Target } from '../../src/process/snapshot.ts'
import { type HealthState, newHealth, stepHealth } from '../../src/run/step/health-step.ts'
import { always, defaultDwell, type PresetName, presetNames, presets } from '../../src/run/step/presets.ts'
import type { RunVerdict } from '../../src/run/step/run-verdict.ts'
import { mayAct } from '../../src/run/step/stuck-action-step.ts'
import { pairOf, pipe, rootPid, thread, tree } from '../support/process-tree.ts'

/** A scenario in, verdicts out. Times are s; a sample a second, a pair every ten. */

type Second = {
  readonly metrics?: Partial<Metrics>
  readonly diagnosis?: Diagnosis
  readonly pair?: SnapshotPair
  readonly moved?: boolean
  readonly output?: boolean
  readonly discarded?: Sample['discarded']
  readonly isStdinOpen?: boolean
}

type Scenario = (second: number) => Second

/** Verdicts by second. */
function watch(seconds: number, scenario: Scenario, name: PresetName = 'conservative', dwell?: number) {
  let state: HealthState = newHealth(0)
  let lastOutput = 0
  let lastMoved = 0
  const verdicts: RunVerdict[] = []
  for (let second = 1; second <= seconds; second++) {
    const {
      metrics,
      diagnosis,
      pair,
      moved = false,
      output = false,
      discarded,
      isStdinOpen,
    } = scenario(second)
    const at = second * 1000
    if (output) lastOutput = at
    if (moved) lastMoved = at
    const sample: Sample = {
      at,
      tier: 0,
      moved,
      lastMoved,
      metrics: { ...noMetrics, ...metrics },
      ...(discarded ? { discarded } : {}),
      ...(pair ? { pair } : {}),
    }
    const isLook = second % 10 === 0
    const next = stepHealth(
      state,
      {
        sample,
        lastOutput,
        ...(diagnosis && isLook ? { diagnosis } : {}),
        ...(isStdinOpen === undefined ? {} : { isStdinOpen }),
      },
      presets[name],
      dwell,
    )
    state = next.state
    verdicts.push(next.verdict)
  }
  return verdicts
}

/** The first second of each level, and its certainty then: `600 suspicious low`. */
function story(verdicts: readonly RunVerdict[]): string[] {
  const lines: string[] = []
  let last = ''
  verdicts.forEach(({ health }, i) => {
    const said = `${health.level} ${health.certainty}`
    if (said !== last) lines.push(`${i + 1} ${said}`)
    last = said
  })
  return lines
}

const at = (verdicts: readonly RunVerdict[], second: number): RunVerdict => verdicts[second - 1] as RunVerdict
const firstOf = (verdicts: readonly RunVerdict[], level: Health['level']): number =>
  verdicts.findIndex(({ health }) => health.level === level) + 1

const diagnosis = (cause: ProcessCause, proof: Proof, isBlocked: boolean): Diagnosis => ({
  cause,
  proof,
  isBlocked,
  summary: `cat(812): ${cause}`,
  leaf: { pid: 812, tid: 812, name: 'cat', call: 'read(0)', on: 'a pipe', waker: [] },
  chain: [],
  waits: [],
  doubts: [],
})

const minutes = 60
const silent: Scenario = () => ({})

describe('a proof', () => {
  const stdin = diagnosis('stdin', 'proven', true)

  test('needs only its dwell, whatever the preset', () => {
    for (const name of presetNames) {
      // It stood still from the start; the first pair at 10 s shows what was so since then.
      expect(story(watch(30, () => ({ diagnosis: stdin }), name, 15_000))).toEqual([
        '1 healthy low',
        '10 suspicious medium',
        '15 confirmed_stuck certain',
      ])
    }
  })

  test('but for what can’t be seen is likely after the dwell, however long it lasts, and safe to end never', () => {
    const hole: Diagnosis = { ...diagnosis('stdin', 'inferred', false), unseen: ['whether an alarm is set'] }
    for (const name of presetNames) {
      const verdicts = watch(3000, () => ({ diagnosis: hole }), name)
      expect(story(verdicts)).toEqual(['1 healthy low', '10 likely_stuck high'])
      expect(verdicts.some(({ safeToKill }) => safeToKill)).toBe(false)
      const last = verdicts.at(-1) as RunVerdict
      expect([mayAct(last, 'confirmed'), mayAct(last, 'likely')]).toEqual([false, true])
    }
  })

  test('but for a word that it may wait for is likely after a silence alone', () => {
    const given = { ...diagnosis('closed_wait', 'inferred', false), unseen: ['whether it waits for SIGHUP'] }
    const told = (preset: PresetName) =>
      story(watch(3000, () => ({ diagnosis: { ...given, mayAwaitWord: true } }), preset))
    expect(told('aggressive').slice(1)).toEqual(['10 suspicious medium', '300 likely_stuck high'])
    expect(told('conservative').slice(1)).toEqual(['10 suspicious medium', '600 likely_stuck high'])
  })

  test('but for a signal that may be what it waits for is suspicious, and no more', () => {
    const open: Diagnosis = { ...diagnosis('stdin', 'inferred', false), isOpen: true }
    for (const name of presetNames) {
      const levels = new Set(watch(3000, () => ({ diagnosis: open }), name).map(({ health }) => health.level))
      expect(levels).toEqual(new Set(['healthy', 'suspicious']))
    }
  })

  test('counts from the last time slice', () => {
    const scenario: Scenario = second => ({
      moved: second <= 17,
      ...(second > 17 ? { diagnosis: stdin } : {}),
    })
    const verdicts = watch(60, scenario)
    expect(story(verdicts)).toEqual(['1 healthy low', '20 suspicious medium', '27 confirmed_stuck certain'])
    expect(defaultDwell).toBe(10_000)
  })

  test('is void as soon as anything moves', () => {
    const scenario: Scenario = second => ({
      moved: second === 25,
      ...(second < 25 ? { diagnosis: stdin } : {}),
    })
    expect(story(watch(40, scenario))).toEqual([
      '1 healthy low',
      '10 confirmed_stuck certain',
      '25 healthy low',
    ])
  })

  test('of a ring of locks holds beside threads that go on', () => {
    const ring = diagnosis('deadlock', 'proven', true)
    expect(story(watch(40, () => ({ moved: true, diagnosis: ring })))).toEqual([
      '1 healthy low',
      '10 suspicious medium',
      '20 confirmed_stuck certain',
    ])
  })

  test('of what a wrapper waits for holds beside its ticks, and is likely at most', () => {
    const wrapped: Diagnosis = { ...diagnosis('stdin', 'inferred', false), unseen: ['who ends it'] }
    const ticking = (isWrapped: boolean): string[] =>
      story(watch(60, () => ({ moved: true, diagnosis: isWrapped ? { ...wrapped, isWrapped } : wrapped })))
    expect(ticking(true)).toEqual(['1 healthy low', '10 suspicious medium', '20 likely_stuck high'])
    expect(ticking(false).join()).not.toContain('likely_stuck')
  })

  test('of anything else does not', () => {
    const verdicts = watch(200, () => ({ moved: true, diagnosis: diagnosis('closed_wait', 'proven', true) }))
    expect(verdicts.some(({ health }) => health.level === 'confirmed_stuck')).toBe(false)
  })

  test('of another wait begins its dwell again', () => {
    const other = { ...stdin, leaf: { pid: 900, tid: 900, name: 'bash', call: 'read(3)', on: '', waker: [] } }
    const verdicts = watch(31, second => ({ moved: second === 19, diagnosis: second < 20 ? stdin : other }))
    expect(story(verdicts)).toEqual([
      '1 healthy low',
      '10 confirmed_stuck certain',
      '19 healthy low',
      '20 suspicious medium',
      '29 confirmed_stuck certain',
    ])
  })

  test('tells why, for how long and what to do', () => {
    const verdict = at(
      watch(42, () => ({ diagnosis: { ...stdin, advice: 'close its stdin' } })),
      42,
    )
    expect(verdict).toMatchObject({
      at: 42_000,
      since: 10_000,
      reason: 'blocked 42 s: cat(812): stdin',
      recommendation: 'close its stdin',
      safeToKill: true,
      health: { cause: 'stdin' },
    })
  })
})

describe('a cause that excuses', () => {
  const legitimate: readonly ProcessCause[] = [
    'computing',
    'network',
    'connecting',
    'timer',
    'disk',
    'starved',
    'server',
    'outsider',
  ]
  for (const cause of legitimate) {
    const healthyUntil = (proof: Proof, preset: PresetName): number => {
      const given = diagnosis(cause, proof, false)
      const verdicts = watch(60 * minutes, () => ({ diagnosis: given }), preset)
      const bad = verdicts.findIndex(({ health }) => health.level !== 'healthy')
      for (const { health } of bad < 0 ? [] : verdicts.slice(bad))
        expect(health).toEqual({ level: 'suspicious', cause, certainty: 'low' })
      return bad < 0 ? 60 * minutes : bad + 1
    }

    test(`${cause}: healthy for an hour of silence where that is known`, () => {
      expect(healthyUntil('proven', 'conservative')).toBe(60 * minutes)
      expect(healthyUntil('bounded', 'conservative')).toBe(60 * minutes)
    })

    test(`${cause}: where it is only inferred, for as long as the preset says; a server's rest is none`, () => {
      const isLasting = cause === 'server'
      expect(healthyUntil('inferred', 'conservative')).toBe(isLasting ? 60 * minutes : 600)
      expect(healthyUntil('inferred', 'balanced')).toBe(isLasting ? 60 * minutes : 300)
    })
  }

  for (const cause of ['dead_peer', 'unreachable'] as const) {
    test(`${cause}: likely after the dwell, never certain: the kernel gives up by itself`, () => {
      for (const moved of [false, true]) {
        const given = diagnosis(cause, 'bounded', false)
        const verdicts = watch(60 * minutes, () => ({ moved, diagnosis: given }))
        expect(story(verdicts)).toEqual(['1 healthy low', '10 suspicious medium', '20 likely_stuck high'])
        expect(at(verdicts, 60 * minutes).safeToKill).toBe(false)
      }
    })
  }

  for (const cause of ['ticking', 'output', 'signal'] as const) {
    test(`${cause}: suspicious after silence, never more`, () => {
      const verdicts = watch(60 * minutes, () => ({ diagnosis: diagnosis(cause, 'inferred', false) }))
      expect(story(verdicts).slice(1)).toEqual(['10 healthy medium', '600 suspicious low'])
    })
  }

  test('stdin that a person may yet write: healthy', () => {
    const given = diagnosis('stdin', 'inferred', false)
    const leaf = { pid: 812, tid: 812, name: 'cat', call: 'read(0)', on: '', waker: [], live: 'a person' }
    const verdicts = watch(60 * minutes, () => ({ diagnosis: { ...given, leaf } }))
    expect(story(verdicts)).toEqual(['1 healthy low', '10 healthy medium'])
  })

  test('stdin that a timer may end: suspicious after silence, never more', () => {
    const verdicts = watch(60 * minutes, () => ({ diagnosis: diagnosis('stdin', 'bounded', false) }))
    expect(story(verdicts)).toEqual(['1 healthy low', '10 healthy high', '600 suspicious low'])
  })

  test('unknown: suspicious after silence, never more', () => {
    for (const isBlocked of [false, true]) {
      const verdicts = watch(60 * minutes, () => ({
        diagnosis: diagnosis('unknown', 'unknown', isBlocked),
      }))
      expect(story(verdicts)).toEqual(['1 healthy low', '60 healthy high', '600 suspicious low'])
    }
  })

  test('nothing known at all: suspicious after silence, never more', () => {
    expect(story(watch(60 * minutes, silent)).at(-1)).toBe('600 suspicious low')
  })
})

test('silence is told beside any health, from the preset’s on; output ends it', () => {
  const sleep = diagnosis('timer', 'bounded', false)
  const scenario: Scenario = second => ({ diagnosis: sleep, output: second === 700 })
  const told = (name: PresetName) => {
    const verdicts = watch(12 * minutes, scenario, name)
    expect(verdicts.every(({ health }) => health.level === 'healthy')).toBe(true)
    return verdicts.flatMap(({ silentFor }, i) => (silentFor === undefined ? [] : [i + 1]))
  }
  const range = (from: number) => Array.from({ length: 700 - from }, (_, i) => from + i)
  expect(told('conservative')).toEqual(range(600))
  expect(told('balanced')).toEqual(range(300))
  expect(at(watch(12 * minutes, scenario), 600)).toMatchObject({
    silentFor: 600_000,
    reason: 'no progress in its output for 10 min: cat(812): timer',
  })
})

test('what is healthy only because it was watched for a moment says so', () => {
  const inferred = diagnosis('stdin', 'inferred', false)
  const verdicts = watch(100, () => ({ diagnosis: inferred }))
  expect(at(verdicts, 5).reason).toBe('too early to tell: it has been watched for less than a minute')
  expect(at(verdicts, 59).reason).toBe('too early to tell: cat(812): stdin')
  expect(at(verdicts, 60).reason).toBe('cat(812): stdin')
})

describe('silence without a proof', () => {
  /** No source was found, but not all of them could be looked at. */
  const inferred = diagnosis('stdin', 'inferred', false)
  const quiet: Scenario = () => ({ diagnosis: inferred })

  test('each preset by its own numbers', () => {
    const stories = Object.fromEntries(presetNames.map(name => [name, story(watch(1400, quiet, name))]))
    expect(stories).toEqual({
      conservative: [
        '1 healthy low',
        '60 healthy high',
        '600 suspicious low',
        '720 likely_stuck medium',
        '780 likely_stuck high',
        '1320 confirmed_stuck high',
      ],
      balanced: [
        '1 healthy low',
        '60 healthy high',
        '300 suspicious low',
        '390 likely_stuck medium',
        '450 likely_stuck high',
        '990 confirmed_stuck high',
      ],
      aggressive: [
        '1 healthy low',
        '60 healthy high',
        '300 suspicious low',
        '360 likely_stuck medium',
        '420 likely_stuck high',
        '960 confirmed_stuck high',
      ],
    })
  })

  test('so do other ends that are not proven', () => {
    for (const cause of ['deadlock', 'closed_wait'] as const) {
      const verdicts = watch(1400, () => ({ diagnosis: diagnosis(cause, 'inferred', false) }))
      expect(firstOf(verdicts, 'likely_stuck')).toBe(720)
    }
  })

  test('is never certain, and never safe to kill', () => {
    for (const verdict of watch(4000, quiet, 'aggressive')) {
      expect(verdict.health.certainty).not.toBe('certain')
      expect(verdict.safeToKill).toBe(false)
    }
  })

  test('output ends it', () => {
    const verdicts = watch(1500, second => ({ ...quiet(second), output: second === 1400 }))
    expect(story(verdicts).slice(-2)).toEqual(['1320 confirmed_stuck high', '1400 healthy high'])
  })

  /** Both sides of each threshold: what is said after half an hour of it. */
  const sides: [what: string, name: PresetName, metrics: Partial<Metrics>, level: Health['level']][] = []
  for (const name of presetNames) {
    const { stuckCpu, stuckIo } = presets[name]
    const perSecond = stuckIo / 60
    sides.push(
      ['CPU below its threshold', name, { cpuPercent: stuckCpu - 0.01 }, 'confirmed_stuck'],
      ['CPU at its threshold', name, { cpuPercent: stuckCpu }, 'suspicious'],
      ['I/O below its threshold', name, { ioBytes: perSecond - 1 }, 'confirmed_stuck'],
      ['I/O above its threshold', name, { ioBytes: perSecond + 1 }, 'suspicious'],
    )
  }
  sides.push(
    ['CPU that is no work yet', 'conservative', { cpuPercent: always.busyCpu }, 'suspicious'],
    ['CPU that is work', 'conservative', { cpuPercent: always.busyCpu + 0.1 }, 'healthy'],
    ['I/O that is no work yet', 'conservative', { ioBytes: always.busyIoPerSecond }, 'suspicious'],
    ['I/O that is work', 'conservative', { ioBytes: always.busyIoPerSecond + 1 }, 'healthy'],
    ['a connection', 'conservative', { connections: 1 }, 'suspicious'],
  )
  for (const [what, name, metrics, level] of sides) {
    test(`${name}: ${what}`, () => {
      const verdicts = watch(30 * minutes, () => ({ metrics, diagnosis: inferred }), name)
      expect(at(verdicts, 30 * minutes).health.level).toBe(level)
    })
  }

  test('a connection counts for a minute after it moved', () => {
    const verdicts = watch(800, second => ({
      metrics: { connections: 1 },
      diagnosis: inferred,
      moved: second === 700,
    }))
    expect(story(verdicts).slice(2)).toEqual([
      '600 suspicious low',
      '700 healthy medium',
      '760 suspicious low',
    ])
  })

  test('the calm begins again after activity', () => {
    const verdicts = watch(1000, second => ({
      diagnosis: inferred,
      metrics: second === 650 ? { cpuPercent: 60 } : {},
    }))
    // The busy second leaves the window of a minute at 710.
    expect(firstOf(verdicts, 'likely_stuck')).toBe(830)
  })

  test('less than a minute is too short to judge by', () => {
    const verdicts = watch(70, silent)
    expect(at(verdicts, 59).health.certainty).toBe('low')
    expect(at(verdicts, 60).health.certainty).toBe('high')
    expect(at(verdicts, 70).history).toHaveLength(always.samples)
  })

  test('time that is discarded counts for nothing', () => {
    for (const discarded of ['late', 'suspended', 'starved'] as const) {
      const verdicts = watch(1000, second => ({
        diagnosis: inferred,
        ...(second > 300 && second <= 500 ? { discarded } : {}),
      }))
      expect(firstOf(verdicts, 'suspicious')).toBe(800)
    }
    const proven = watch(60, second => ({
      diagnosis: diagnosis('stdin', 'proven', true),
      ...(second > 5 && second <= 40 ? { discarded: 'suspended' as const } : {}),
    }))
    expect(firstOf(proven, 'confirmed_stuck')).toBe(45)
  })
})

describe('where the threads may not be looked into', () => {
  const hidden = (call: Call, stdin: Target, state = 'S'): SnapshotPair =>
    pairOf([
      tree(rootPid, { threads: [thread(rootPid, call, { state })], fds: { 0: stdin }, hidden: ['syscall'] }),
    ])
  const open = pipe({ pids: [], isWhole: false })
  const none: Target = { type: 'device', path: '/dev/null' }
  const secret: Call = { type: 'hidden', why: 'EACCES' }
  const unknown = diagnosis('unknown', 'unknown', false)
  const cases: readonly [string, Second, RunVerdict['fallback'], string][] = [
    ['an open stdin', { pair: hidden(secret, open) }, 'LIKELY_STDIN_WAITING', 'suspicious high'],
    ['stdin at its end', { pair: hidden(secret, none) }, 'LIKELY_HUNG', 'suspicious medium'],
    [
      'what the supervisor knows of stdin counts',
      { pair: hidden(secret, open), isStdinOpen: false },
      'LIKELY_HUNG',
      'suspicious medium',
    ],
    [
      'a little CPU',
      { pair: hidden(secret, open), metrics: { cpuPercent: always.zeroCpu + 0.01 } },
      undefined,
      'suspicious low',
    ],
    [
      'hardly any CPU',
      { pair: hidden(secret, open), metrics: { cpuPercent: always.zeroCpu - 0.01 } },
      'LIKELY_STDIN_WAITING',
      'suspicious high',
    ],
    [
      'a little I/O',
      { pair: hidden(secret, open), metrics: { ioBytes: always.zeroIo / 60 + 1 } },
      undefined,
      'suspicious low',
    ],
    [
      'hardly any I/O',
      { pair: hidden(secret, open), metrics: { ioBytes: always.zeroIo / 60 - 1 } },
      'LIKELY_STDIN_WAITING',
      'suspicious high',
    ],
    [
      'a connection',
      { pair: hidden(secret, open), metrics: { connections: 1 } },
      undefined,
      'suspicious low',
    ],
    ['on the disk', { pair: hidden(secret, open, 'D') }, undefined, 'suspicious low'],
    [
      'a thread that can be looked into',
      { pair: hidden({ type: 'other', name: 'x' }, open) },
      undefined,
      'suspicious low',
    ],
  ]
  for (const [what, second, fallback, said] of cases) {
    test(what, () => {
      const last = at(
        watch(40 * minutes, () => ({ diagnosis: unknown, ...second })),
        40 * minutes,
      )
      expect(last.fallback).toBe(fallback)
      expect(`${last.health.level} ${last.health.certainty}`).toBe(said)
      expect(last.safeToKill).toBe(false)
    })
  }
})

describe('acting', () => {
  const verdict = (level: Health['level'], certainty: Health['certainty'], cause: ProcessCause) => {
    const base = at(watch(1, silent), 1)
    return { ...base, health: { level, certainty, cause }, diagnosis: diagnosis(cause, 'proven', true) }
  }
  const cases: readonly [RunVerdict, confirmed: boolean, likely: boolean][] = [
    [verdict('confirmed_stuck', 'certain', 'stdin'), true, true],
    [verdict('confirmed_stuck', 'certain', 'zombie'), true, true],
    [verdict('confirmed_stuck', 'high', 'closed_wait'), false, true],
    [verdict('likely_stuck', 'high', 'closed_wait'), false, true],
    [verdict('suspicious', 'high', 'unknown'), false, false],
    [verdict('healthy', 'high', 'computing'), false, false],
    [verdict('confirmed_stuck', 'certain', 'stopped'), false, false],
    [verdict('confirmed_stuck', 'certain', 'frozen'), false, false],
    [verdict('confirmed_stuck', 'certain', 'traced'), false, false],
  ]
  for (const [given, confirmed, likely] of cases) {
    const { level, certainty, cause } = given.health
    test(`${level}, ${certainty}, ${cause}`, () => {
      expect([mayAct(given, 'confirmed'), mayAct(given, 'likely')]).toEqual([confirmed, likely])
    })
  }

  test('what is held on purpose is never stuck for certain, nor safe to kill', () => {
    for (const cause of ['stopped', 'frozen', 'traced'] as const) {
      const verdicts = watch(700, () => ({ diagnosis: diagnosis(cause, 'proven', true) }))
      expect(story(verdicts).slice(1)).toEqual(['10 suspicious medium', '600 likely_stuck high'])
      expect(at(verdicts, 700).safeToKill).toBe(false)
    }
  })
})

test('the history is the last minute in twelve figures, whatever the pace', () => {
  const verdicts = watch(100, second => ({
    metrics: {
      ioBytes: 10,
      cpuPercent: second % 2 ? 20 : 0,
      connections: second === 98 ? 3 : 0,
      threads: second,
    },
  }))
  const { history } = at(verdicts, 100)
  expect(history).toHaveLength(12)
  expect(history.map(({ ioBytes }) => ioBytes)).toEqual(new Array(12).fill(50))
  expect(history.at(-1)).toMatchObject({ connections: 3, threads: 100, cpuPercent: 8 })
})
