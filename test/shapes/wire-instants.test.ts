/** Instants leave a process as ISO time, and come back as the same numbers, whatever became of the wall clock meanwhile. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Signal } from '../../src/core/evidence/signal.ts'
import { never } from '../../src/core/evidence/turns.ts'
import { changeMessage, readChange, readChangeThere } from '../../src/host/messages.ts'
import type { LiveSession } from '../../src/sessions/session-source.ts'
import { knownPart } from '../../src/shapes/wire.ts'
import { instantReader, withInstants, withIsoTimes } from '../../src/shapes/wire-instants.ts'
import { exit, liveSession, news, permission, prompt, sessionOf, status } from '../support/live.ts'

/** Far above any count, duration or pid. ms */
const late = 1e12

const session = (from: number): LiveSession => {
  const signals: readonly Signal[] = [
    prompt(from, { turn: 't' }),
    news(from + 1.25, permission, { lane: 'ask:main:1', limit: { until: from + 99 } }),
    status(from + 2, permission),
    { type: 'facts', facts: { tokensIn: 5, wakes: [{ kind: 'wakeup', at: from + 50 }] }, at: from + 3 },
    exit(from + 4),
  ]
  return liveSession(sessionOf(signals, from), { settledFrom: from + 9 })
}

const sent = (value: object): unknown => JSON.parse(JSON.stringify(value))
const numbersIn = (value: unknown): readonly number[] =>
  typeof value === 'number'
    ? [value]
    : typeof value === 'object' && value
      ? Object.values(value).flatMap(numbersIn)
      : []

describe('a session', () => {
  test('leaves no monotonic instant behind', () => {
    const message = sent(changeMessage({ type: 'changed', session: session(late) }, 5))
    expect(numbersIn(message).filter(number => Math.abs(number) > 1e9)).toEqual([])
  })

  test('comes back as it was, to the last bit, whatever the epoch', () => {
    fc.assert(
      fc.property(
        // Before this boot, too: as what an agent wrote down may be.
        fc.oneof(
          fc.double({ min: 1, max: 1e10, noNaN: true }),
          fc.double({ min: -1e10, max: -100, noNaN: true }),
        ),
        fc.integer({ min: -1e12, max: 4e12 }),
        (from, epoch) => {
          const change = { type: 'changed', session: session(from) } as const
          expect(readChange(sent(changeMessage(change, epoch)))).toEqual(sent(change))
        },
      ),
    )
  })

  test('of another machine has instants of this one’s clock', () => {
    const change = readChangeThere(sent(changeMessage({ type: 'changed', session: session(1000) }, 7)), 500)
    expect(change).toMatchObject({ session: { settledFrom: 1509, session: { now: 1504 } } })
  })
})

describe('an instant', () => {
  const iso = (instant: number, epoch: number) =>
    (withIsoTimes('typedInstants', { a: instant }, epoch) as { a: unknown }).a

  test('is the time that a clock on the wall would have shown', () => {
    expect(iso(1500.5, 1_800_000_000_000)).toBe('2027-01-15T08:00:01.5005Z')
    expect(iso(-0.25, 0)).toBe('1969-12-31T23:59:59.99975Z')
  })

  test('before every instant is null, and stays so', () => {
    expect(iso(never, 9)).toBeNull()
    expect(knownPart('typedInstants', { a: null }, instantReader(9, 100))).toEqual({ a: never })
  })

  test('beyond all time is the last that there is', () => {
    expect(iso(Number.MAX_SAFE_INTEGER, 0)).toBe('+275760-09-13T00:00:00.000Z')
  })

  test.each(['now', '2027-01-15', '2027-99-15T08:00:01.500Z', 5, true])(
    '%s is no time, and is no number then',
    text => {
      const read = withInstants('typedInstants', { a: text }, 0) as { a: unknown }
      expect(read.a).toBeTypeOf('string')
    },
  )
})
