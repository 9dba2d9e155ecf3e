/** What really reaches a webhook, and what never leaves: signatures, hostile texts, secrets, servers of every kind. */
import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { chmodSync } from 'node:fs'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openHistory } from '../../../src/history/open-history.ts'
import {
  postTransition,
  secretAt,
  signatureOf,
  type TransitionAround,
} from '../../../src/notify/deliver/post-transition.ts'
import type { TransitionsHook } from '../../../src/notify/rules/destination-fields.ts'
import type { QueueNote } from '../../../src/notify/transitions/run-queue.ts'
import { runTransitions } from '../../../src/notify/transitions/run-transitions.ts'
import {
  type SessionTransition,
  sampleTransition,
  transitionOf,
} from '../../../src/notify/transitions/transition.ts'
import { programOnPath } from '../../../src/os/spawn/find-program.ts'
import { realClock } from '../../../src/track/clock.ts'
import { endWithTest } from '../../support/end-with-test.ts'
import { newPlaces } from '../../support/history.ts'
import { httpServer } from '../../support/http-server.ts'
import { temporaryFile, temporaryFolder } from '../../support/lull.ts'
import { fencesOf } from '../../support/markdown.ts'
import { until } from '../../support/until.ts'

const secret = 'a-secret-of-some-length'
const wall = Date.UTC(2026, 10, 24)
const env = { LULL_SECRET: secret }
const hook = (url: string, more: Partial<TransitionsHook> = {}): TransitionsHook => ({
  by: 'transitions',
  url,
  secret: { variable: 'LULL_SECRET' },
  ...more,
})
const send = (to: TransitionsHook, more: Partial<TransitionAround> = {}, what: SessionTransition = sample) =>
  postTransition(to, what, { env, attempt: 1, wall, ...more })
const sample = sampleTransition('7-abc-tzip8t4j', wall)

describe('a request', () => {
  test('is signed over its time and its body, and names the transition and the attempt', async () => {
    const { received, url } = await httpServer()
    expect(await send(hook(`${url}/x`), { attempt: 3 })).toEqual({ is: 'done' })
    const [one] = received
    const time = wall / 1000
    const v1 = createHmac('sha256', secret).update(`${time}.${one?.text}`).digest('hex')
    expect(one).toMatchObject({
      path: '/x',
      body: sample,
      headers: {
        'content-type': 'application/json',
        'lull-id': '7-abc-tzip8t4j',
        'lull-attempt': '3',
        'lull-signature': `t=${time},v1=${v1}`,
      },
    })
    expect(signatureOf(one?.text ?? '', `${secret}!`, wall)).not.toContain(v1)
  })

  test('of hostile texts is JSON, and has no header more', async () => {
    const { received, url } = await httpServer()
    const hostile = '"}\r\nx-evil: 1\r\n\r\n{"a":"\u0000\u001b]0;x\u0007\ud800 </script>'
    const entry = { id: 7, at: wall, kind: 'session.state', session: hostile, agent: hostile, cwd: hostile }
    const data = { state: 'waiting', turn: 1, name: hostile, question: hostile, lost: hostile }
    const transition = transitionOf({ ...entry, data }, undefined) as SessionTransition
    expect(await send(hook(url), {}, transition)).toEqual({ is: 'done' })
    expect(received[0]?.body).toMatchObject({ id: transition.id, to: { state: 'waiting' } })
    expect(received[0]?.headers).not.toHaveProperty('x-evil')
    expect(received[0]?.headers['lull-signature']).toBe(signatureOf(received[0]?.text ?? '', secret, wall))
  })
})

describe('an answer', () => {
  test.each([
    [204, { is: 'done' }],
    [410, { is: 'failed', status: 410 }],
    [400, { is: 'failed', status: 400 }],
    [503, { is: 'failed', status: 503 }],
  ])('%d', async (status, expected) => {
    const { url } = await httpServer(() => ({ status, ...(status === 204 ? {} : { text: `no ${secret}` }) }))
    const came = await send(hook(url))
    expect(came).toMatchObject(expected)
    expect(JSON.stringify(came)).not.toContain(secret)
  })

  test('that leads elsewhere is not followed', async () => {
    const elsewhere = await httpServer()
    const { url } = await httpServer(() => ({ status: 308, to: elsewhere.url }))
    expect(await send(hook(url))).toMatchObject({
      status: 308,
      why: expect.stringMatching(/leads elsewhere/),
    })
    expect(elsewhere.received).toEqual([])
  })

  test('that does not come is given up after ten seconds, or when the host ends', async () => {
    const late = new AbortController()
    const { url } = await httpServer(() => {
      late.abort()
      return 'hangs'
    })
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal)
    expect(await send(hook(url))).toMatchObject({
      why: expect.stringContaining('did not answer within 10 s'),
    })
    expect(timeout).toHaveBeenCalledWith(10_000)
    timeout.mockRestore()
    expect(await send(hook(url), { signal: AbortSignal.abort() })).toMatchObject({ is: 'failed' })
  })
})

describe('a secret', () => {
  test('is the text of a file of this user alone', () => {
    const file = temporaryFile('secret', `${secret}\n`)
    chmodSync(file, 0o600)
    expect(secretAt({ file }, {})).toBe(secret)
    chmodSync(file, 0o640)
    expect(secretAt({ file }, {})).toEqual({
      why: expect.stringMatching(/^its secret can’t be read: .*secret: others may read it: chmod 600$/),
    })
  })

  test.each([
    ['is not set', { variable: 'NONE' }, 'its secret is missing: $NONE is not set'],
    ['is not there', { file: `${temporaryFolder()}/none` }, /^its secret is missing: \/.*none is not there$/],
    ['is too short', { variable: 'SHORT' }, '$SHORT is too short: a secret has at least 16 characters'],
  ])('that %s sends nothing', async (_, place, why) => {
    const { received, url } = await httpServer()
    const came = await send(hook(url, { secret: place }), { env: { SHORT: 'secret12' } })
    expect(came).toEqual({ is: 'failed', why: typeof why === 'string' ? why : expect.stringMatching(why) })
    expect(JSON.stringify(came)).not.toContain('secret12')
    expect(received).toEqual([])
  })
})

test('a receiver that is started again gets what it missed, in order', async () => {
  const { places } = newPlaces()
  const history = openHistory(places)
  const clock = realClock(true)
  const first = await httpServer()
  const notes: QueueNote[] = []
  const transitions = runTransitions(
    { fleet: hook(first.url) },
    {
      places,
      clock,
      complain: () => undefined,
      note: note => void notes.push(note),
      send: (to, transition, around) =>
        postTransition(to, transition, { env, wall: clock.wall(), ...around }),
    },
  )
  onTestFinished(() => transitions.close())
  const comes = (state: string) => {
    const data = { state, turn: 1 }
    history.add({ at: Date.now(), kind: 'session.state', session: 'a', agent: 'claude', data })
    transitions.kept()
  }
  comes('working')
  await until(
    () => first.received.length,
    count => count === 1,
  )
  first.close()
  for (const state of ['waiting', 'working', 'idle']) comes(state)
  await until(
    () => notes,
    all => all.some(({ what }) => what === 'failed'),
    'a failure',
  )
  const second = await httpServer(undefined, first.port)
  const received = await until(
    () => second.received,
    all => all.length >= 3,
    'what it missed',
  )
  expect(received.map(({ body }) => (body.to as { state: string }).state)).toEqual([
    'waiting',
    'working',
    'idle',
  ])
})

const python = programOnPath(['python3'], process.env.PATH)

test('the receiver of docs/notify.md takes what is signed, once', async ({ skip }) => {
  if (python === undefined) skip('the example of the page is Python, and there is no python3 on PATH')
  const [fence] = fencesOf('docs/notify.md').filter(({ language }) => language === 'python')
  const program = (fence?.text ?? '')
    .replace('8123', '0')
    .replace(
      /^(http\.server\.HTTPServer\(.*\))\.serve_forever\(\)$/m,
      'server = $1\nprint(server.server_port, flush=True)\nserver.serve_forever()',
    )
  const child = spawn(python as string, ['-c', program], { env: { ...process.env, LULL_SECRET: secret } })
  endWithTest(child)
  let printed = ''
  child.stdout.on('data', piece => {
    printed += piece
  })
  const port = await until(
    () => printed.split('\n')[0] ?? '',
    line => /^\d+$/.test(line),
    'its port',
  )
  const to = hook(`http://127.0.0.1:${port}/`)
  const now = { wall: Date.now() }
  expect(await send(to, now)).toEqual({ is: 'done' })
  expect(await send(to, now)).toEqual({ is: 'done' })
  const wrong = { env: { LULL_SECRET: `${secret}!` } }
  expect(await send(to, { ...now, ...wrong })).toMatchObject({ status: 401 })
  expect(await send(to, { wall: now.wall - 600_000 })).toMatchObject({ status: 401 })
  expect(await send(to, now, { ...sample, id: 'another' })).toEqual({ is: 'done' })
  await until(
    () => printed,
    text => text === `${port}\ntest idle\ntest idle\n`,
    'two lines',
  )
})
