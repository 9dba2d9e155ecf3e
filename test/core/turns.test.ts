import { describe, expect, test } from 'vitest'
import type { News } from '../../src/core/evidence/signal.ts'
import {
  endsTurn,
  namedPast,
  noTurns,
  openBySign,
  passGate,
  type Turns,
} from '../../src/core/evidence/turns.ts'
import type { State } from '../../src/core/state.ts'

/** Which turn a piece of news belongs to. Times are ms. */

const work: State = { kind: 'working' }
const idle: State = { kind: 'idle' }

const news = (at: number, says: State, more: Partial<News> = {}): News => ({
  type: 'news',
  source: 'hook',
  what: 'event',
  lane: 'main',
  state: says,
  at,
  seen: at,
  ...more,
})
const start = (at: number, turn?: string) => news(at, work, { starts: true, ...(turn && { turn }) })
const end = (at: number, turn?: string) => news(at, idle, turn ? { turn } : {})
const call = (at: number, turn?: string) => news(at, work, turn ? { turn } : {})
const again = (at: number, turn?: string) => news(at, work, { reopens: true, ...(turn && { turn }) })

/** The turns after all of it; news of the past change nothing. */
const turnsAfter = (...all: readonly News[]): Turns =>
  all.reduce((turns, one) => passGate(turns, one) ?? turns, noTurns)

const isPast = (turns: Turns, one: News): boolean => passGate(turns, one) === undefined

describe('a turn begins', () => {
  test('with a prompt, or with whatever work is heard of first', () => {
    expect(turnsAfter(start(5, 'a'))).toMatchObject({
      open: { id: 'a', startedAt: 5 },
      count: 1,
      closed: [],
      lastStart: 5,
      isStartReported: true,
      lastEnd: noTurns.lastEnd,
    })
    const unnamed = turnsAfter(call(5))
    expect(unnamed).toMatchObject({ open: { startedAt: 5 }, count: 1, isStartReported: false })
    expect(unnamed.open).not.toHaveProperty('id')
  })

  test('not with the start of the program, nor with what says nothing', () => {
    expect(turnsAfter(news(5, { kind: 'starting' }))).toEqual(noTurns)
    expect(turnsAfter(news(5, { kind: 'unknown' }))).toEqual(noTurns)
    expect(turnsAfter(start(5, 'a'), news(9, { kind: 'unknown' }, { turn: 'b' })).open?.id).toBe('a')
  })

  test('with a sign, where no news tell of it', () => {
    const turns = openBySign(turnsAfter(start(5, 'a'), end(9, 'a')), 20)
    expect(turns).toMatchObject({ open: { startedAt: 20 }, count: 2, lastStart: 20, isStartReported: false })
    expect(passGate(turns, start(30, 'b'))).toMatchObject({
      open: { id: 'b', startedAt: 20 },
      count: 2,
      isStartReported: true,
    })
  })

  // OpenCode's log is flushed once a second: its turn of 0.3 s is reported after a look has seen it work.
  test('with a sign, and ends before that look where its start and its end are reported so', () => {
    const turns = openBySign(turnsAfter(start(5, 'a'), end(9, 'a')), 2000)
    const both = [start(1200), end(1500)].reduce((all, one) => passGate(all, one) ?? all, turns)
    expect(both).toMatchObject({ open: undefined, count: 2, lastEnd: 1500 })
  })

  test('with the next prompt, and ends the one before', () => {
    expect(turnsAfter(start(5, 'a'), start(5000, 'b'))).toMatchObject({
      open: { id: 'b', startedAt: 5000 },
      count: 2,
      closed: ['a'],
      lastEnd: 5000,
    })
  })

  test('with work of another id', () => {
    expect(turnsAfter(start(5, 'a'), call(50, 'b'))).toMatchObject({
      open: { id: 'b' },
      count: 2,
      closed: ['a'],
    })
    expect(turnsAfter(start(5, 'a'), call(50, 'b')).isStartReported).toBe(false)
  })
})

describe('a second word for a start', () => {
  test.each([
    [2000, 1],
    [2001, 2],
  ])('%i ms later makes %i turns', (later, count) =>
    expect(turnsAfter(start(1000), start(1000 + later)).count).toBe(count),
  )

  test('of the same id is one, however late; of another id none, however soon', () => {
    expect(turnsAfter(start(1000, 'a'), start(9000, 'a')).count).toBe(1)
    expect(turnsAfter(start(1000, 'a'), start(1001, 'b')).count).toBe(2)
  })

  test('gives the turn its name, and takes none away', () => {
    expect(turnsAfter(start(1000), start(1500, 'a')).open).toEqual({ id: 'a', startedAt: 1000 })
    expect(turnsAfter(start(1000, 'a'), start(1500)).open).toEqual({ id: 'a', startedAt: 1000 })
    expect(turnsAfter(call(1000), start(1500)).isStartReported).toBe(true)
  })

  test('before it is one as well', () => {
    expect(turnsAfter(start(3000), start(1000)).count).toBe(1)
    expect(isPast(turnsAfter(start(3001)), start(1000))).toBe(true)
  })
})

describe('work in a turn', () => {
  test('changes nothing of it, named or not', () => {
    const turns = turnsAfter(start(5, 'a'))
    expect(passGate(turns, call(9, 'a'))).toBe(turns)
    expect(passGate(turns, call(9))).toBe(turns)
  })

  test('names a turn that has no name', () => {
    expect(turnsAfter(start(5), call(9, 'a'))).toMatchObject({ open: { id: 'a', startedAt: 5 }, count: 1 })
  })

  test('from before it is news of the past, unless it is its own', () => {
    const turns = turnsAfter(start(5000, 'a'))
    expect(isPast(turns, call(4999))).toBe(true)
    expect(isPast(turns, call(4999, 'b'))).toBe(true)
    expect(isPast(turns, call(4999, 'a'))).toBe(false)
    expect(isPast(turns, call(5000))).toBe(false)
    expect(isPast(turns, end(4999))).toBe(true)
  })
})

describe('a turn ends', () => {
  test('at idleness and at the end of the program', () => {
    expect(endsTurn(idle)).toBe(true)
    expect(endsTurn({ kind: 'exited' })).toBe(true)
    expect(endsTurn(work)).toBe(false)
    expect(endsTurn({ kind: 'waiting', for: 'plan' })).toBe(false)
  })

  test('with its own end', () => {
    const turns = turnsAfter(start(5, 'a'), end(9, 'a'))
    expect(turns).toMatchObject({ count: 1, closed: ['a'], lastEnd: 9, endedUnnamed: false })
    expect(turns.open).toBeUndefined()
  })

  test('with one that names none, or as a turn without a name', () => {
    expect(turnsAfter(start(5, 'a'), end(9))).toMatchObject({ closed: ['a'], endedUnnamed: false })
    expect(turnsAfter(start(5), end(9, 'a'))).toMatchObject({ closed: ['a'], endedUnnamed: false })
    expect(turnsAfter(start(5), end(9))).toMatchObject({ closed: [], endedUnnamed: true })
  })

  test('not with the end of another', () => {
    expect(isPast(turnsAfter(start(5, 'a')), end(9, 'b'))).toBe(true)
  })

  test('though nobody told of its start', () => {
    expect(turnsAfter(end(9, 'a'))).toMatchObject({ count: 1, closed: ['a'], lastEnd: 9 })
    expect(turnsAfter(end(9))).toMatchObject({ count: 0, closed: [], lastEnd: 9 })
    expect(turnsAfter(start(5, 'a'), end(9, 'a'), end(7)).lastEnd).toBe(9)
    expect(turnsAfter(start(5, 'a'), end(9, 'a'), end(12)).lastEnd).toBe(12)
    expect(turnsAfter(start(5, 'a'), call(50, 'b'), end(20, 'b')).lastEnd).toBe(50)
  })
})

describe('after the end', () => {
  const ended = turnsAfter(start(1000, 'a'), end(5000, 'a'))
  const unnamed = turnsAfter(start(1000), end(5000))

  test('news of that turn are news of the past', () => {
    expect(isPast(ended, call(5100, 'a'))).toBe(true)
    expect(isPast(ended, end(5100, 'a'))).toBe(true)
    expect(isPast(ended, start(9000, 'a'))).toBe(true)
    expect(isPast(ended, call(5100))).toBe(true)
    expect(isPast(turnsAfter(start(1000, 'a'), start(6000, 'b')), end(7000, 'a'))).toBe(true)
  })

  test('work of another id begins a turn, unless the one that ended had no name', () => {
    expect(passGate(ended, call(5100, 'b'))).toMatchObject({ open: { id: 'b' }, count: 2, lastEnd: 5000 })
    expect(isPast(unnamed, call(5100, 'b'))).toBe(true)
  })

  test.each([
    [7000, true],
    [7001, false],
  ])('unnamed work at %i is of the past: %s', (at, isOld) => expect(isPast(ended, call(at))).toBe(isOld))

  test('named work is of the past though it is late, where the turn had no name', () => {
    expect(isPast(unnamed, call(9000, 'b'))).toBe(true)
    expect(isPast(unnamed, call(9000))).toBe(false)
  })

  test('a prompt begins the next, unless it is from before', () => {
    expect(passGate(unnamed, start(5000))).toMatchObject({ open: { startedAt: 5000 }, count: 2 })
    expect(isPast(unnamed, start(4999))).toBe(true)
    expect(isPast(unnamed, start(4999, 'b'))).toBe(true)
    expect(passGate(ended, start(4999, 'b'))).toMatchObject({ open: { id: 'b' } })
  })

  test.each([
    [5300, true],
    [5301, false],
  ])('what reopens a turn, at %i, is of the past: %s', (at, isOld) => {
    expect(isPast(ended, again(at))).toBe(isOld)
    expect(isPast(ended, again(at, 'a'))).toBe(isOld)
  })

  test('a reopened turn goes on: it is no new one, and closed no more', () => {
    const two = turnsAfter(start(10, 'z'), end(20, 'z'), start(1000, 'a'), end(5000, 'a'))
    expect(passGate(two, again(6000, 'a'))).toMatchObject({
      open: { id: 'a', startedAt: 6000 },
      count: 2,
      closed: ['z'],
      lastStart: 1000,
      lastEnd: 5000,
    })
    expect(passGate(two, again(6000))?.open).toEqual({ startedAt: 6000 })
  })

  test('nothing is reopened while another turn is open', () => {
    const open = turnsAfter(start(1000, 'a'), end(5000, 'a'), start(6000, 'b'))
    expect(isPast(open, again(7000, 'a'))).toBe(true)
  })

  test('an id is kept once', () => {
    expect(turnsAfter(start(5, 'a'), end(9, 'a'), again(1000, 'a'), end(2000, 'a')).closed).toEqual(['a'])
  })
})

describe('news of the past', () => {
  test('name a turn that is over, once', () => {
    const over = turnsAfter(start(5, 'a'), end(9, 'a'))
    expect(namedPast(over, start(3, 'b')).closed).toEqual(['a', 'b'])
    expect(namedPast(over, start(10, 'b'))).toBe(over)
    expect(namedPast(over, start(3, 'a'))).toBe(over)
    expect(namedPast(over, start(3))).toBe(over)
    const open = turnsAfter(start(5, 'a'))
    expect(namedPast(open, start(3, 'a'))).toBe(open)
  })

  test('give its name to the turn that ended without one, and to no other', () => {
    const unnamed = turnsAfter(start(5), end(9))
    expect(namedPast(unnamed, end(8, 'a'))).toMatchObject({ closed: ['a'], endedUnnamed: false })
    expect(namedPast(unnamed, call(8, 'a'))).toBe(unnamed)
    const named = turnsAfter(start(5, 'a'), end(9, 'a'))
    expect(namedPast(named, end(8, 'b'))).toBe(named)
    const open = { ...turnsAfter(start(15)), endedUnnamed: true }
    expect(namedPast(open, end(8, 'a'))).toBe(open)
  })

  test('that a source told before the turn began, without a name, end nothing of it', () => {
    const told = { source: 'transcript' } as const
    const turns = turnsAfter(news(5, work, told), start(10, 'a'))
    expect(turns).toMatchObject({ count: 1, toldBy: { transcript: 0, hook: 1 } })
    expect(isPast(turns, news(12, idle, told))).toBe(true)
    expect(isPast(turns, news(12, idle))).toBe(false)
  })
})
