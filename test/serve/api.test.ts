/** The API over sessions that a test moves: every answer is as its OpenAPI document says, whatever is asked. */
import path from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { agents } from '../../src/agents/registry.ts'
import { lullOn } from '../../src/connect/connect.ts'
import { ownLastingSource } from '../../src/connect/lasting-source.ts'
import { filmOf } from '../../src/connect/make-film.ts'
import type { Signal } from '../../src/core/evidence/signal.ts'
import { LullError } from '../../src/core/lull-error.ts'
import { type History, openHistory } from '../../src/history/open-history.ts'
import type { HookReport } from '../../src/hooks/receiver.ts'
import { readChange } from '../../src/host/messages.ts'
import { diagnose } from '../../src/process/closure/diagnose.ts'
import { createApi } from '../../src/serve/api.ts'
import { actionBook } from '../../src/serve/api-actions.ts'
import { openRequests } from '../../src/serve/api-ports.ts'
import { openFeed } from '../../src/serve/feed.ts'
import { hostsOf } from '../../src/serve/gate.ts'
import { answerLinks } from '../../src/serve/links/answer-links.ts'
import { keptFilm } from '../../src/serve/recordings/judge-recording.ts'
import { openRecordings } from '../../src/serve/recordings/recordings.ts'
import type { ServeSettings } from '../../src/serve/settings.ts'
import type { Token } from '../../src/serve/tokens.ts'
import { entryOf } from '../../src/sessions/history/session-past.ts'
import { isShaped } from '../../src/shapes/wire.ts'
import { epochIn, withInstants } from '../../src/shapes/wire-instants.ts'
import { newPlaces } from '../support/history.ts'
import { fakeLive, finished, news, permission, prompt } from '../support/live.ts'
import { anyChild, held, pairOf, pipe, read, supervisor, thread, tree } from '../support/process-tree.ts'
import { until } from '../support/until.ts'

const settings: ServeSettings = { port: 4770, listen: '127.0.0.1', readOnly: false }
const token: Token = { name: 'ci', scope: 'act', hash: '', createdAt: 0 }

/** Markup, an escape code, a mark that turns text round. */
const hostile = {
  type: 'facts',
  facts: { question: '<b>\u001b[31m\u202e', prompt: '\u0000"' },
  at: 2,
} as const

/** No terminal of this machine is touched. */
const noTerminal = async (): Promise<never> => {
  throw new LullError('NO_PANE', 'there are no terminals here')
}

/** The processes of any session whose name has five letters: a shell waits for two, of which one has two threads. */
const diagnosis = (() => {
  const stdin = pipe(held(supervisor))
  const reader = tree(6, { parent: 5, name: 'ca\u001bt', call: read(0), fds: { 0: stdin } })
  const threads = [thread(7, read(0)), thread(8, read(0))]
  const other = tree(7, { parent: 5, threads, fds: { 0: stdin } })
  return diagnose(pairOf([tree(5, { call: anyChild }), reader, other]))
})()

/** Keeps what is recorded in memory. */
const noHistory = { tryAdd: () => undefined, entries: () => [] } as unknown as History

/** As the sessions of this machine take a hook, without a machine: by the process that is named, or the session's id. */
const receiverOf = (
  file: (id: string, ...signals: Signal[]) => unknown,
  now: () => number,
  reports: HookReport[],
) => {
  return (report: HookReport): string | undefined => {
    reports.push(report)
    const { agent, event, payload, sender } = report
    const { session_id: named } = payload as { readonly session_id?: string }
    const id = sender ? 'idle1' : named === 'own-id' ? 'own1' : undefined
    const at = now()
    const moment = { seen: at, stamp: () => at, until: () => at }
    if (id !== undefined)
      file(id, ...(agents[agent].readHook?.({ event, payload }, moment, {}).signals ?? []))
    return id
  }
}

const recordings = path.resolve(import.meta.dirname, '../../demo')
/** What `lull film` prints, without a process. */
const judged = async (fd: number) => {
  const { film, pieces } = await filmOf(`/proc/self/fd/${fd}`)
  return Buffer.from(
    [JSON.stringify({ pieces: film.pieces }), JSON.stringify(film), ...pieces, ''].join('\n'),
  )
}

async function openApi(open = openRequests(), { places } = newPlaces()) {
  const fake = fakeLive()
  const reports: HookReport[] = []
  const feed = await openFeed(fake.live, fake.clock)
  const complaints: string[] = []
  const status = async () => ({
    ...{ pid: 1, version: '0', protocol: 6, startedAt: '2026-11-29T00:00:00.000Z', sessions: 0 },
    hooks: { received: 0, refused: 0, unauthorised: 0, unplaced: 0 },
  })
  const app = createApi({
    ...{
      lull: {
        ...lullOn(ownLastingSource(fake.live)),
        terminal: noTerminal,
        open: noTerminal,
        end: noTerminal,
        diagnose: async pid => (pid === 5 ? diagnosis : undefined),
      },
      feed,
      changes: fake.live.changes,
      settings,
      open,
      status,
      version: '0',
      receive: receiverOf(fake.file, fake.clock.now, reports),
    },
    ...{ hosts: hostsOf(settings), places, clock: fake.clock, linkCommand: 'lull serve token add NAME --qr' },
    actions: actionBook(
      () => noHistory,
      () => 0,
    ),
    tokens: {
      find: (secret: string) => (secret === 's' ? token : undefined),
      isValid: () => true,
      noteSeen: () => undefined,
    },
    recordings: openRecordings(places, { recordings }, async fd => keptFilm(await judged(fd))),
    links: answerLinks({ lull: { terminal: noTerminal }, changes: fake.live.changes, clock: fake.clock }),
    complain: sentence => complaints.push(sentence),
  })
  const ask = (path: string, init: RequestInit = {}) =>
    app.request(`http://127.0.0.1:4770${path}`, {
      ...init,
      headers: { host: '127.0.0.1:4770', authorization: 'Bearer s', ...init.headers },
    })
  const post = (path: string, body: unknown) =>
    ask(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
  const json = async (path: string) => (await ask(path)).json() as Promise<Record<string, unknown>>
  return { ...fake, feed, app, ask, post, json, reports, complaints, close: () => feed.close() }
}

type Schema = Readonly<Record<string, unknown>>
type Operation = {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >
}
type OpenApiDocument = {
  readonly components: Schema
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const ajv = new Ajv2020({ strict: false, validateFormats: false })
/** A schema may name another one of its document. */
const wrongIn = ({ components }: OpenApiDocument, schema: Schema, value: unknown): unknown =>
  ajv.validate({ ...schema, components }, value) ? [] : ajv.errors

const operationsOf = ({ paths }: OpenApiDocument) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )

describe('sessions', () => {
  test('are listed, the most urgent first, and by state', async () => {
    const { file, json, close } = await openApi()
    file('idle', prompt(1), news(2, finished))
    file('asks', prompt(1), news(2, permission))
    const all = await json('/v1/sessions')
    expect((all.sessions as { id: string }[]).map(({ id }) => id)).toEqual(['asks', 'idle'])
    const some = await json('/v1/sessions?state=idle,exited')
    expect((some.sessions as { id: string }[]).map(({ id }) => id)).toEqual(['idle'])
    expect((await json('/v1/sessions?cwd=/home/dev/ap')).sessions).toEqual([])
    await close()
  })

  test('are explained; one that is not there is told from one that is meant twice', async () => {
    const { file, ask, json, close } = await openApi()
    file('abcd1111', prompt(1), news(2, finished))
    file('abcd2222', prompt(1))
    expect(await json('/v1/sessions/abcd1')).toMatchObject({ state: 'idle', evidence: [{ source: 'hook' }] })
    expect([(await ask('/v1/sessions/none')).status, (await ask('/v1/sessions/abcd')).status]).toEqual([
      404, 409,
    ])
    await close()
  })

  test('are waited for; a timeout is an answer', async () => {
    const { file, json, clock, close } = await openApi()
    file('a1', prompt(1))
    const waiting = json('/v1/wait?session=a1&timeout=0.2')
    const reached = json('/v1/wait?session=a1&timeout=50')
    await new Promise(setImmediate)
    clock.advance(6000)
    expect(await waiting).toMatchObject({ outcome: 'timeout', code: 124, sessions: [{ id: 'a1' }] })
    file('a1', news(7000, finished))
    expect(await reached).toMatchObject({ outcome: 'reached', code: 0 })
    await close()
  })

  test('are seen by an action', async () => {
    const { file, post, close } = await openApi()
    file('a1', prompt(1), news(2, finished))
    const done = await post('/v1/sessions/a1/seen', {})
    expect([done.status, await done.json()]).toMatchObject([200, { confirmed: true }])
    await close()
  })
})

test('whole sessions are listed as lines, and those that an address means', async () => {
  const { file, ask, close } = await openApi()
  file('abcd1111', prompt(1), news(2, finished))
  file('abcd2222', prompt(1))
  const linesOf = async (query: string) => {
    const text = await (await ask(`/v1/live${query}`)).text()
    return text.split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line)]))
  }
  const [greeting, all] = await linesOf('')
  expect(isShaped('liveGreeting', withInstants('liveGreeting', greeting, epochIn(greeting) ?? 0))).toBe(true)
  expect(readChange(all)).toMatchObject({ type: 'snapshot', sessions: [{}, {}] })
  expect((await linesOf('?session=abcd1111&one=true'))[1].sessions).toMatchObject([{ id: 'abcd1111' }])
  expect((await ask('/v1/live?session=abcd&one=true')).status).toBe(409)
  expect((await ask('/v1/live?session=none')).status).toBe(404)
  await close()
})

test('more waits than allowed are refused with a sentence', async () => {
  const { file, ask, close } = await openApi(openRequests({ waits: 0, streams: 0 }))
  file('a1', prompt(1))
  const refused = await ask('/v1/wait?session=a1')
  expect([refused.status, await refused.json()]).toMatchObject([429, { error: { code: 'TOO_MANY' } }])
  await close()
})

test('wrong tokens are refused, and after many of them only they', async () => {
  const { ask, clock, close } = await openApi()
  const wrong = async () => (await ask('/v1/status', { headers: { authorization: 'Bearer x' } })).status
  const first = await wrong()
  const all = await Promise.all(Array.from({ length: 150 }, wrong))
  expect([first, all.at(-1), (await ask('/v1/status')).status]).toEqual([401, 429, 200])
  clock.advance(60_000)
  expect(await wrong()).toBe(401)
  await close()
})

test('a wait that is ended is answered with the reason', async () => {
  const open = openRequests()
  const { file, ask, close } = await openApi(open)
  file('abcd1111', prompt(1))
  const waiting = ask('/v1/wait?session=abcd1111')
  await until(
    () => open.count('waits'),
    count => count === 1,
  )
  open.end(() => true, new LullError('CLOSED', 'the API is closed'))
  expect([(await waiting).status, await (await waiting).json()]).toMatchObject([
    503,
    { error: { code: 'CLOSED' } },
  ])
  expect(open.count('waits')).toBe(0)
  await close()
})

test('what is no JSON, too large or of no path is refused with a code and a sentence', async () => {
  const { ask, post, close } = await openApi()
  const headers = { 'content-type': 'application/json' }
  const answers = [
    await ask('/v1/open', { method: 'POST', body: '{"name"', headers }),
    await ask('/v1/open', { method: 'POST', body: 'x'.repeat(2_000_000), headers }),
    await post('/v1/open', { name: 'a', other: 1 }),
    await ask('/v1/other'),
    await ask('/v1/since'),
    await ask('/v1/since?time=gestern'),
    await ask('/v1/sessions?stat=idle'),
    await ask('/v1/sessions?state=idel'),
    await ask('/v1/status?x=1'),
    await post('/v1/open', { name: 'a', cwd: 'src' }),
    await ask('/v1/open'),
    await post('/v1/sessions/a1', {}),
    await ask('/assets/main-before.js'),
    await post('/assets/main-before.js', {}),
  ]
  const codes = answers.map(async answer => [
    answer.status,
    ((await answer.json()) as { error: { code: string } }).error.code,
  ])
  expect(await Promise.all(codes)).toEqual([
    [400, 'BAD_REQUEST'],
    [413, 'TOO_LARGE'],
    [400, 'BAD_REQUEST'],
    [404, 'NO_PATH'],
    [400, 'BAD_REQUEST'],
    [400, 'BAD_DURATION'],
    [400, 'BAD_REQUEST'],
    [400, 'BAD_REQUEST'],
    [400, 'BAD_REQUEST'],
    [400, 'USAGE'],
    [405, 'WRONG_METHOD'],
    [405, 'WRONG_METHOD'],
    [404, 'NO_PATH'],
    [405, 'WRONG_METHOD'],
  ])
  expect((await ask('/v1/open')).headers.get('allow')).toBe('POST')
  await close()
})

describe('the OpenAPI document', () => {
  test('has each path that is served, with a schema for each answer', async () => {
    const { json, app, close } = await openApi()
    const document = (await json('/openapi.json')) as unknown as OpenApiDocument
    const documented = operationsOf(document).map(({ path, method }) => `${method} ${path}`)
    const served = app.routes
      .filter(({ path, method }) => /^\/(v1\/|api\/|healthz|metrics)/.test(path) && method !== 'ALL')
      .map(({ path, method }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`)
    expect(new Set(documented)).toEqual(new Set(served))
    for (const { path, operation } of operationsOf(document))
      expect([path, operation.responses[200]?.content]).not.toEqual([path, undefined])
    await close()
  })

  test('holds for whatever is asked of any operation: no failure, each answer valid', async () => {
    const { file, json, ask, complaints, clock, close } = await openApi()
    file('idle1', prompt(1), news(2, finished))
    file('asks1', prompt(1), news(2, permission), hostile)
    file('own1', prompt(1))
    const document = (await json('/openapi.json')) as unknown as OpenApiDocument
    const value = fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.constantFrom('idle1', '1', 'true', '-1', '1e9', 'idle', '1h', 'stop', 'own-id'),
    )
    const scalar = fc.oneof(value, fc.integer(), fc.boolean(), fc.constant(null))
    for (const { path, method, operation } of operationsOf(document)) {
      // Streams and waits last; a name is given to a pane of tmux.
      if (['/v1/events', '/v1/live', '/v1/wait', '/v1/sessions/{id}/name'].includes(path)) continue
      if (!operation.responses[200]?.content?.['application/json']) continue
      const names = (operation.parameters ?? []).filter(one => one.in === 'query').map(({ name }) => name)
      const schema = operation.requestBody?.content['application/json'].schema as
        | { properties?: object }
        | undefined
      const fields = Object.keys(schema?.properties ?? {})
      const asked = fc.record({
        id: fc.oneof(fc.constantFrom('idle1', 'asks1'), value),
        query: fc.dictionary(fc.constantFrom('x', ...names), value, { maxKeys: 3 }),
        body: fc.oneof(
          fc.dictionary(fc.constantFrom('x', ...fields), scalar, { maxKeys: 4 }),
          scalar,
          fc.array(scalar, { maxLength: 2 }),
        ),
      })
      await fc.assert(
        fc.asyncProperty(asked, async ({ id, query, body }) => {
          const url = `${path.replace(/\{\w+\}/, encodeURIComponent(id || 'x'))}?${new URLSearchParams(query)}`
          const init = {
            method: 'POST',
            body: JSON.stringify(body),
            headers: { 'content-type': 'application/json' },
          }
          const answer = await ask(url, method === 'post' ? init : {})
          expect([url, answer.status, complaints]).not.toEqual([url, 500, complaints])
          const text: unknown = JSON.parse(await answer.text())
          const { content } = operation.responses[answer.status] ?? {}
          expect([
            url,
            answer.status,
            wrongIn(document, content?.['application/json']?.schema ?? { not: {} }, text),
          ]).toEqual([url, answer.status, []])
        }),
        { numRuns: 40 },
      )
    }
    expect(clock.now()).toBeGreaterThanOrEqual(0)
    await close()
  })
})

describe('recordings', () => {
  test('are listed, judged and shown as the document says', async () => {
    const { json, close } = await openApi()
    const document = (await json('/openapi.json')) as unknown as OpenApiDocument
    const name = 'claude-bash20.cast.gz'
    const answers = {
      '/v1/recordings': await json('/v1/recordings'),
      '/v1/recordings/{name}': await json(`/v1/recordings/${name}`),
      '/v1/recordings/{name}/screens': await json(`/v1/recordings/${name}/screens?from=20`),
    }
    for (const [path, answer] of Object.entries(answers)) {
      const schema = document.paths[path]?.get?.responses[200]?.content?.['application/json']?.schema
      expect([path, wrongIn(document, schema ?? { not: {} }, answer)]).toEqual([path, []])
    }
    expect(answers).toMatchObject({
      '/v1/recordings': {
        folder: recordings,
        recordings: expect.arrayContaining([expect.objectContaining({ name, agent: 'claude' })]),
      },
      '/v1/recordings/{name}': {
        agent: 'claude',
        changes: expect.arrayContaining([expect.objectContaining({ state: 'working' })]),
      },
      '/v1/recordings/{name}/screens': {
        pictures: expect.arrayContaining([expect.objectContaining({ height: 40 })]),
      },
    })
    await close()
  })

  test.each(['../package.json', '..%2Fpackage.json', '%2Fetc%2Fpasswd', '.cast', 'a%00.cast', 'none.cast'])(
    'of the name %s there is none',
    async name => {
      const { ask, close } = await openApi()
      for (const path of ['', '/screens']) {
        const refused = await ask(`/v1/recordings/${name}${path}`)
        expect([path, refused.status]).toEqual([path, 404])
      }
      await close()
    },
  )
})

describe('the past', () => {
  async function lived() {
    const own = newPlaces()
    const { places } = own
    const api = await openApi(openRequests(), own)
    const { file, live, json, close } = api
    const { clock } = api
    const history = openHistory(places, { now: clock.wall })
    const store = async () => {
      for (const session of await live.list())
        history.add(entryOf(session, clock.now(), clock.wall() - clock.now()))
    }
    file('a1', prompt(1))
    await store()
    file('a1', news(2, permission))
    await store()
    for (let n = 0; n < 5; n++)
      history.add({ at: clock.wall(), kind: 'notify.sent', session: 'a1', data: { to: 'x' } })
    onTestFinished(async () => {
      history.close()
      await close()
    })
    return json
  }

  test('is answered as the document says, with rows in it', async () => {
    const json = await lived()
    const document = (await json('/openapi.json')) as unknown as OpenApiDocument
    for (const [path, url] of [
      ['/v1/sessions/{id}/history', '/v1/sessions/a1/history'],
      ['/v1/history', '/v1/history'],
      ['/v1/history', '/v1/history?since=999999999999d&until=9999-12-31&most=1'],
      ['/v1/since', '/v1/since?time=1h'],
    ] as const) {
      const answer = await json(url)
      const schema = document.paths[path]?.get?.responses[200]?.content?.['application/json']?.schema
      expect([path, answer.entries]).not.toEqual([path, []])
      expect([path, wrongIn(document, schema ?? { not: {} }, answer)]).toEqual([path, []])
    }
  })

  test('has the newest states, whatever else happened since', async () => {
    const json = await lived()
    const { entries } = (await json('/v1/sessions/a1/history?most=2')) as { entries: { state: string }[] }
    expect(entries.map(({ state }) => state)).toEqual(['working', 'waiting'])
  })
})

describe('the hooks of document 003', () => {
  const detection = (json: (path: string) => Promise<object>, id = 'idle1') =>
    json(`/api/sessions/${id}/detection`)

  test('a Stop, in the agent’s own words or in a wrapper, ends the turn with 100 percent', async () => {
    const { file, post, json, reports, clock, close } = await openApi()
    file('idle1', prompt(1))
    file('own1', prompt(1))
    expect(await detection(json)).toMatchObject({
      ...{ stopHookReceived: false, stopHookTime: null, idlePromptReceived: false, idlePromptTime: null },
      ...{ working: true, blocked: false, confidence: 0 },
    })
    clock.advance(5000)
    const raw = { session_id: 'own-id', hook_event_name: 'Stop', stop_hook_active: false, secret: 'x' }
    expect(await (await post('/api/hook-event', raw)).json()).toEqual({ session: 'own1', event: 'Stop' })
    const wrapped = await post('/api/hook-event', {
      event: 'stop',
      sessionId: 'idle1',
      data: { secret: 'x' },
    })
    expect([wrapped.status, await wrapped.json()]).toEqual([200, { session: 'idle1', event: 'Stop' }])
    expect(JSON.stringify(reports)).not.toContain('secret')
    for (const id of ['own1', 'idle1'])
      expect(await detection(json, id)).toMatchObject({
        ...{ stopHookReceived: true, stopHookTime: clock.wall(), confidence: 100, working: false },
        ...{ idlePromptReceived: false, statusText: expect.stringContaining('the Stop hook said so') },
      })
    await close()
  })

  test.each([
    [
      'idle_prompt',
      { idlePromptReceived: true, stopHookReceived: false, stopHookTime: null, confidence: 100 },
    ],
    ['permission_prompt', { blocked: true, idlePromptReceived: false, confidence: 0 }],
    ['elicitation_dialog', { blocked: true, idlePromptReceived: false, confidence: 0 }],
    ['PostToolUse', { working: true, confidence: 0 }],
    ['PreCompact', { working: true, confidence: 0 }],
  ])('%s is shown in the status', async (event, shown) => {
    const { file, post, json, clock, close } = await openApi()
    file('idle1', prompt(1))
    clock.advance(5000)
    expect((await post('/api/hook-event', { event, sessionId: 'idle1' })).status).toBe(200)
    expect(await detection(json)).toMatchObject(shown)
    await close()
  })

  test('the end of a subagent ends nothing else', async () => {
    const { file, post, json, close } = await openApi()
    file('idle1', prompt(1))
    const data = { agent_id: 'a1', agent_type: 'Explore' }
    const { status } = await post('/api/hook-event', { event: 'SubagentStop', sessionId: 'idle1', data })
    expect(status).toBe(200)
    expect(await detection(json)).toMatchObject({ stopHookReceived: false, working: true })
    await close()
  })

  test('a transcript that lies elsewhere is ignored with a sentence', async () => {
    const { file, post, close } = await openApi()
    file('idle1', prompt(1))
    const data = { transcript_path: '/etc/passwd' }
    const answer = await post('/api/hook-event', { event: 'stop', sessionId: 'idle1', data })
    expect(await answer.json()).toEqual({
      ...{ session: 'idle1', event: 'Stop' },
      note: expect.stringContaining('transcript_path was ignored'),
    })
    await close()
  })

  test('one of nobody, without a name, or of a name that the document has not is refused', async () => {
    const { post, ask, close } = await openApi()
    const body = '{"hook_event_name":"Stop"}'
    const headers = { 'content-type': 'application/json', authorization: '' }
    const answers = [
      await post('/api/hook-event', { hook_event_name: 'Stop', session_id: 'other' }),
      await post('/api/hook-event', { session_id: 'own-id' }),
      await post('/api/hook-event', { hook_event_name: 'SessionEnd', session_id: 'own-id' }),
      // On localhost, too.
      await ask('/api/hook-event', { method: 'POST', body, headers }),
      await ask('/api/hook-event', { method: 'POST', body }),
    ]
    const codes = answers.map(async answer => [
      answer.status,
      ((await answer.json()) as { error: { code: string } }).error.code,
    ])
    expect(await Promise.all(codes)).toEqual([
      [404, 'NO_SESSION'],
      [400, 'USAGE'],
      [400, 'USAGE'],
      [401, 'NO_TOKEN'],
      [415, 'NO_JSON'],
    ])
    await close()
  })
})

test('what is no respawn, and no loop, is steered by nobody', async () => {
  const { file, post, json, close } = await openApi()
  file('idle1', prompt(1))
  expect(await json('/v1/respawns')).toEqual({ respawns: [] })
  expect(await json('/v1/loops')).toEqual({ loops: [] })
  const paused = await post('/v1/respawns/idle1/pause', {})
  expect([paused.status, await paused.json()]).toMatchObject([404, { error: { code: 'RESPAWN_GONE' } }])
  const stopped = await post('/v1/loops/idle1/stop', {})
  expect([stopped.status, await stopped.json()]).toMatchObject([404, { error: { code: 'NO_SESSION' } }])
  expect((await post('/v1/loops/idle1/pause', {})).status).toBe(404)
  await close()
})

test('the metrics have counts, and no text of a session', async () => {
  const { file, ask, close } = await openApi()
  file('a1', prompt(1), { type: 'facts', facts: { prompt: 'secret' }, at: 1 })
  const text = await (await ask('/metrics')).text()
  expect(text).toContain('lull_sessions{agent="claude",state="working"} 1\n')
  expect(text).not.toMatch(/secret|a1/)
  await close()
})

describe('the processes of a session', () => {
  test('are the rows of who waits for whom, as the document says', async () => {
    const { file, json, close } = await openApi()
    file('idle1', prompt(1))
    const answer = await json('/v1/sessions/idle1/processes')
    const { sentence, cause, proof, isBlocked } = answer
    expect({ sentence, cause, proof, isBlocked }).toEqual({
      sentence: expect.stringMatching(/^Blocked: .*stdin.*\.$/),
      ...{ cause: 'stdin', proof: 'proven', isBlocked: true },
    })
    const stdin = 'read(0): its stdin, a pipe that this lull holds and has not written'
    expect(answer.rows).toMatchObject([
      { pid: 5, depth: 0, waits: expect.stringContaining('wait4: the end of'), whom: [6] },
      { pid: 6, depth: 1, name: 'ca t', waits: stdin },
      { pid: 7, depth: 0, waits: stdin },
      { pid: 7, depth: 0, waits: stdin, thread: 8 },
    ])
    const document = (await json('/openapi.json')) as unknown as OpenApiDocument
    const { content } = document.paths['/v1/sessions/{id}/processes']?.get?.responses[200] ?? {}
    expect(wrongIn(document, content?.['application/json']?.schema ?? { not: {} }, answer)).toEqual([])
    await close()
  })

  test('that have ended, and those of nobody, are not found', async () => {
    const { file, ask, close } = await openApi()
    file('idle-2', prompt(1))
    for (const id of ['idle-2', 'none']) {
      const gone = await ask(`/v1/sessions/${id}/processes`)
      expect([gone.status, await gone.json()]).toMatchObject([404, { error: { code: 'NO_SESSION' } }])
    }
    await close()
  })
})

describe('an answer as lines', () => {
  const body = JSON.stringify({ dialog: 'x', choice: 'yes' })
  const headers = { 'content-type': 'application/json' }
  const asLines = { ...headers, accept: 'text/plain, application/x-ndjson;q=1' }

  test('has the stages and last the plain answer, each as the document says', async () => {
    const { file, ask, json, close } = await openApi()
    file('asks1', prompt(1), news(2, permission))
    const plain = await ask('/v1/sessions/asks1/answer', { method: 'POST', body, headers })
    const answer = await ask('/v1/sessions/asks1/answer', { method: 'POST', body, headers: asLines })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson'])
    const lines = (await answer.text()).split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line)]))
    const { action: _, ...refusal } = (await plain.json()) as Record<string, unknown>
    expect(lines).toMatchObject([
      { stage: 'received' },
      { stage: 'done', status: plain.status, body: refusal },
    ])
    const document = (await json('/openapi.json')) as unknown as OpenApiDocument
    const { content } = document.paths['/v1/sessions/{id}/answer']?.post?.responses[200] ?? {}
    for (const line of lines)
      expect(wrongIn(document, content?.['application/x-ndjson']?.schema ?? { not: {} }, line)).toEqual([])
    await close()
  })

  test('is a plain refusal where nothing has begun, and plain where it was not asked for', async () => {
    const { file, ask, close } = await openApi()
    file('asks1', prompt(1), news(2, permission))
    const wrong = await ask('/v1/sessions/asks1/answer', { method: 'POST', body: '{}', headers: asLines })
    expect([wrong.status, await wrong.json()]).toMatchObject([400, { error: { code: 'BAD_REQUEST' } }])
    const seen = await ask('/v1/sessions/asks1/seen', { method: 'POST', body: '{}', headers: asLines })
    expect([seen.status, await seen.json()]).toMatchObject([200, { confirmed: true }])
    await close()
  })
})

test.each(['0', '61', '0.5', 'x'])('a stream that beats every %s s is refused', async beat => {
  const { ask, close } = await openApi()
  expect((await ask(`/v1/events?beat=${beat}`)).status).toBe(400)
  await close()
})

test('a stream whose head alone is asked for is none: it takes the place of no other', async () => {
  const open = openRequests()
  const { ask, close } = await openApi(open)
  const answer = await ask('/v1/events', { method: 'HEAD' })
  expect([answer.status, answer.headers.get('content-type'), open.count('streams')]).toEqual([
    ...[200, 'text/event-stream', 0],
  ])
  await close()
})

test('a browser may send the form of a link: no header makes its Origin null; what is no form is refused', async () => {
  const { ask, close } = await openApi()
  const page = await ask('/pair?code=abc')
  expect([page.status, page.headers.get('referrer-policy')]).toEqual([403, 'same-origin'])
  const headers = {
    origin: 'http://127.0.0.1:4770',
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': '2005',
  }
  const body = `code=${'a'.repeat(2000)}`
  expect((await ask('/pair', { method: 'POST', body, headers })).status).toBe(413)
  await close()
})
