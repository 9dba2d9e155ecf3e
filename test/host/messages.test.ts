/** Nothing of a host is believed before it has the shape of what hosts say. */
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Session } from '../../src/core/session.ts'
import { isRecord } from '../../src/core/trace/trace.ts'
import { protocol, readChange, readGreeting, readSessions, sessionsMessage } from '../../src/host/messages.ts'
import type { LiveSession } from '../../src/sessions/session-source.ts'
import { replay } from '../../src/track/replay.ts'
import { exit, liveSession, news, permission, prompt, sessionOf, status } from '../support/live.ts'
import { linesOf } from '../support/recordings.ts'

const corpus = new URL('../../corpus/', import.meta.url)
const recordings = readdirSync(corpus, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.cast.gz'))
  .map(file => file.replace('.cast.gz', '').replace('/', '-'))

const overSocket = (sessions: readonly LiveSession[]): { sessions: unknown[] } =>
  JSON.parse(JSON.stringify(sessionsMessage(sessions, 1_800_000_000_000)))

function* sessionsIn(name: string): Generator<Session> {
  const changes = replay(linesOf(name), { complain: () => undefined })
  for (const { session } of changes) yield session
}

const whole = liveSession(
  sessionOf([prompt(0), news(1, permission, { lane: 'ask:main:1' }), status(2, permission), exit(3)]),
  { name: 'n', pane: '%1', tmux: '/t' },
)

describe('what a host says', () => {
  test('of every recorded session, at any moment, is understood', () => {
    expect(recordings.length).toBeGreaterThan(50)
    for (const name of recordings)
      for (const session of sessionsIn(name))
        if (!readSessions(overSocket([liveSession(session)])))
          throw new Error(`${name}: ${JSON.stringify(session)}`)
  })

  /** A host of an earlier commit may run on: where this fails, raise the protocol and keep a sample of its own. */
  test('when its protocol was new is understood while the protocol is the same', () => {
    const sample = new URL(`protocol-${protocol}.json`, import.meta.url)
    const sent: unknown = JSON.parse(readFileSync(sample, 'utf8'))
    expect(readSessions(sent)).toMatchObject([{ id: 'abcd1234', session: { now: 2 } }])
  })

  test('of what will wake a session, and when, is understood', () => {
    const wakes = [{ kind: 'wakeup', what: 'the next run', at: 5 }] as const
    const woken = liveSession(sessionOf([prompt(0), { type: 'facts', facts: { wakes }, at: 1 }]))
    expect(readSessions(overSocket([woken]))).toEqual([woken])
  })

  test('with anything else in the place of a part is not, or does no harm', () => {
    const wrong = fc.constantFrom(null, 'text', -1, true, [], {}, [[]], { kind: 'asleep' })
    fc.assert(
      fc.property(fc.nat(), wrong, (n, value) => {
        const sessions = overSocket([whole])
        const places = [...partsOf(sessions)]
        const { holder, key } = places[n % places.length] as Part
        holder[key] = value
        // Whatever passes can be gone through as the rest of lull does.
        for (const { session } of readSessions(sessions) ?? []) {
          expect(session.verdict.because.map(({ what }) => what.length).every(Number.isFinite)).toBe(true)
          expect(session.verdict.state.kind).toBeTypeOf('string')
          expect(
            Object.values(session.lanes).every(({ news: { state: says } }) => says.kind.length > 0),
          ).toBe(true)
        }
      }),
    )
  })

  test.each([
    ['a text', 'hello'],
    ['nothing', undefined],
    ['a change of another kind', { type: 'moved' }],
    ['a snapshot of nothing', { type: 'snapshot' }],
    ['a session that is none', { type: 'changed', session: { id: 'a' } }],
    ['a snapshot without an epoch', { type: 'snapshot', sessions: [] }],
    ['an epoch that is none', { epoch: 'today', type: 'snapshot', sessions: [] }],
    ['a state that nobody knows', { ...overSocket([withKind('asleep')]), type: 'snapshot' }],
    ['a state of every object', { ...overSocket([withKind('toString')]), type: 'snapshot' }],
  ])('%s is no change', (_, value) => expect(readChange(value)).toBeUndefined())

  test('is a change where each part has its shape', () => {
    expect(readChange({ ...overSocket([withKind('idle')]), type: 'snapshot' })).toBeDefined()
  })

  test('begins with who it is; a host that tells no protocol speaks the first', () => {
    expect(readGreeting({ pid: 7, version: '0.1.0', sessions: 1 })).toMatchObject({ pid: 7, protocol: 1 })
    expect(readGreeting({ pid: '7', version: '0.1.0' })).toBeUndefined()
    expect(readGreeting([])).toBeUndefined()
  })
})

function withKind(kind: string): LiveSession {
  const { session } = whole
  const state = { kind } as LiveSession['session']['verdict']['state']
  return { ...whole, session: { ...session, verdict: { ...session.verdict, state } } }
}

type Part = { readonly holder: Record<string, unknown>; readonly key: string }

function* partsOf(value: unknown): Generator<Part> {
  if (!isRecord(value) && !Array.isArray(value)) return
  const holder = value as Record<string, unknown>
  for (const [key, inner] of Object.entries(holder)) {
    yield { holder, key }
    yield* partsOf(inner)
  }
}
