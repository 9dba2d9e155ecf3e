import path from 'node:path'
import { expect, test } from 'vitest'
import type { StoredEntry } from '../../../src/history/entry.ts'
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

test('a session of the past is found by its id, its name, its pane, its folder', () => {
  const last = [at(1, 'abcd1234', { name: 'web', pane: '%3', pid: 7 }), at(2, 'efgh5678', { name: 'web' })]
  const find = (address: string) => findPast(last, address, path.resolve('/home/dev', address))
  expect(find('abcd')).toEqual(['abcd1234'])
  expect(find('web')).toEqual(['abcd1234', 'efgh5678'])
  expect(find('tmux:%3')).toEqual(['abcd1234'])
  expect(find('pid:7')).toEqual(['abcd1234'])
  expect(find('./efgh5678')).toEqual(['efgh5678'])
  expect(() => find('nobody')).toThrow(/no session of the history/)
  expect(() => find('')).toThrow()
})
