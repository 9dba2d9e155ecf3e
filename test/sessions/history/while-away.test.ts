import path from 'node:path'
import { expect, test } from 'vitest'
import { awayHeadline, awayLines, ownPastLine, pastLines } from '../../../src/cli/ui/past-line.ts'
import type { JsonValue, StoredEntry } from '../../../src/history/entry.ts'
import { findPast } from '../../../src/sessions/history/find-past.ts'
import type { PastState } from '../../../src/sessions/history/session-past.ts'
import { whileAway } from '../../../src/sessions/history/while-away.ts'

let id = 0
const at = (minute: number, session: string, data: Partial<PastState>): StoredEntry => ({
  id: id++,
  at: minute * 60_000,
  kind: 'session.state',
  session,
  agent: 'claude',
  cwd: `/home/dev/${session}`,
  data: { turn: 1, state: 'working', ...data },
})

const night = [
  at(0, 'web', {}),
  at(10, 'web', { state: 'idle', after: 'turn', message: 'Done.' }),
  at(20, 'web', { turn: 2 }),
  at(30, 'web', { state: 'waiting', for: 'permission', question: 'npm publish' }),
  at(0, 'api', {}),
  at(15, 'api', { state: 'exited', signal: 'SIGKILL', crashed: true }),
  at(0, 'docs', {}),
  at(12, 'docs', { state: 'waiting', for: 'question' }),
  at(14, 'docs', {}),
  at(16, 'docs', { state: 'idle', after: 'turn' }),
  at(1, 'old', { state: 'idle', after: 'turn' }),
  at(1, 'asks', { state: 'waiting', for: 'trust' }),
]

test('what needs a person comes first, also what has waited from before', () => {
  const away = whileAway(night, 5 * 60_000, 60 * 60_000)
  expect(away.map(({ session, outcome }) => [session, outcome])).toEqual([
    ['asks', 'waits'],
    ['web', 'waits'],
    ['api', 'died'],
    ['docs', 'finished'],
  ])
  expect(away[1]).toMatchObject({ finished: 1, waits: 1, waited: 30 * 60_000, since: 30 * 60_000 })
  expect(away[0]).toMatchObject({ waits: 1, waited: 55 * 60_000 })
  expect(away[3]).toMatchObject({ finished: 1, waits: 1, waited: 2 * 60_000 })
})

test('what was told is told with where to, and of what', () => {
  const note = (kind: string, data: JsonValue): StoredEntry => ({ id: 1, at: 0, kind, data })
  const rowOf = (kind: string, data: JsonValue) => ownPastLine(note(kind, data), undefined).slice(10)
  expect(rowOf('notify.sent', { to: 'phone', title: 'claude web waits', count: 1 })).toBe(
    'notify: sent to phone                     claude web waits',
  )
  expect(rowOf('notify.failed', { to: 'hook', title: 'claude web waits', why: 'it answered 500' })).toBe(
    'notify: failed to hook                    claude web waits: it answered 500',
  )
  expect(rowOf('notify.sent', { to: 5, title: ['x'] })).toBe('notify: sent')
})

test('what was not kept is not said to be nothing', () => {
  expect(awayHeadline([], 0, 60_000, 0)).toMatch(/^since \d\d:\d\d: nothing happened$/)
  expect(awayHeadline([], 0, 120_000, 60_000)).toMatch(
    /^since \d\d:\d\d: nothing happened; no history before \d\d:\d1$/,
  )
  expect(awayHeadline([], 0, 60_000, undefined)).toMatch(/^since \d\d:\d\d: no history; a host stores it$/)
})

test('what ended while no host looked is counted as its row tells it: gone, for nobody saw it die', () => {
  const lost = { state: 'exited', lost: 'it ended while no host looked' } as const
  const away = whileAway([...night, at(0, 'shell', {}), at(40, 'shell', lost)], 5 * 60_000, 60 * 60_000)
  expect(awayHeadline(away, 5 * 60_000, 60 * 60_000, 0)).toMatch(
    /: 2 wait for you, 1 died at \d\d:\d\d, 1 gone, 1 finished$/,
  )
  const row = away.find(({ session }) => session === 'shell')
  expect(row && awayLines(row, '/home/dev', Infinity).join()).toContain('  gone  ')
})

test('a session of the past is found by its id, its name, its pane, its folder', () => {
  const last = [at(1, 'abcd1234', { name: 'web', pane: '%3', pid: 7 }), at(2, 'efgh5678', { name: 'web' })]
  const find = (address: string) => findPast(last, address, path.resolve('/home/dev', address))
  expect(find('abcd')).toEqual(['abcd1234'])
  expect(find('web')).toEqual(['abcd1234', 'efgh5678'])
  expect(find('tmux:%3')).toEqual(['abcd1234'])
  expect(find('pid:7')).toEqual(['abcd1234'])
  expect(find('./efgh5678')).toEqual(['efgh5678'])
  expect(find('efgh5678')).toEqual(['efgh5678'])
  expect(() => find('nobody')).toThrow(/no session "nobody" in the history/)
  expect(() => find('')).toThrow()
})

test('a session of the past is found by its window, as lull ps named it', () => {
  const last = [at(1, 'abcd1234', { place: 'day:1.0', window: 'shop' }), at(2, 'efgh5678', {})]
  for (const address of ['shop', 'day:1.0'])
    expect(findPast(last, address, `/home/dev/${address}`)).toEqual(['abcd1234'])
})

test('a session of the past is found by the name of its folder', () => {
  const last = [at(1, 'abcd1234', {}), { ...at(2, 'efgh5678', {}), cwd: '/srv/shop' }]
  expect(findPast(last, 'shop', '/home/dev/shop')).toEqual(['efgh5678'])
})

test('a clock that was set back does not bring back what is over', () => {
  const waited = [at(60, 'web', {}), at(90, 'web', { state: 'waiting', for: 'permission' })]
  const setBack = [at(31, 'web', {}), at(40, 'web', { state: 'idle', after: 'turn' })]
  // As the store gives them: by their times.
  const entries = [...waited, ...setBack].toSorted((a, b) => a.at - b.at)
  const [away] = whileAway(entries, 0, 41 * 60_000)
  expect(away).toMatchObject({
    outcome: 'finished',
    last: { state: 'idle' },
    finished: 1,
    waits: 1,
    waited: 0,
  })
})

const hostile = 'a\u001b]0;owned\u0007\u001b[2J\u009b31m\r\n\u202eb'
const controls = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

test('what agents, people and folders are called brings no escape sequence into a line', () => {
  const entry: StoredEntry = {
    ...at(1, 'web', { state: 'waiting', for: 'question', question: hostile, name: hostile, place: hostile }),
    agent: hostile,
    cwd: `/home/dev/${hostile}`,
  }
  const away = whileAway([entry], 0, 60_000)
  const shown = [
    ...pastLines(entry, 1000, '/home/dev', Infinity),
    ...pastLines({ ...entry, kind: hostile, data: { why: hostile } }, undefined, '/home/dev', Infinity),
    ownPastLine(entry, 1000),
    awayHeadline(away, 0, 60_000, 0),
    ...away.flatMap(one => awayLines(one, '/home/dev', Infinity)),
  ]
  expect(shown).toHaveLength(5)
  for (const line of shown) expect(line).not.toMatch(controls)
  expect(shown.join(' ')).toContain('owned')
})

test('where a terminal is narrow, a row is closed up and what was said stands below it: no line is wider', () => {
  const question = 'May I publish this package, with all that lies in its folder, to the registry?'
  const entry: StoredEntry = {
    ...at(1, 'abcd1234', { state: 'waiting', for: 'permission', name: 'web', question }),
    cwd: '/home/dev/web',
  }
  const [row, ...below] = pastLines(entry, 1000, '/home/dev', 40)
  expect(row).toMatch(/^\d\d:\d\d:\d\d {2}abcd1234 {2}waiting\/permission …$/)
  expect(below).toEqual([
    '  May I publish this package, with all',
    '  that lies in its folder, to the regis…',
  ])
  const [whole = '', ...none] = pastLines(entry, 1000, '/home/dev', 200)
  expect(none).toEqual([])
  // Where its columns have room and what was said has not, they stand below those of the other rows.
  const [aligned = '', said] = pastLines(entry, 1000, '/home/dev', 120)
  expect(whole.startsWith(`${aligned}  `)).toBe(true)
  expect(said).toBe(`  ${question}`)
  const away = whileAway([entry], 0, 60_000).flatMap(one => awayLines(one, '/home/dev', 40))
  expect(away.map(line => line.length).every(length => length <= 40)).toBe(true)
})
