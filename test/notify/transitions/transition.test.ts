/** What a webhook is sent of a transition: the state before, the state now, and the session, whatever its texts are. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue, StoredEntry } from '../../../src/history/entry.ts'
import { sampleTransition, titleOf, transitionOf } from '../../../src/notify/transitions/transition.ts'

const at = Date.UTC(2026, 10, 24)
const entry = (id: number, data: JsonValue, more: Partial<StoredEntry> = {}): StoredEntry => ({
  id,
  at: at + id * 1000,
  kind: 'session.state',
  session: 'tzip8t4j',
  agent: 'claude',
  cwd: '/home/dev/api',
  data,
  ...more,
})
const working = entry(6, { state: 'working', turn: 2, pid: 7, name: 'api' })

test('a transition has the states before and after, and the row of the session', () => {
  const waiting = entry(7, {
    ...{ state: 'waiting', for: 'permission', turn: 2, pid: 7, name: 'api', question: 'npm publish' },
    ...{ prompt: 'release it', title: 'Release', cost: 3 },
  })
  const sent = transitionOf(waiting, working)
  expect(sent).toEqual({
    id: `7-${(at + 7000).toString(36)}-tzip8t4j`,
    at: '2026-11-24T00:00:07.000Z',
    from: { state: 'working', turn: 2 },
    to: { state: 'waiting', for: 'permission', turn: 2 },
    session: {
      id: 'tzip8t4j',
      agent: 'claude',
      name: 'api',
      cwd: '/home/dev/api',
      pid: 7,
      state: 'waiting',
      for: 'permission',
      turn: 2,
      turnOver: false,
      since: '2026-11-24T00:00:07.000Z',
      question: 'npm publish',
    },
  })
  expect(sent && titleOf(sent)).toBe('claude api: working → waiting/permission')
})

test.each([
  ['a first state', { state: 'working', turn: 1 }, undefined, { from: null, to: { state: 'working' } }],
  [
    'a change of health',
    { state: 'working', turn: 2, health: 'likely_stuck' },
    working,
    { from: { state: 'working' }, to: { state: 'working', health: 'likely_stuck' } },
  ],
  [
    'a turn that leaves work in the background',
    { state: 'working', doing: 'background', turn: 2, turnOver: true },
    working,
    { to: { doing: 'background' }, session: { doing: 'background', turnOver: true } },
  ],
  [
    'an end',
    { state: 'exited', turn: 2, code: 1, signal: 'SIGKILL', crashed: true },
    working,
    { to: { state: 'exited' }, session: { code: 1, signal: 'SIGKILL', crashed: true } },
  ],
  [
    'an end that nobody saw',
    { state: 'exited', turn: 2, lost: 'the machine was started anew' },
    working,
    { session: { lost: 'the machine was started anew' } },
  ],
  [
    'texts that came later',
    { state: 'working', turn: 2, error: 'overloaded', isMore: true },
    working,
    { more: true, session: { error: 'overloaded' } },
  ],
])('%s', (_, data, before, expected) => {
  expect(transitionOf(entry(7, data), before)).toMatchObject(expected)
})

test.each([
  ['of another user', entry(7, { state: 'idle', turn: 1, owner: 'bob' })],
  ['of another kind', entry(7, { state: 'idle', turn: 1 }, { kind: 'notify.sent' })],
  ['without a state', entry(7, { turn: 1 })],
])('nothing is sent of an entry %s', (_, one) => {
  expect(transitionOf(one, undefined)).toBeUndefined()
})

describe('texts', () => {
  test('are cut, on one line, and without secrets', () => {
    const key = `sk-ant-api03-${'Ab1'.repeat(30)}`
    const message = `the key is ${key}\u001b[2J\nand ${'x'.repeat(400)}`
    const sent = transitionOf(entry(7, { state: 'idle', turn: 1, message }), undefined)
    expect(sent?.session.message).toMatch(/^the key is \[redacted\]/)
    expect(JSON.stringify(sent)).not.toMatch(/sk-ant|\\u001b|\\n/)
    expect(sent?.session.message?.length).toBeLessThanOrEqual(301)
  })

  test('of any kind make JSON of bounded length, and an id that a header can hold', () => {
    const text = fc.string({ unit: 'binary', maxLength: 500 })
    fc.assert(
      fc.property(text, text, text, fc.integer({ min: 1 }), (name, question, session, id) => {
        const one = entry(id, { state: 'waiting', turn: 1, name, question }, { session, cwd: question, at })
        const sent = transitionOf(one, working)
        const json = JSON.stringify(sent)
        expect(JSON.parse(json)).toEqual(sent)
        expect(Buffer.byteLength(json)).toBeLessThan(32_768)
        expect(sent?.id).toMatch(/^[A-Za-z0-9-]+$/)
      }),
    )
  })
})

test('the sample of lull notify test is a transition that says what it is', () => {
  expect(sampleTransition('test-1', at)).toMatchObject({
    test: true,
    id: 'test-1',
    from: { state: 'working' },
    to: { state: 'idle' },
  })
})
