/** What goes on beside a turn, what of it counts as work, and what will wake a session. Times are ms. */
import { expect, test } from 'vitest'
import { advance } from '../../src/core/advance.ts'
import {
  type BackgroundKind,
  backgroundKinds,
  isBackgroundKind,
  isResting,
  isWork,
} from '../../src/core/evidence/background.ts'
import { kindsBeside, wakesOf } from '../../src/core/evidence/beside.ts'
import type { News } from '../../src/core/evidence/signal.ts'
import { newSession } from '../../src/core/session.ts'
import { news } from '../support/core-signals.ts'

test('a word is a kind of background work, or none', () => {
  expect(backgroundKinds.every(isBackgroundKind)).toBe(true)
  expect(['', 'cron', 'toString', '__proto__'].some(isBackgroundKind)).toBe(false)
})

test('it rests where all that goes on is none that counts, and where nothing does it does not rest', () => {
  const of = (...kinds: readonly BackgroundKind[]) => isResting(kinds.map(kind => ({ kind })))
  expect(backgroundKinds.filter(kind => of(kind))).toEqual(['server', 'teammate'])
  expect(of('server', 'teammate')).toBe(true)
  expect(of('server', 'task')).toBe(false)
  expect(of('remote', 'teammate')).toBe(false)
  expect(of()).toBe(false)
  expect(isResting()).toBe(false)
  expect(backgroundKinds.filter(isWork)).toEqual(['task', 'remote'])
})

test('a schedule wakes it until its time has come, a watch for ever, and a goal until it is met', () => {
  const wakes = [{ kind: 'cron' }, { kind: 'wakeup', at: 500 }] as const
  expect(wakesOf({ wakes }, 499)).toEqual(wakes)
  expect(wakesOf({ wakes }, 500)).toEqual([{ kind: 'cron' }])
  expect(wakesOf({ wakes, goal: 'all tests pass' }, 500)).toEqual([
    { kind: 'cron' },
    { kind: 'goal', what: 'all tests pass' },
  ])
  expect(wakesOf({}, 0)).toEqual([])
})

const beside = (now: number, ...heard: readonly News[]) =>
  kindsBeside(
    advance(
      heard.reduce((session, one) => advance(session, one.seen, one), newSession(0)),
      now,
    ),
  )

test('the lanes beside the main one tell which kinds of work go on', () => {
  const command = news('working', 100, { lane: 'bg:1', background: 'server' })
  const subagent = news('working', 110, { lane: 'sub:1' })
  expect(beside(200, command, subagent)).toEqual(['server', 'task'])
  expect(beside(200, subagent)).toEqual(['task'])
})

test('undefined where none does: the turn itself, what asks, what is over or expired is none', () => {
  expect(beside(200)).toBeUndefined()
  expect(beside(200, news('working', 100))).toBeUndefined()
  expect(beside(200, news('working', 100, { lane: 'queue' }))).toBeUndefined()
  expect(beside(200, news('waiting', 100, { lane: 'sub:1' }))).toBeUndefined()
  const held = news('working', 100, { lane: 'bg:1', hold: 1000 })
  expect(beside(1099, held)).toEqual(['task'])
  expect(beside(1100, held)).toBeUndefined()
})
