/** Why no hooks come from a session: the true cause, and what would be right. */
import { expect, test } from 'vitest'
import type { HookInspection } from '../../src/hooks/install/inspect.ts'
import { type HookFacts, whyNoHooks } from '../../src/sessions/hints/no-hooks-step.ts'

const inspection = (more: Partial<HookInspection> = {}): HookInspection => ({
  agent: 'codex',
  scope: 'user',
  file: '/home/ann/.codex/hooks.json',
  inPlace: ['SessionStart', 'Stop'],
  missing: [],
  stale: [],
  unknown: [],
  taken: [],
  untrusted: [],
  ...more,
})
const none: Partial<HookInspection> = { inPlace: [], missing: ['Stop'] }

const facts = (more: Partial<HookFacts> = {}): HookFacts => ({
  agent: 'codex',
  inspections: [inspection(), inspection({ scope: 'project', file: '/work/.codex/hooks.json', ...none })],
  startedAt: 2000,
  writtenAt: 1000,
  sender: 'curl',
  isBlind: true,
  ...more,
})

const rows: readonly (readonly [string, Partial<HookFacts>, string, RegExp])[] = [
  ['another user’s', { note: 'it belongs to another user (bob)' }, 'not ours', /another user \(bob\)/],
  [
    'settings that can’t be read',
    { inspections: [inspection({ ...none, problem: '/home/ann/.codex/hooks.json:1:2 is not valid JSON' })] },
    'unreadable',
    /hooks.json:1:2/,
  ],
  [
    'settings in another folder than those that were installed into',
    { inspections: [inspection({ ...none, file: '/elsewhere/hooks.json' })] },
    'not installed',
    /\/elsewhere\/hooks.json.*: lull hooks install codex/,
  ],
  [
    'a version without hooks',
    { version: '0.1.0', knowsHooks: false },
    'too old',
    /codex 0\.1\.0 lists no event/,
  ],
  [
    'a setting',
    { inspections: [inspection({ off: 'disableAllHooks is true in /x' })] },
    'switched off',
    /disableAllHooks/,
  ],
  [
    'a review that nobody has made',
    { inspections: [inspection({ untrusted: ['SessionStart', 'Stop'] })] },
    'untrusted',
    /choose to trust them/,
  ],
  [
    'a host elsewhere',
    { otherHost: { pid: 7, runtime: '/there' } },
    'other host',
    /the host there \(pid 7\): LULL_RUNTIME_DIR=\/there lull ps/,
  ],
  ['nothing to send with', { sender: undefined }, 'no sender', /neither curl nor nc/],
  ['a session that is older than its hooks', { startedAt: 999 }, 'started before', /start it again/],
  ['nothing that is known', {}, 'not known', /no hook came/],
  ['that there was no turn', { isBlind: false }, 'no turn yet', /no turn yet/],
]

test.each(rows)('%s', (_, more, cause, said) => {
  const found = whyNoHooks(facts(more))
  expect([found.cause, `${found.what}: ${found.cure}`]).toEqual([cause, expect.stringMatching(said)])
})

const harmless = ['not ours', 'not installed', 'no turn yet']

test.each(rows)('%s: whether that keeps hooks from coming', (_, more, cause) => {
  expect(whyNoHooks(facts(more)).level).toBe(harmless.includes(cause) ? 'note' : 'wrong')
})

test('settings that can’t be read are no cause where others hold hooks; and nobody knows since when they do', () => {
  const broken = inspection({ ...none, problem: 'x' })
  expect(whyNoHooks(facts({ inspections: [broken, inspection()] })).cause).toBe('not known')
  const { startedAt: _, ...unknownStart } = facts({ startedAt: 1 })
  expect(whyNoHooks(unknownStart).cause).toBe('not known')
  const { writtenAt: __, ...unknownWriting } = facts({ startedAt: 1 })
  expect(whyNoHooks(unknownWriting).cause).toBe('not known')
})

test('one file whose hooks are trusted is enough', () => {
  const untrusted = inspection({ untrusted: ['SessionStart', 'Stop'] })
  expect(whyNoHooks(facts({ inspections: [untrusted, inspection()] })).cause).toBe('not known')
})

test('what may only be so is no fault yet: a session that is older than its hooks may still take notice', () => {
  expect(whyNoHooks(facts({ startedAt: 999, isBlind: false }))).toMatchObject({ level: 'note' })
  expect(whyNoHooks(facts({ startedAt: 999 }))).toMatchObject({ level: 'wrong' })
})

test('hooks of which some are trusted run', () => {
  const some = facts({ inspections: [inspection({ untrusted: ['Stop'] })] })
  expect(whyNoHooks(some).cause).toBe('not known')
})
