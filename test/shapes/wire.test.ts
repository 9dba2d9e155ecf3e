/** The shapes on the wire: their JSON is current, both readers agree, and no type of lull has a field that they lack. */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { Instant } from '../../src/core/state.ts'
import type { HostStatus } from '../../src/host/messages.ts'
import type { RespawnEvent } from '../../src/respawn/respawn-events.ts'
import type { PastState } from '../../src/sessions/history/session-past.ts'
import type { Published } from '../../src/sessions/runs/published-runs.ts'
import type { LiveChange, LiveSession } from '../../src/sessions/session-source.ts'
import type { Fields, partOf } from '../../src/shapes/core-shapes.ts'
import { isShaped, knownPart } from '../../src/shapes/wire.ts'
import { type Wire, wire, wireSchemas } from '../../src/shapes/wire-shapes.ts'
import { replay } from '../../src/track/replay.ts'
import { finished, liveSession, status, withVerdict } from '../support/live.ts'
import { linesOf } from '../support/recordings.ts'

/** `LULL_KEEP_SCHEMA=1 npx vitest run test/shapes && npm run fix` writes it. */
test('wire.json is made of the schemas', () => {
  const file = new URL('../../src/shapes/wire.json', import.meta.url)
  if (process.env.LULL_KEEP_SCHEMA) writeFileSync(file, `${JSON.stringify(wireSchemas(), null, 2)}\n`)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(wireSchemas())
})

test('the compiler finds a field or a value that the shapes lack', () => {
  expectTypeOf<keyof Wire['liveSession']>().toEqualTypeOf<keyof LiveSession>()
  expectTypeOf<keyof Wire['pastState']>().toEqualTypeOf<keyof PastState>()
  expectTypeOf<keyof Wire['published']>().toEqualTypeOf<keyof Published>()
  expectTypeOf<keyof Wire['status']>().toEqualTypeOf<keyof HostStatus>()
  expectTypeOf<keyof Wire['status']['hooks']>().toEqualTypeOf<keyof HostStatus['hooks']>()
  expectTypeOf<Wire['change']['type']>().toEqualTypeOf<LiveChange['type']>()
  expectTypeOf<Wire['respawnEvent']['type']>().toEqualTypeOf<RespawnEvent['type']>()
})

test('the compiler refuses a plain number for an instant also where a shape is not checked as it is made', () => {
  const sent: Fields<LiveSession> = wire.liveSession.shape
  const greeting: Fields<{ readonly now: Instant; readonly from: Instant }> = wire.liveGreeting.shape
  expect([sent, greeting]).toHaveLength(2)
})

test('the compiler refuses a plain number in the place of an instant, and none may be left out', () => {
  // @ts-expect-error `at` has to be `instant`
  const declared: Fields<{ readonly at: Instant }> = { at: z.number() }
  // @ts-expect-error
  const left: Parameters<typeof partOf<{ readonly at: Instant; readonly n: number }>>[0] = { n: z.number() }
  expect([declared, left]).toHaveLength(2)
})

/** Each copy of a value of JSON with one part replaced. */
function* changed(value: unknown): Generator<unknown> {
  for (const other of [null, 0.5, 'x', true, [], {}]) yield other
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value))
    for (const other of changed(part))
      yield Array.isArray(value) ? value.toSpliced(Number(key), 1, other) : { ...value, [key]: other }
}

describe.each(['claude-permission', 'codex-question', 'gemini-permdeny'])('a session of %s', name => {
  const last = [...replay(linesOf(name), { isSame: () => false })].at(-1)
  const sent: unknown = JSON.parse(JSON.stringify(last && liveSession(last.session, { place: 'main:0.0' })))

  test('has the shape, and nothing beside it', () => {
    expect(isShaped('liveSession', sent)).toBe(true)
    expect(knownPart('liveSession', sent)).toEqual(sent)
  })

  test('with one part replaced is accepted or refused as by zod', () => {
    const results = [...changed(sent)].map(value => [
      isShaped('liveSession', value),
      wire.liveSession.safeParse(value).success,
    ])
    expect(results.filter(([read, byZod]) => read !== byZod)).toEqual([])
    expect(results.filter(([read]) => !read).length).toBeGreaterThan(100)
    expect(results.filter(([read]) => read).length).toBeGreaterThan(100)
  })
})

describe('what is known', () => {
  const sent = withVerdict({ state: finished })
  const withState = (state: object) => ({
    ...sent,
    session: { ...sent.session, verdict: { ...sent.session.verdict, state } },
  })

  test('has no field that the shape does not name, at any depth', () => {
    const more = { ...withState({ ...finished, later: 1 }), later: { at: 1 } }
    expect(isShaped('liveSession', more)).toBe(true)
    expect(knownPart('liveSession', more)).toEqual(knownPart('liveSession', sent))
  })

  test.each(['toString', '__proto__', 'constructor', 'later'])('has no word %s', after => {
    const known = knownPart('liveSession', withState({ kind: 'idle', after }))
    expect(known?.session.verdict.state).toEqual({ kind: 'idle' })
    expect(knownPart('liveSession', withState({ kind: 'waiting', for: after }))).toBe(undefined)
    expect(knownPart('liveSession', { ...sent, hooks: after })).toBe(undefined)
  })

  test.each(['presses', 'pastDialogs', 'answers', 'before', 'turns'])(
    'is nothing without %s, which judges need',
    field => {
      for (const value of [undefined, 1e300])
        expect(knownPart('liveSession', { ...sent, session: { ...sent.session, [field]: value } })).toBe(
          undefined,
        )
    },
  )

  test('of a list is what is known of its values', () => {
    const [sign, other] = [status(1, finished), { ...status(1, finished), source: 'valueOf' }]
    const because = { ...sent.session.verdict, because: [other, sign] }
    const known = knownPart('liveSession', { ...sent, session: { ...sent.session, verdict: because } })
    expect(known?.session.verdict.because).toEqual([sign])
  })
})
