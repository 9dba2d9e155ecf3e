/** The JSON of a session: one shape, whichever command prints it, and published as docs/session.schema.json. */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { z } from 'zod'
import { jsonEntry } from '../../src/sessions/history/past-json.ts'
import { entryOf } from '../../src/sessions/history/session-past.ts'
import { jsonRow } from '../../src/sessions/session-json.ts'
import { explainedShape, pastShape, sessionSchema, sessionShape } from '../../src/shapes/session-shape.ts'
import { replay } from '../../src/track/replay.ts'
import { liveSession, withVerdict } from '../support/live.ts'
import { lullHere } from '../support/lull-here.ts'

import { linesOf } from '../support/recordings.ts'
import { ownPlaces, startLull } from '../support/running.ts'
import { startStandIn } from '../support/stand-in.ts'
import { until } from '../support/until.ts'

const mistakes = (shape: z.ZodType, value: unknown): readonly string[] =>
  shape.safeParse(value).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []

/** `LULL_KEEP_SCHEMA=1 npx vitest run test/shapes/session-shape.real.test.ts` writes it. */
test('is published', () => {
  const file = new URL('../../docs/session.schema.json', import.meta.url)
  const text = `${JSON.stringify(sessionSchema(), null, 2)}\n`
  if (process.env.LULL_KEEP_SCHEMA) writeFileSync(file, text)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(text))
})

test('the compiler finds a field or a value that the shape lacks', () => {
  type Row = ReturnType<typeof jsonRow>
  type Shape = z.infer<typeof sessionShape>
  expectTypeOf<keyof Row>().toEqualTypeOf<keyof Shape>()
  expectTypeOf<Row['state']>().toEqualTypeOf<Shape['state']>()
  expectTypeOf<Row['health']>().toEqualTypeOf<Shape['health']>()
  expectTypeOf<Row['need']>().toEqualTypeOf<Shape['need']>()
  expectTypeOf<Row['hooks']>().toEqualTypeOf<Shape['hooks']>()
})

test('names each field that the documentation of lull ps --json has', () => {
  const page = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')
  for (const field of Object.keys(sessionShape.shape)) expect(page).toContain(`\`${field}\``)
})

test.each([
  'claude-permission',
  'claude-bgbash',
  'claude-e429',
  'claude-plan',
  'codex-question',
  'codex-e429',
  'copilot-mixedperm',
  'gemini-permdeny',
  'opencode-stall',
  'pi-bash20',
  'qwen-question',
  'cline-e400',
])('holds whatever a recorded session does, and so do what is kept of it: %s', name => {
  for (const { at, session } of replay(linesOf(name), { isSame: () => false })) {
    const live = liveSession(session, { place: 'main:0.0', title: 'x' })
    expect(mistakes(sessionShape, jsonRow(live, at, 1e12))).toEqual([])
    const kept = { id: 1, ...entryOf(live, at, 1e12) }
    expect(mistakes(pastShape, jsonEntry(kept))).toEqual([])
  }
})

test('holds how something ended, what it needs and what goes on beside it', () => {
  const health = { level: 'confirmed_stuck', cause: 'stdin', certainty: 'high' } as const
  const gone = withVerdict({
    state: { kind: 'exited', code: 1, signal: 'SIGKILL' },
    health,
    limit: { until: 9000 },
  })
  const facts = {
    wakes: [{ kind: 'cron', what: 'daily', at: 5000 }],
    background: [{ kind: 'task' }],
  } as const
  const row = jsonRow({ ...gone, session: { ...gone.session, facts } }, 1000, 1e12)
  expect(mistakes(sessionShape, row)).toEqual([])
  expect(row).toMatchObject({
    code: 1,
    signal: 'SIGKILL',
    limit: { until: '2001-09-09T01:46:49.000Z' },
    wakes: [{ at: '2001-09-09T01:46:45.000Z', in: 4 }],
  })
})

describe.runIf(process.platform === 'linux')('is printed', () => {
  test('by ps, watch, explain and wait, alike', async () => {
    const begun = Date.now()
    const [agent, env] = [await startStandIn(), ownPlaces()]
    agent.status({ status: 'waiting', waitingFor: 'permission prompt', statusUpdatedAt: Date.now() })
    const json = async (...words: readonly string[]) =>
      JSON.parse((await lullHere([...words, '--json'], env)).stdout.trim().split('\n').at(-1) ?? '')
    const isOwn = ({ pid }: { readonly pid: number }) => pid === agent.pid
    const [listed] = (await json('ps')).sessions.filter(isOwn)
    const answered = Date.now()
    expect(mistakes(sessionShape, listed)).toEqual([])
    const [waited] = (await json('wait', `pid:${agent.pid}`)).sessions
    expect(mistakes(sessionShape, waited)).toEqual([])
    const explained = await json('explain', listed.id)
    expect(mistakes(explainedShape, explained)).toEqual([])
    const watch = startLull(['watch', '--json'], env)
    const first = await until(
      () =>
        watch
          .stdout()
          .split('\n')
          .find(line => line.includes(listed.id)),
      line => line !== undefined,
      'the snapshot',
    )
    const [watched] = JSON.parse(first ?? '').sessions.filter(isOwn)
    expect(mistakes(sessionShape, watched)).toEqual([])
    watch.kill('SIGTERM')
    await lullHere(['host', 'stop'], env)
    for (const { since } of [listed, waited, explained, watched]) {
      expect(Date.parse(since)).toBeGreaterThanOrEqual(begun)
      expect(Date.parse(since)).toBeLessThanOrEqual(answered)
    }
    for (const field of ['id', 'state', 'for', 'need', 'cwd'])
      expect([field, waited[field], explained[field], watched[field]]).toEqual([
        field,
        listed[field],
        listed[field],
        listed[field],
      ])
  })
})
