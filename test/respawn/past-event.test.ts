/** Events of respawns as the history kept them, which another version may have written. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
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

describe('a respawn that did not report its end', () => {
  /** Of each the type, the run, and the session where it is another one. */
  type Row = readonly [type: string, run: string, session?: string]
  const cut = (running: readonly string[], ...rows: readonly Row[]) => {
    const entries = rows.map(([type, run, session = 'web']) => ({ ...rowOf(type, {}), run, session }))
    const found = cutOff(entries, new Set(running))
    return entries.flatMap((entry, index) => (found.has(entry) ? [index] : []))
  }

  test('is cut off after its last entry, where it does not run', () => {
    expect(cut([], ['started', 'a'], ['sent', 'a'], ['phase', 'a'])).toEqual([2])
    expect(cut(['web'], ['started', 'a'], ['sent', 'a'], ['phase', 'a'])).toEqual([])
    expect(cut([], ['started', 'a'], ['sent', 'a'], ['stopped', 'a'])).toEqual([])
  })

  test('is another one than the next of its session', () => {
    expect(cut(['web'], ['started', 'a'], ['sent', 'a'], ['started', 'b'], ['sent', 'b'])).toEqual([1])
    expect(cut([], ['started', 'a'], ['stopped', 'a'], ['started', 'b'])).toEqual([2])
  })

  test('goes on with another session after a relaunch', () => {
    const relaunched: readonly Row[] = [
      ['started', 'a'],
      ['relaunch', 'a'],
      ['sent', 'a', 'next'],
    ]
    expect(cut(['next'], ...relaunched)).toEqual([])
    expect(cut([], ...relaunched, ['stopped', 'a', 'next'])).toEqual([])
    expect(cut([], ...relaunched)).toEqual([2])
  })
})
