import { describe, expect, test } from 'vitest'
import { nothingLearned } from '../../src/terminal/classify/learned.ts'
import {
  conclude,
  concludeEnd,
  concludeRunning,
  concludeUnanswered,
  givenTo,
  isConclusive,
  isProvenRunning,
  isResting,
  isSame,
  isUnmoved,
  newObserver,
  type Observation,
  type ObserverState,
  polledText,
  settleStep,
  withCapture,
  withRest,
} from '../../src/terminal/observer-step.ts'
import type { Probe } from '../../src/terminal/probe/probed.ts'
import { probeOf, process as program } from '../support/probes.ts'

/** What an observer keeps, and what it concludes. Times are ms. */

const grid = (text: string) => ({ rows: [text], columns: 80, cursor: { row: 0, column: text.length } })
const shown = (text: string, more: object = {}) => ({
  type: 'shown' as const,
  screen: grid(text),
  isRendered: true,
  lines: [text],
  isWhole: true,
  ...more,
})
const facts = (historySize: number) => ({ historySize }) as never

const line = 'ada@box:~$ '
const idle = probeOf([program('bash', 'pselect6@5344')], { mode: 'ce', line, quiet: 1000 })
const running = probeOf([program('bash', '-wait4'), program('make', 'running', 101, 'R')], { quiet: 1000 })
const fresh = newObserver(100)
const polled = (text = '1') => new Map([100, 101].map(pid => [pid, text]))

describe('what is known beside the kernel', () => {
  const stream = { lastOutput: 700 }

  test('is nothing at first', () => {
    expect(fresh).toEqual({ learned: nothingLearned, lines: [], watched: [100] })
    expect(givenTo(fresh, undefined, 1000)).toEqual({})
  })

  test('is how long it has been quiet, by the stream or else by captures', () => {
    const captured = withCapture(fresh, shown('x'), idle, 400)
    expect(givenTo(fresh, stream, 1000)).toEqual({ quiet: 300, stream })
    expect(givenTo(captured, undefined, 1000)).toEqual({ quiet: 600, still: 600, screen: grid('x') })
    expect(givenTo(captured, stream, 1000)).toEqual({ quiet: 300, still: 600, stream, screen: grid('x') })
    // Another line changes, and the cursor's does not.
    const beside = withCapture(
      captured,
      { ...shown('x'), screen: { ...grid('x'), rows: ['x', '1'] } },
      idle,
      900,
    )
    expect(givenTo(beside, undefined, 1000)).toMatchObject({ quiet: 100, still: 600 })
    const inner = { tty: '/dev/pts/8', leader: 7 }
    expect(givenTo({ ...captured, inner }, undefined, 1000).inner).toBe(inner)
  })

  test('is since when the screen is as it is', () => {
    const first = withCapture(fresh, shown('x', { lines: ['w', 'x'] }), idle, 400)
    expect(first).toMatchObject({
      lines: ['w', 'x'],
      shown: { screen: grid('x'), since: 400, isRepeated: false },
    })
    expect(withCapture(first, shown('x'), idle, 500).shown).toMatchObject({ since: 400, isRepeated: true })
    expect(withCapture(first, shown('y'), idle, 500).shown).toMatchObject({ since: 500, isRepeated: false })
    const scrolled = withCapture(fresh, shown('x', { facts: facts(1) }), idle, 400)
    expect(withCapture(scrolled, shown('x', { facts: facts(1) }), idle, 500).shown?.isRepeated).toBe(true)
    expect(withCapture(scrolled, shown('x', { facts: facts(2) }), idle, 500).shown?.isRepeated).toBe(false)
  })
})

test('screens that are alike are told apart by what was written, and by how often a writer has slept', () => {
  const writes = (switches: number, calls = 'running write!'): Probe =>
    probeOf([{ ...program('yes', calls), switches }])
  const again = (before: Probe, after: Probe) =>
    withCapture(withCapture(fresh, shown('y'), before, 400), shown('y'), after, 500).shown?.isRepeated
  expect(again(writes(1), writes(1))).toBe(true)
  expect(again(writes(1), writes(2))).toBe(false)
  expect(again(writes(1, 'running'), writes(2, 'running'))).toBe(true)
  // Each third frame of a spinner is alike.
  const draws = (writtenChars: number): Probe =>
    probeOf([{ ...program('node', 'epoll_pwait+2'), writtenChars }])
  expect(again(draws(10), draws(10))).toBe(true)
  expect(again(draws(10), draws(40))).toBe(false)
  const relayed = (inner: Probe): Probe => ({ ...idle, inner })
  expect(again(relayed(writes(1)), relayed(writes(2)))).toBe(false)
})

describe('two probes around a capture', () => {
  const repeated = withCapture(withCapture(fresh, shown(line), idle, 400), shown(line), idle, 500)

  test('say what the second one says, and how far it may be trusted', () => {
    const { observation, state } = conclude(repeated, idle, idle, shown(line, { facts: facts(3) }))
    expect(observation).toMatchObject({
      probe: idle,
      isSteady: true,
      isWhole: true,
      screen: grid(line),
      lines: [line],
      facts: { historySize: 3 },
      verdict: { state: { kind: 'idle', at: 'shell' } },
    })
    expect(state.learned.idle).toHaveLength(1)
    expect(conclude(repeated, idle, idle, shown(line)).observation).not.toHaveProperty('facts')
  })

  test('that differ are not steady, and nothing is learned of them', () => {
    const { observation, state } = conclude(repeated, { ...idle, queued: 1 }, idle, shown(line))
    expect(observation.isSteady).toBe(false)
    expect(state).toBe(repeated)
  })

  test('are of the whole screen only where the holder has left nothing, and it was so before', () => {
    const wholeOf = (state: ObserverState, after: Probe, more: object) =>
      conclude(state, idle, after, shown(line, more)).observation.isWhole
    expect(wholeOf(repeated, idle, { isWhole: false })).toBe(false)
    expect(wholeOf(withCapture(fresh, shown(line), idle, 400), idle, {})).toBe(false)
    expect(wholeOf(fresh, idle, {})).toBe(false)
    expect(wholeOf(repeated, { ...idle, inner: idle }, {})).toBe(false)
  })

  test('are of the whole screen where one question had it twice, and nobody wrote meanwhile', () => {
    const wrote = (writtenChars: number): Probe =>
      probeOf([{ ...program('bash', 'pselect6@5344'), writtenChars }], { mode: 'ce', line, quiet: 1000 })
    const once = withCapture(fresh, shown(line), wrote(10), 400)
    const wholeOf = (after: Probe, more: object) =>
      conclude(once, wrote(10), after, shown(line, { isRepeated: true, ...more })).observation.isWhole
    expect(wholeOf(wrote(10), {})).toBe(true)
    expect(wholeOf(wrote(11), {})).toBe(false)
    expect(wholeOf(wrote(10), { isWhole: false })).toBe(false)
    expect(wholeOf(wrote(10), { isRepeated: false })).toBe(false)
  })
})

describe('without a capture', () => {
  const captured = withCapture(fresh, shown('last', { lines: ['first', 'last'] }), idle, 400)
  const gone = { ...idle, processes: [], gone: { code: 3 } }

  test('an end is the end, with what was seen last', () => {
    const end = { type: 'ended', end: { code: 3 } } as const
    expect(concludeEnd(captured, gone, end)).toMatchObject({
      verdict: { state: { kind: 'exited', code: 3 } },
      probe: gone,
      isSteady: true,
      isWhole: true,
      lines: ['first', 'last'],
      screen: grid('last'),
    })
    expect(concludeEnd(captured, gone, { ...end, lines: ['bye'], facts: facts(1) })).toMatchObject({
      lines: ['bye'],
      facts: { historySize: 1 },
    })
    expect(concludeEnd(fresh, gone, end)).not.toHaveProperty('screen')
    expect(concludeEnd(fresh, gone, end)).not.toHaveProperty('facts')
  })

  test('a holder that does not answer leaves what the kernel proves', () => {
    const silent = { type: 'unanswered', why: 'tmux does not answer' } as const
    const known = concludeUnanswered(captured, running, silent)
    expect(known).toMatchObject({
      verdict: { state: { kind: 'working' }, tier: 'proven' },
      isSteady: true,
      isWhole: false,
      lines: ['first', 'last'],
      screen: grid('last'),
      unanswered: 'tmux does not answer',
    })
    const unknown = concludeUnanswered(fresh, idle, silent)
    expect(unknown.verdict).toEqual({
      state: { kind: 'unknown' },
      health: { level: 'healthy', certainty: 'low' },
      confidence: 0,
      tier: 'inferred',
      why: 'tmux does not answer',
      observeAgainIn: 100,
    })
    expect(unknown).toMatchObject({ isSteady: false, isWhole: false, lines: [] })
    expect(unknown).not.toHaveProperty('screen')
    const frozen = { ...running, processes: [program('cat', 'write!')], quiet: 60_000 }
    expect(concludeUnanswered(captured, frozen, silent).verdict.state.kind).toBe('unknown')
  })

  test('a program that surely runs needs none', () => {
    expect(concludeRunning(captured, running)).toMatchObject({
      verdict: { state: { kind: 'working' }, tier: 'proven' },
      probe: running,
      isSteady: true,
      isWhole: false,
      screen: grid('last'),
      lines: ['first', 'last'],
    })
    expect(concludeRunning(fresh, running)).toBeUndefined()
    expect(concludeRunning(captured, idle)).toBeUndefined()
    const verdict = concludeRunning(captured, running)?.verdict
    expect(verdict && isProvenRunning(verdict)).toBe(true)
    expect(verdict && isProvenRunning({ ...verdict, tier: 'seen' })).toBe(false)
    expect(verdict && isProvenRunning({ ...verdict, state: { kind: 'unknown' } })).toBe(false)
  })
})

const repeated = withCapture(withCapture(fresh, shown(line), idle, 400), shown(line), idle, 500)
const resting = (): Observation => conclude(repeated, idle, idle, shown(line)).observation

describe('an observation', () => {
  test('that is steady and wants no more quiet is conclusive', () => {
    const one = resting()
    expect(isConclusive(one)).toBe(true)
    expect(isConclusive({ ...one, isSteady: false })).toBe(false)
    expect(isConclusive({ ...one, verdict: { ...one.verdict, observeAgainIn: 5 } })).toBe(false)
  })

  test('is the same as a probe that nothing has moved since', () => {
    const one = resting()
    expect(isSame(one, idle)).toBe(true)
    expect(isSame(one, { ...idle, queued: 1 })).toBe(false)
    expect(isSame({ ...one, probe: { ...idle, inner: idle } }, idle)).toBe(false)
    const work = concludeRunning(repeated, running)
    expect(work && isSame(work, running)).toBe(true)
    expect(isSame({ ...one, probe: running }, running)).toBe(false)
    expect(work && isSame({ ...work, probe: idle }, idle)).toBe(false)
  })

  test('is unmoved where no process has run in between', () => {
    const terminal = { canonical: false, echo: false, signals: true, queued: 0, isOutputStopped: false }
    const unmoved = (probe: Probe, now = polled()) => isUnmoved(probe, polled(), now, terminal)
    expect(unmoved(idle)).toBe(true)
    expect(unmoved(idle, polled('2'))).toBe(false)
    expect(isUnmoved(idle, polled(''), polled(''), terminal)).toBe(false)
    expect(isUnmoved(idle, new Map(), new Map(), terminal)).toBe(false)
    for (const changed of [
      { queued: 1 },
      { isOutputStopped: true },
      { canonical: true },
      { echo: true },
      { signals: false },
    ])
      expect(isUnmoved(idle, polled(), polled(), { ...terminal, ...changed })).toBe(false)
    expect(isUnmoved(idle, polled(), polled(), undefined)).toBe(false)
    // Of one of them nothing was polled; other threads are not polled.
    expect(unmoved({ ...idle, processes: [program('bash', 'read', 102)] })).toBe(false)
    expect(unmoved({ ...idle, processes: [program('bash', 'pselect6 running')] })).toBe(false)
    expect(unmoved({ ...idle, processes: [] })).toBe(false)
    // Beside who reads, one goes on printing.
    expect(unmoved({ ...idle, processes: [...idle.processes, program('yes', 'running', 101, 'R')] })).toBe(
      false,
    )
    expect(unmoved({ ...idle, processes: [...idle.processes, program('yes', '-nanosleep', 101)] })).toBe(true)
    expect(unmoved({ ...idle, inner: idle })).toBe(false)
    expect(unmoved({ ...idle, relay: { pid: 100, name: 'ssh' } })).toBe(false)
  })

  test('takes a poll for what it says, but for the zeros of a kernel that counts nothing', () => {
    expect(['0 0 1\n', '12 3 4\n', ''].map(polledText)).toEqual(['0 0 1\n', '12 3 4\n', ''])
    expect(polledText('0 0 0\n')).toBe('')
  })

  test('rests while nothing runs and nothing is printed', () => {
    const watched = { ...repeated, watched: [100] }
    const rested = withRest(watched, resting(), polled(), 7)
    expect(rested.resting).toEqual({ observation: resting(), polled: polled(), count: 7 })
    expect(isResting(rested, polled(), 7, 90_000)).toBe(true)
    expect(isResting(rested, polled('2'), 7, 90_000)).toBe(false)
    expect(isResting(rested, polled(), 8, 90_000)).toBe(false)
    expect(isResting(rested, polled(''), 7, 90_000)).toBe(false)
    expect(isResting(watched, polled(), 7, 90_000)).toBe(false)
    expect(withRest(watched, resting(), new Map([[100, '']]), 7)).not.toHaveProperty('resting')
    expect(withRest(watched, { ...resting(), isSteady: false }, polled(), 7)).not.toHaveProperty('resting')
    expect(withRest({ ...rested, watched: [5] }, resting(), new Map([[5, '1']]), 7)).not.toHaveProperty(
      'resting',
    )
    expect(withRest({ ...rested, watched: [5] }, resting(), polled(), 7).watched).toEqual([100])
  })

  test('of more than a shell alone rests for five seconds', () => {
    const other = probeOf([program('bash', '-wait4'), program('cat', 'read', 101)], { line, leader: 100 })
    const work: Observation = { ...resting(), probe: other, verdict: { ...resting().verdict, reader: 101 } }
    const rested = withRest({ ...repeated, watched: [100, 101] }, work, polled(), 7)
    expect(rested.watched).toEqual([100, 101])
    expect(isResting(rested, polled(), 7, other.at + 4999)).toBe(true)
    expect(isResting(rested, polled(), 7, other.at + 5000)).toBe(false)
    const threads = { ...idle, processes: [program('bash', 'pselect6 running')] }
    const many = withRest({ ...repeated, watched: [100] }, { ...resting(), probe: threads }, polled(), 7)
    expect(isResting(many, polled(), 7, threads.at + 5000)).toBe(false)
  })

  test('of a terminal in a terminal watches both', () => {
    const inner = { ...idle, leader: 200, processes: [program('zsh', 'read', 200)] }
    const both = { ...resting(), probe: { ...idle, inner } }
    expect(withRest(repeated, both, polled(), 7).watched).toEqual([100, 200])
  })
})

describe('to settle', () => {
  const one = resting()
  const vague: Observation = { ...one, isSteady: false }
  const stuck: Observation = {
    ...one,
    verdict: { ...one.verdict, health: { level: 'confirmed_stuck', certainty: 'certain' } },
  }
  const wants = (observeAgainIn: number): Observation => ({
    ...one,
    verdict: { ...one.verdict, observeAgainIn },
  })

  test.each<[string, Observation, number, number | undefined]>([
    ['what is conclusive is done', one, 0, undefined],
    ['what moves is observed again soon', vague, 0, 5],
    ['what wants quiet, once that may be over', wants(60), 0, 60],
    ['but not late', wants(900), 0, 100],
    ['until the patience is over', vague, 2999, 5],
    ['and no longer', vague, 3000, undefined],
    ['what is stuck may go on within a second', stuck, 999, 5],
    ['and is stuck after that', stuck, 1000, undefined],
  ])('%s', (_, observation, elapsed, next) => expect(settleStep(observation, elapsed, 3000)).toBe(next))

  test('what is stuck is waited for though the patience is shorter', () => {
    expect(settleStep(stuck, 500, 100)).toBe(5)
  })
})
