/** A connection over HTTP to a host of which a test scripts the faults. */
import { describe, expect, test } from 'vitest'
import { lullOn } from '../../src/connect/connect.ts'
import { errorOf } from '../../src/connect/remote/api-error.ts'
import { remoteParts } from '../../src/connect/remote/connect-remote.ts'
import { clockOffset } from '../../src/connect/remote/remote-clock.ts'
import { readRemote } from '../../src/connect/remote/remote-url.ts'
import { connect } from '../../src/index.ts'
import { realClock } from '../../src/track/clock.ts'
import { answerTo } from '../support/answer-to.ts'
import { finished, liveSession, news, permission, prompt, sessionOf } from '../support/live.ts'
import { changeLine, greeting, line, nowThere, scriptedHost } from '../support/scripted-host.ts'
import { until } from '../support/until.ts'

const host = readRemote('https://box.test:4770', 's')
const idleSession = liveSession(sessionOf([prompt(1), news(2, finished)]))
const busySession = liveSession(sessionOf([prompt(1), news(2, finished), prompt(5000)]))
const snapshot = changeLine({ type: 'snapshot', sessions: [idleSession] })
const whole = () => greeting() + snapshot

function connected(answer: Parameters<typeof scriptedHost>[0]) {
  const scripted = scriptedHost(answer)
  const notices: string[] = []
  const { source, machine } = remoteParts(host, scripted.transport, realClock(true), text =>
    notices.push(text),
  )
  return { ...scripted, notices, lull: lullOn(source, machine) }
}

/** Streams where it is followed, else the sessions at once. */
const serves = (path: string) => (path.includes('follow=true') ? 'stream' : { status: 200, text: whole() })

const refused = (status: number, code: string, facts?: object) => ({
  status,
  text: JSON.stringify({ error: { code, message: `it is ${code}`, ...(facts ? { facts } : {}) } }),
})
const refusedConnection = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

const opened = <T>(streams: readonly T[], n: number): Promise<T> =>
  until(
    () => streams[n - 1],
    stream => stream !== undefined,
  ) as Promise<T>

describe('changes', () => {
  test('go on with another snapshot after a connection that was cut in the middle of a line', async () => {
    const { lull, streams } = connected(serves)
    const changes = lull.changes()
    const first = changes.next()
    const one = await opened(streams, 1)
    const text = whole()
    one.send(text.slice(0, 30))
    one.send(text.slice(30))
    expect((await first).value).toMatchObject({ type: 'snapshot', sessions: [{ id: 'abcd1234' }] })
    const next = changes.next()
    one.send(changeLine({ type: 'changed', session: busySession }).slice(0, -20))
    one.end(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }))
    const other = await opened(streams, 2)
    other.send(whole())
    expect((await next).value).toMatchObject({ type: 'snapshot' })
    await lull.close()
    expect(other.isOver()).toBe(true)
  })

  test('go on after a host whose beats stopped', async () => {
    const { lull, streams } = connected(serves)
    const changes = lull.changes()
    const first = changes.next()
    const one = await opened(streams, 1)
    one.send(greeting({ beatMs: 5 }) + snapshot)
    await first
    const next = changes.next()
    const other = await opened(streams, 2)
    expect(one.isOver()).toBe(true)
    other.send(whole())
    expect((await next).value).toMatchObject({ type: 'snapshot' })
    await lull.close()
  })

  test.each([
    ['no JSON', 'a\n'],
    ['a change of another shape', line({ type: 'changed', session: { id: 5 } })],
    ['another type', line({ type: 'other' })],
  ])('end with a sentence at %s; what came before is read', async (_, sent) => {
    const { lull, streams } = connected(serves)
    const changes = lull.changes()
    const first = changes.next()
    const one = await opened(streams, 1)
    one.send(whole() + sent)
    await first
    expect(await answerTo(() => changes.next())).toBe(
      'HOST_GONE the host at https://box.test:4770 sent a line that is no change',
    )
    expect(one.isOver()).toBe(true)
    await lull.close()
  })

  test.each([
    [
      'of another protocol',
      greeting({ protocol: 99, version: '9.9' }),
      /is lull 9\.9, which speaks protocol 99/,
    ],
    ['that greets with something else', '<html>\n', /does not speak as a host of lull does/],
  ])('are refused by a server %s', async (_, sent, sentence) => {
    const { lull, streams } = connected(serves)
    const first = answerTo(() => lull.changes().next())
    ;(await opened(streams, 1)).send(sent)
    expect(await first).toMatch(sentence)
    await lull.close()
  })

  test('end with the refusal of a token that was revoked', async () => {
    const { lull, streams } = connected((path, n) => (n === 0 ? serves(path) : refused(401, 'WRONG_TOKEN')))
    const changes = lull.changes()
    const first = changes.next()
    const one = await opened(streams, 1)
    one.send(whole())
    await first
    one.end()
    expect(await answerTo(() => changes.next())).toBe('WRONG_TOKEN it is WRONG_TOKEN')
    await lull.close()
  })

  test('of a host that nobody reads are dropped beyond a bound, and begin again with a snapshot', async () => {
    const { lull, streams } = connected(serves)
    const changes = lull.changes()
    const first = changes.next()
    const one = await opened(streams, 1)
    one.send(whole())
    await first
    const long = changeLine({ type: 'gone', id: 'a'.repeat(4 * 1024 * 1024) })
    for (let n = 0; n < 20 && !one.isOver(); n++) {
      one.send(long)
      await new Promise(setImmediate)
    }
    await until(one.isOver, over => over)
    await lull.close()
  })
})

describe('a wait', () => {
  test('counts a turn that begins once the host has registered it, before its session is found', async () => {
    const from = nowThere()
    const first = greeting({ from })
    const turn = [prompt(1), news(2, finished), prompt(from + 0.01)]
    const asking = liveSession(sessionOf([...turn, news(from + 0.02, permission)]))
    const listed = changeLine({ type: 'snapshot', sessions: [asking] })
    const { lull, streams } = connected(path =>
      path.includes('follow=true') ? 'stream' : { status: 200, text: greeting() + listed },
    )
    const done = lull.waitFor('abcd1234', { until: 'waiting', next: true })
    const followed = await opened(streams, 1)
    followed.send(first + snapshot)
    followed.send(changeLine({ type: 'changed', session: liveSession(sessionOf(turn)) }))
    followed.send(changeLine({ type: 'changed', session: asking }))
    expect(await done).toMatchObject({ outcome: 'reached', sessions: [{ id: 'abcd1234' }] })
    await until(followed.isOver, over => over)
    await lull.close()
  })

  test('whose time is over while the host is away does not say that nothing happened', async () => {
    const { lull, streams } = connected((path, n) => (n < 2 ? serves(path) : refusedConnection))
    const { promise: registered, resolve: onRegistered } = Promise.withResolvers<unknown>()
    const done = answerTo(() => lull.waitFor('abcd1234', { next: true, timeout: 150, onRegistered }))
    const stream = await opened(streams, 1)
    stream.send(whole())
    await registered
    stream.end()
    expect(await done).toMatch(/^SOURCE_GONE waitFor: .* nobody knows .*: the host at/)
    await lull.close()
  })

  test('tries as long as its timeout lasts to reach a host that never answers', async () => {
    const { lull, paths, notices } = connected(() => refusedConnection)
    expect(await answerTo(() => lull.waitFor('a', { timeout: 250 }))).toBe(
      'HOST_GONE the host at https://box.test:4770 does not answer (connect ECONNREFUSED)',
    )
    expect(paths.length).toBeGreaterThan(1)
    expect(notices).toEqual([expect.stringContaining('trying again')])
    await lull.close()
  })

  test('ends by its signal while the host is away', async () => {
    const { lull } = connected(() => refusedConnection)
    const stop = new AbortController()
    const done = lull.waitFor('a', { timeout: 60_000, signal: stop.signal })
    stop.abort(new Error('enough'))
    await expect(done).rejects.toThrow('enough')
    await lull.close()
  })
})

describe('a question', () => {
  test('is asked again where a connection was refused or a proxy answered, and not where it was understood', async () => {
    const { lull, paths, notices } = connected((path, n) =>
      n === 0 ? refusedConnection : n === 1 ? { status: 502, text: 'bad gateway' } : serves(path),
    )
    expect((await lull.sessions()).map(({ id }) => id)).toEqual(['abcd1234'])
    expect([paths.length, notices.length]).toEqual([3, 2])
    await lull.close()
    const other = connected(() => refused(404, 'NO_SESSION', { address: 'x' }))
    expect(await answerTo(() => other.lull.find('x'))).toBe('NO_SESSION it is NO_SESSION')
    expect(other.paths).toHaveLength(1)
    await other.lull.close()
  })

  test.each([
    ['an older host', refused(404, 'NO_PATH'), /^HOST_GONE .* without \/v1\/live: update it/],
    [
      'a server of something else',
      { status: 404, text: '<html>' },
      /^HOST_GONE what answers at .*404.* is not the API/,
    ],
    ['a redirect', { status: 307 }, /^HOST_GONE .* redirect, which is not followed/],
    ['nothing', { status: 200 }, /^HOST_GONE .* does not speak as a host/],
    ['half an answer', { status: 200, text: greeting() }, /^FAILED .* does not understand/],
    ['a code that nobody knows', refused(409, 'NEW_CODE'), /^FAILED NEW_CODE: it is NEW_CODE/],
    [
      'a certificate',
      Object.assign(new Error('self-signed'), { code: 'SELF_SIGNED_CERT_IN_CHAIN' }),
      /NODE_EXTRA_CA_CERTS/,
    ],
  ])('that %s answers is refused with a sentence, at once', async (_, given, sentence) => {
    const { lull, paths } = connected(() => given)
    expect(await answerTo(() => lull.sessions())).toMatch(sentence)
    expect(paths).toHaveLength(1)
    await lull.close()
  })

  test('that reaches an API which is closing is asked again', async () => {
    const { lull, notices } = connected((path, n) => (n === 0 ? refused(503, 'CLOSED') : serves(path)))
    expect(await lull.sessions()).toHaveLength(1)
    expect(notices[0]).toBe(
      'the host at https://box.test:4770 does not answer (its API is closing); trying again',
    )
    await lull.close()
  })

  test('sends the token, and no other header of its own', async () => {
    const headers: object[] = []
    const { lull } = connected((path, _, request) => {
      headers.push(request.headers)
      return serves(path)
    })
    await lull.sessions()
    expect(headers).toEqual([{ authorization: 'Bearer s' }])
    await lull.close()
  })
})

test('an action whose answer was lost is asked for again with the same key', async () => {
  const keys: unknown[] = []
  const { lull } = connected((_, n, request) => {
    keys.push(request.headers['idempotency-key'])
    return n === 0 ? refusedConnection : { status: 200, text: '{"code":0}' }
  })
  expect(await lull.end('box')).toEqual({ code: 0 })
  expect([keys.length, new Set(keys).size, typeof keys[0]]).toEqual([2, 1, 'string'])
  await lull.close()
})

describe('instants', () => {
  test('of one machine are not moved; of another by at most half of the exchange', () => {
    const same = clockOffset()
    same.exchange(105, 100, 110)
    expect(same.get()).toBe(0)
    const other = clockOffset()
    other.exchange(5000, 100, 110)
    expect(other.get()).toBe(-4895)
    other.exchange(6000, 1101, 1112)
    expect(other.get()).toBe(-4895)
    other.exchange(6000, 1150, 1160)
    expect(other.get()).toBe(-4845)
  })

  test('of a session are of the clock of this machine', async () => {
    const now = realClock().now()
    const [text] = [greeting({ now: 2 }) + snapshot]
    const { lull } = connected(() => ({ status: 200, text }))
    const [one] = await lull.sessions()
    expect(one?.session.verdict.since).toBeGreaterThanOrEqual(now)
    expect(one?.session.verdict.since).toBeLessThanOrEqual(realClock().now())
    await lull.close()
  })
})

test.each([
  ['ftp://box', 's', /must be an address like https:/],
  ['box', 's', /must be an address like https:/],
  ['http://box:4770', 's', /would send the token unencrypted/],
  ['http://127.0.0.1.evil.test', 's', /would send the token unencrypted/],
  ['https://me:secret@box', 's', /must not have a user or password/],
  ['https://box/?a=1', 's', /without \? or #/],
  ['https://box', undefined, /needs a token: give token, or set LULL_TOKEN/],
  ['https://box', 'a b', /must be printable ASCII/],
])('the url %s is refused', (url, token, sentence) => {
  expect(() => readRemote(url, token)).toThrow(sentence)
})

test('an address may have a path, of loopback without TLS', () => {
  expect(readRemote('http://[::1]:4770/lull/', 's').base).toBe('http://[::1]:4770/lull')
  expect(readRemote('https://BOX.test', 's').base).toBe('https://box.test')
})

test('connect refuses what excludes a url', async () => {
  const url = 'https://box'
  expect(await answerTo(() => connect({ url, token: 's', own: true }))).toMatch(
    /^USAGE connect: own and startsHost/,
  )
  expect(await answerTo(() => connect({ token: 's' }))).toBe('USAGE connect: token needs the url of a host')
  expect(await answerTo(() => connect({ url: 5 as never }))).toBe('USAGE connect: url must be a text, not 5')
})

test.each([
  ['AMBIGUOUS_SESSION', { address: 'a', candidates: [5] }],
  ['REFUSED_TO_TYPE', { outcome: 'constructor', typed: 0 }],
  ['LOCKED', {}],
])('facts of %s that a program could not read make it a failure', (code, facts) => {
  expect(errorOf({ error: { code, message: 'm\u001b[31m', facts } })).toMatchObject({
    code: 'FAILED',
    message: expect.not.stringContaining('\u001b'),
  })
})
