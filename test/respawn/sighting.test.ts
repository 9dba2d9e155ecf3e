import { expect, test } from 'vitest'
import type { Source } from '../../src/core/evidence/signal.ts'
import { newSession, type Session } from '../../src/core/session.ts'
import { sightingOf } from '../../src/respawn/sighting.ts'
import type { LiveSession } from '../../src/sessions/session-source.ts'

/** Idle at 1 s, as these sources said. */
function idleBy(by: readonly Source[], hooks: LiveSession['hooks'], after: 'turn' | 'interrupt' = 'turn') {
  const base = newSession(0)
  const says = { kind: 'idle', after } as const
  const news = { type: 'news', source: by[0], what: 'end_turn', lane: 'main', at: 1000, says }
  const session = {
    ...base,
    now: 1000,
    lanes: { main: { news, by } },
    verdict: { ...base.verdict, state: says, confidence: 0.99, turn: 1, since: 1000, because: [news] },
  } as unknown as Session
  const live = { session, agent: 'claude', hooks } as unknown as LiveSession
  return sightingOf(live, { now: 2000, wall: 2000, zone: 0 }, false).by
}

test.each([
  ['the transcript alone, of a session whose hooks are heard', ['transcript'], 'heard', 'unheard'],
  ['the transcript and then the hook', ['transcript', 'hook'], 'heard', 'reported'],
  ['the hook alone', ['hook'], 'heard', 'reported'],
  ['the transcript, and no hook was ever heard', ['transcript'], 'unknown', 'reported'],
  ['the transcript, and hooks were missed', ['transcript'], 'blind', 'reported'],
] as const)('an end that is told by %s', (_, by, hooks, is) => expect(idleBy(by, hooks)).toBe(is))

test('no hook tells of a turn that a person broke off, so none is waited for', () =>
  expect(idleBy(['transcript'], 'heard', 'interrupt')).toBe('reported'))
