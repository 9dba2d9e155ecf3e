/** The past of all sessions in a time: whole from its beginning on, however much of it is left out. */
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openHistory } from '../../../src/history/open-history.ts'
import { statesBetween } from '../../../src/sessions/history/read-past.ts'
import { type PastState, readPast } from '../../../src/sessions/history/session-past.ts'
import { newPlaces } from '../../support/history.ts'

type Change = readonly [at: number, session: string, state: PastState['state'], more?: Partial<PastState>]

function historyOf(changes: readonly Change[]) {
  const history = openHistory(newPlaces().places, { now: () => 0 })
  onTestFinished(history.close)
  for (const [at, session, state, more] of changes)
    history.add({ at, kind: 'session.state', session, agent: 'claude', data: { turn: 1, state, ...more } })
  return history
}

/** Which session had which state from when on, and what else is said. */
function between(changes: readonly Change[], since: number, until: number, most = 100) {
  const { entries, ...rest } = statesBetween(historyOf(changes), since, until, most)
  return { ...rest, entries: entries.map(entry => [entry.at, entry.session, readPast(entry)?.state]) }
}

const night: readonly Change[] = [
  [10, 'web', 'working'],
  [11, 'gone', 'working'],
  [12, 'gone', 'exited'],
  [15, 'api', 'idle'],
  [20, 'web', 'waiting'],
  [25, 'new', 'starting'],
  [30, 'api', 'exited'],
  [40, 'web', 'idle'],
]

describe('the states of all sessions', () => {
  test('begin with what each had, with its own time; who had ended by then is not there', () => {
    expect(between(night, 18, 40)).toEqual({
      ...{ since: 18, isCut: false },
      entries: [
        [10, 'web', 'working'],
        [15, 'api', 'idle'],
        [20, 'web', 'waiting'],
        [25, 'new', 'starting'],
        [30, 'api', 'exited'],
      ],
    })
  })

  test('are whole from a later instant on where older ones are left out', () => {
    expect(between(night, 0, 50, 2)).toEqual({
      ...{ since: 26, isCut: true },
      entries: [
        [15, 'api', 'idle'],
        [20, 'web', 'waiting'],
        [25, 'new', 'starting'],
        [30, 'api', 'exited'],
        [40, 'web', 'idle'],
      ],
    })
  })

  test('have the words that arrived later, though the state began before', () => {
    const words = { for: 'question', question: 'Which port?' } as const
    const history = historyOf([
      [10, 'web', 'waiting'],
      [10, 'web', 'waiting', { ...words, isMore: true }],
    ])
    for (const since of [0, 20]) {
      const { entries } = statesBetween(history, since, 50, 100)
      expect(entries.map(({ at, data }) => [at, data])).toEqual([
        [10, { turn: 1, state: 'waiting', ...words }],
      ])
    }
  })

  test('tell of each instant from `since` on what all of the history tells of it', () => {
    const change = fc.tuple(
      fc.integer({ min: 0, max: 20 }),
      fc.constantFrom('a', 'b', 'c'),
      fc.constantFrom<PastState['state']>('working', 'waiting', 'idle', 'exited'),
    )
    const asked = fc.record({
      changes: fc.array(change, { maxLength: 25 }),
      since: fc.nat(20),
      most: fc.integer({ min: 1, max: 10 }),
    })
    /** What has ended, and is told of no more, is not there. */
    const statesAt = (
      entries: readonly { at: number; session?: string; state: string | undefined }[],
      at: number,
    ) => Object.fromEntries(entries.flatMap(one => (one.at <= at ? [[one.session, one.state]] : [])))
    const withoutEnded = (states: Record<string, string | undefined>) =>
      Object.fromEntries(Object.entries(states).filter(([, state]) => state !== 'exited'))
    fc.assert(
      fc.property(asked, ({ changes, since, most }) => {
        const all = changes.toSorted(([a], [b]) => a - b)
        const { entries, since: from, isCut } = statesBetween(historyOf(all), since, 21, most)
        expect([from >= since, isCut]).toEqual([true, from > since])
        const told = entries.map(entry => ({ ...entry, state: readPast(entry)?.state }))
        const known = all.map(([at, session, state]) => ({ at, session, state }))
        for (let at = from; at <= 20; at++)
          expect(withoutEnded(statesAt(told, at))).toEqual(withoutEnded(statesAt(known, at)))
      }),
      { numRuns: 30 },
    )
  })
})
