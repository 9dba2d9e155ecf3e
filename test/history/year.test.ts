/** A year of agents that work without a pause: a question about an hour or a session does not read all of it. */
import { expect, test } from 'vitest'
import { openHistory } from '../../src/history/open-history.ts'
import { ask, newPlaces } from '../support/history.ts'

const count = 100_000
const end = Date.UTC(2026, 10, 24)
const step = (365 * 24 * 60 * 60 * 1000) / count

/** The least of some tries: others may take the machine. */
function timeOf(work: () => unknown, times: number): number {
  const tries = Array.from({ length: times }, () => {
    const from = performance.now()
    work()
    return performance.now() - from
  })
  return Math.min(...tries)
}

test('of 100,000 entries, a session, an hour, a run and the last ones are found at once', () => {
  const { places, file } = newPlaces()
  const kept = { ageMs: Infinity }
  openHistory(places, { kept }).close()
  ask(
    file,
    `WITH RECURSIVE n(value) AS (SELECT 0 UNION ALL SELECT value + 1 FROM n WHERE value < ${count} - 1)
INSERT INTO entries (at, session, agent, cwd, kind, run, data)
SELECT CAST(${end} - (${count} - value) * ${step} AS INTEGER), 's' || (value / 100), 'claude', '/home/someone/project',
  CASE value % 3 WHEN 0 THEN 'typed' WHEN 1 THEN 'waited' ELSE 'refused' END,
  CASE value % 2 WHEN 0 THEN 'r' || (value / 1000) END, '{"n":' || value || '}' FROM n`,
  )
  const history = openHistory(places, { kept })
  const all = timeOf(() => expect(history.entries({ most: Infinity })).toHaveLength(count), 3)
  const questions = {
    session: () => expect(history.entries({ session: 's500' })).toHaveLength(100),
    sessionAndKind: () => expect(history.entries({ session: 's500', kinds: ['typed'] })).toHaveLength(33),
    sessionSince: () =>
      expect(history.entries({ session: 's999', since: end - 10 * step - 1 })).toHaveLength(10),
    since: () => expect(history.entries({ since: end - 1000 * step - 1 })).toHaveLength(1000),
    run: () => expect(history.entries({ run: 'r50' })).toHaveLength(500),
    lastOfEach: () => expect(history.lastOfEach('typed', { before: end - 50_000 * step })).toHaveLength(500),
    newest: () => expect(history.entries({ most: 100 })).toHaveLength(100),
    none: () => expect(history.entries({ session: 'nobody' })).toEqual([]),
    opening: () => openHistory(places, { kept }).close(),
  }
  for (const [name, question] of Object.entries(questions))
    expect([name, timeOf(question, 20) < all / 20]).toEqual([name, true])
})
