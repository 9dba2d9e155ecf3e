/** What is read of the history is believed as far as it is of the kind that lull writes: a row may be damaged, or another version's. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { awayHeadline, awayLines, ownPastLine, pastLines } from '../../../src/cli/ui/past-line.ts'
import { parseJson } from '../../../src/core/trace/trace.ts'
import type { JsonValue, StoredEntry } from '../../../src/history/entry.ts'
import { inFull, readPast, stateKind } from '../../../src/sessions/history/session-past.ts'
import { whileAway } from '../../../src/sessions/history/while-away.ts'

const rowOf = (data: JsonValue): StoredEntry => ({
  ...{ id: 1, at: 5000, kind: stateKind, session: 'abcd1234', agent: 'claude', cwd: '/home/dev/api' },
  data,
})

const linesOf = (entry: StoredEntry): string => {
  const away = whileAway([entry], 0, 9000)
  return [
    ...pastLines(entry, 1000, '/home/dev', 100),
    ownPastLine(entry, undefined),
    awayHeadline(away, 0, 9000, 0),
    ...away.flatMap(one => awayLines(one, '/home/dev', 100)),
  ].join('\n')
}

test('a field of another kind is left out, one that is not known stays', () => {
  const row = rowOf({ state: 'idle', name: 5, question: ['?'], cost: '1', crashed: 1, turn: {}, later: [1] })
  expect(readPast(row)).toEqual({ state: 'idle', turn: 0, later: [1] })
  expect(inFull([row])).toMatchObject([{ data: { state: 'idle', turn: 0, later: [1] } }])
  expect(readPast(rowOf({ state: 5 }))).toBeUndefined()
  expect(readPast(rowOf(['idle']))).toBeUndefined()
})

test.each(['constructor', '__proto__', 'toString'])(
  'a turn that ended by "%s" is idle, as others that nobody tells of',
  after => {
    expect(linesOf(rowOf({ state: 'idle', after, turn: 1 }))).toMatch(/^\S+ {2}abcd1234 {2}idle /)
  },
)

test('whatever stands in a row, there are lines, and none tells of what is not there', () => {
  const names = [
    'state',
    'for',
    'after',
    'code',
    'signal',
    'crashed',
    'lost',
    'health',
    'turn',
    'name',
    'place',
  ]
  const more = ['terminal', 'question', 'error', 'message', 'note', 'cost', 'isMore', '__proto__']
  const odd = fc.constantFrom('idle', 'waiting', 'exited', '__proto__', 5, -1, true, null, '[]', '{"a":1}')
  const value = odd.map(one => (one === '[]' || one === '{"a":1}' ? parseJson(one) : one))
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names, ...more), value), fields => {
      const said = linesOf(rowOf(fields as JsonValue))
      expect(said).not.toMatch(/undefined|NaN|\[object|function/)
    }),
    { numRuns: 500 },
  )
})
