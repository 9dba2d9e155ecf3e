/** Two sources fail at once in sessions of several turns: no work is called idle for longer than a second. */
import { describe, expect, test } from 'vitest'
import { corpusFolder, loadCorpus } from '../../bench/corpus.ts'
import { faultPairs } from '../../bench/faults.ts'
import { ours, unchanged } from '../../bench/judgements.ts'
import { longFalseIdles } from '../../bench/long-false-idles.ts'
import { score } from '../../bench/score.ts'
import { severalTurns } from '../../bench/several-turns.ts'

/** In the opposite order they are judged by `npm run bench:pairs`. */
const sessions = severalTurns(loadCorpus(corpusFolder)).filter(({ name }) => !name.endsWith('-reversed'))
const patience = 60_000
const pairs = new Map(faultPairs().map(pair => [pair.name, pair]))

describe('sessions of several turns', () => {
  test(
    'are made of every agent’s recordings, and judged like them',
    () => {
      expect(new Set(sessions.map(session => session.agent.name)).size).toBe(8)
      expect(sessions.every(session => session.episodes.filter(e => e.state === 'working').length > 1)).toBe(
        true,
      )
      const predictions = sessions.map(session => ours(session, unchanged))
      expect(score(sessions, predictions).overall.accuracy).toBeGreaterThan(0.98)
    },
    patience,
  )

  test.each([
    'hook dropped, transcript dropped',
    'hook late 2 s, status late 2 s',
    'hook late 7 s, status dropped',
    'hook late 7 s, terminal late 0.5 s',
    'hook frozen at a third, transcript frozen at a third',
    'hook frozen at a third, terminal frozen at a third',
    'hook doubled after 1 s, terminal late 2 s',
    'hook late 7 s, transcript dropped',
    'hook late 7 s, transcript late 7 s',
    'hook dropped, terminal late 2 s',
    'hook late 7 s, terminal dropped',
    'transcript dropped, terminal late 2 s',
    'transcript late 7 s, terminal late 7 s',
    'status frozen at a third, terminal late 7 s',
  ])(
    '%s',
    name => {
      const pair = pairs.get(name)
      if (!pair) throw new Error('there is no such pair')
      expect(longFalseIdles(sessions, pair)).toEqual([])
    },
    patience,
  )
})
