/** Events of respawns as the history kept them, which another version may have written. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pastLines } from '../../src/cli/ui/past-line.ts'
import { pastRespawnLines } from '../../src/cli/ui/respawn-line.ts'
import type { JsonValue, StoredEntry } from '../../src/history/entry.ts'
import { cutOff, type PastRespawnEvent, readPastEvent, summaryOf } from '../../src/respawn/past-event.ts'

const rowOf = (type: string, data: JsonValue): StoredEntry => ({
  ...{ id: 1, at: 5000, kind: `respawn.${type}`, session: 'abcd1234', agent: 'claude' },
  data,
})

const linesOf = (entry: StoredEntry): string =>
  [
    ...pastLines(entry, undefined, '/home/dev', Infinity),
    ...pastRespawnLines(entry.at, readPastEvent(entry) as PastRespawnEvent, Infinity, 'claude'),
    summaryOf([entry]),
  ].join('\n')

test('one as lull writes it is told in full', () => {
  const said = linesOf(rowOf('sent', { step: 1, cycle: 3, text: 'go on', why: 'it is idle', isDry: true }))
  expect(said).toContain('dry run: sent "go on" step 2, cycle 3')
  expect(said).toContain('it is idle')
  expect(linesOf(rowOf('stopped', { outcome: 'done' }))).toContain(
    '1 session: nothing sent; last: stopped (done)',
  )
  expect(readPastEvent({ ...rowOf('x', {}), kind: 'session.state' })).toBeUndefined()
})

test.each<[string, JsonValue]>([
  ['sent', { cycle: 3, why: 5 }],
  ['sent', { step: 1, cycle: {}, text: 'go on' }],
  ['sent', { step: 1, cycle: 1, text: 5 }],
  ['limited', { until: 1e300 }],
  ['blocked', { for: {} }],
  ['stopped', ['done']],
  ['of_another_version', { step: 1 }],
])('of %s with %j no more than its type is told', (type, data) => {
  expect(readPastEvent(rowOf(type, data))).toEqual({ type, why: '', isDry: false })
  expect(linesOf(rowOf(type, data))).toMatch(new RegExp(`respawn: ${type}\\s*claude`))
})

test('whatever stands in a row, no line tells of what is not there', () => {
  const types = [
    'started',
    'phase',
    'sending',
    'sent',
    'failed',
    'turn_ended',
    'no_turn',
    'blocked',
    'accepted',
  ]
  const more = ['limited', 'judged', 'paused', 'stopped', 'would_send', 'left', '__proto__', 'constructor']
  const names = [
    'step',
    'cycle',
    'steps',
    'text',
    'why',
    'for',
    'until',
    'says',
    'by',
    'outcome',
    'phase',
    'after',
  ]
  const odd = fc.constantFrom<JsonValue>('odd', 5, 1e300, true, null, [], { a: 1 })
  fc.assert(
    fc.property(
      fc.constantFrom(...types, ...more),
      fc.dictionary(fc.constantFrom(...names), odd),
      (type, fields) => {
        expect(linesOf(rowOf(type, fields))).not.toMatch(/undefined|NaN|Invalid|\[object/)
      },
    ),
    { numRuns: 1000 },
  )
})

test('the last entry of a respawn that no longer runs and did not report its end is cut off', () => {
  const rows = (...types: string[]) => types.map(type => rowOf(type, {}))
  const cut = (running: string[], ...types: string[]) => {
    const entries = rows(...types)
    const found = cutOff(entries, new Set(running))
    return entries.flatMap((entry, index) => (found.has(entry) ? [index] : []))
  }
  expect(cut([], 'started', 'sent', 'phase')).toEqual([2])
  expect(cut(['abcd1234'], 'started', 'sent', 'phase')).toEqual([])
  expect(cut([], 'started', 'sent', 'stopped')).toEqual([])
  expect(cut(['abcd1234'], 'started', 'sent', 'started', 'sent')).toEqual([1])
  expect(cut([], 'started', 'stopped', 'started')).toEqual([2])
})
