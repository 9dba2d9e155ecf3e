import { expect, test } from 'vitest'
import type { Source } from '../../src/core/evidence/signal.ts'
import { newSession, type Session } from '../../src/core/session.ts'
import { sightingOf } from '../../src/respawn/sighting.ts'
import { entryOf } from '../../src/sessions/history/session-past.ts'
import type { LiveSession } from '../../src/sessions/session-source.ts'
import { liveSession, news, permission, prompt, sessionOf, status } from '../support/live.ts'

/** Idle at 1 s, as these sources said. */
function seenBy(
  by: readonly Source[],
  hooks: LiveSession['hooks'] = 'heard',
  more: { readonly after?: 'turn' | 'interrupt'; readonly lastStart?: number; readonly toldBy?: object } = {},
) {
  const { after = 'turn', lastStart = 500, toldBy = {} } = more
  const base = newSession(0)
  const state = { kind: 'idle', after } as const
  const news = { type: 'news', source: by[0], what: 'end_turn', lane: 'main', at: 1000, state }
  const session = {
    ...base,
    now: 1000,
    lanes: { main: { news, by } },
    turns: { ...base.turns, count: 1, lastStart, toldBy },
    facts: { prompt: 'make tea' },
    promptAt: 600,
    verdict: { ...base.verdict, state, confidence: 0.99, turn: 1, since: 1000, because: [news] },
  } as unknown as Session
  const live = { session, agent: 'claude', hooks } as unknown as LiveSession
  return sightingOf(live, { now: 2000, wall: 2000, zone: 0 }, false)
}

test.each([
  ['the transcript alone, of a session whose hooks are heard', ['transcript'], 'heard', 'hooks_due'],
  ['the transcript and then the hook', ['transcript', 'hook'], 'heard', 'reported'],
  ['the hook alone', ['hook'], 'heard', 'reported'],
  ['the transcript, and no hook was ever heard', ['transcript'], 'unknown', 'reported'],
  ['the transcript, and hooks were missed', ['transcript'], 'blind', 'reported'],
] as const)('an end that is told by %s', (_, by, hooks, is) => expect(seenBy(by, hooks).by).toBe(is))

test('no hook tells of a turn that a person broke off, so none is waited for', () =>
  expect(seenBy(['transcript'], 'heard', { after: 'interrupt' })).toMatchObject({ by: 'reported' }))

test('a Stop of the turn before is no word of this one', () => {
  expect(seenBy(['hook'], 'heard', { lastStart: 1500 })).toMatchObject({ by: 'hooks_due', hasHooksDue: true })
  expect(seenBy(['hook'])).not.toHaveProperty('hasHooksDue')
})

test('when the newest turn began, with which prompt, and whether hooks alone say so', () => {
  const alone = seenBy(['hook'], 'heard', { toldBy: { hook: 1 } })
  expect(alone).toMatchObject({ turnAt: 500, isByHooksAlone: true, prompt: { at: 600, text: 'make tea' } })
  for (const toldBy of [{ hook: 1, transcript: 1 }, { transcript: 1 }, { hook: 0, transcript: 1 }, {}])
    expect(seenBy(['hook'], 'heard', { toldBy })).not.toHaveProperty('isByHooksAlone')
  expect(seenBy(['hook'], 'heard', { toldBy: { hook: 1, transcript: 0 } })).toHaveProperty('isByHooksAlone')
})

test('a permission that was refused, which no source reports, broke the turn off: for the history, too', () => {
  const screen = { lag: 100 }
  const session = sessionOf([
    prompt(100),
    status(200, { kind: 'working' }, screen),
    news(500, permission, { lane: 'ask:main:p' }),
    status(600, permission, screen),
    status(5000, { kind: 'idle' }, screen),
  ])
  const live = liveSession(session)
  expect(sightingOf(live, { now: 9000, wall: 9000, zone: 0 }, false)).toMatchObject({ after: 'interrupt' })
  expect(entryOf(live, 9000, 0).data).toMatchObject({ state: 'idle', after: 'interrupt' })
})
