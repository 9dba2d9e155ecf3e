import { expect, test } from 'vitest'
import { lateIdleDue } from '../../src/core/judge/sign-due.ts'
import { news, sessionOf, sign, tracked } from '../support/core-signals.ts'

/** A turn that began at 1000, and a title that called it over before: how long it is told late. Times are ms. */

const session = (() => {
  const before = sessionOf(news('working', 1000))
  return { ...before, turns: { ...before.turns, open: { startedAt: 1000 } } }
})()
const idle = sign('title', 'idle', 900)

test('a source that has not called the turn busy may tell late that it is over', () => {
  const never = lateIdleDue(session, tracked(idle), 'working')
  const before = lateIdleDue(session, tracked(idle, { busySince: 400 }), 'working')
  expect(never).toBe(before)
  expect(never).toBeGreaterThan(1000)
  expect(lateIdleDue(session, tracked(idle, { busySince: 501 }), 'working')).toBe(-Infinity)
})

test('so may one whose word stands against a dialog, and none against what is idle', () => {
  expect(lateIdleDue(session, tracked(idle), 'waiting')).toBeGreaterThan(1000)
  expect(lateIdleDue(session, tracked(idle), 'idle')).toBe(-Infinity)
  expect(lateIdleDue(session, tracked(sign('title', 'working', 900)), 'working')).toBe(-Infinity)
})

test('where news count no more, what stood before the turn tells nothing of it', () => {
  expect(lateIdleDue(session, tracked(sign('title', 'idle', 499)), 'unknown')).toBe(Infinity)
  expect(lateIdleDue(session, tracked(sign('title', 'idle', 500)), 'unknown')).toBe(-Infinity)
})
