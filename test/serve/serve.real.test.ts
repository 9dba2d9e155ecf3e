/** `lull serve` as programs use it: a host with the door, its tokens, its streams over a restart, a terminal driven over HTTP. */
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openHistory } from '../../src/history/open-history.ts'
import { placesOf } from '../../src/os/file/places.ts'
import { temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { jsonHere, servedForAll } from '../support/served.ts'
import { startStandIn } from '../support/stand-in.ts'
import { until } from '../support/until.ts'

/** What an event stream has sent so far, and whether it has ended. */
async function listen(url: string, token: string, lastId = '') {
  const stop = new AbortController()
  const headers = { authorization: `Bearer ${token}`, 'last-event-id': lastId }
  const answer = await fetch(`${url}/v1/events`, { headers, signal: stop.signal })
  let text = ''
  let isOver = false
  void (async () => {
    const pieces = answer.body?.pipeThrough(new TextDecoderStream()) ?? []
    for await (const piece of pieces) text += piece
  })()
    .catch(() => undefined)
    .finally(() => {
      isOver = true
    })
  const has = (part: string) =>
    until(
      () => text,
      all => all.includes(part),
      `"${part}" of the stream`,
    )
  return {
    has,
    ids: () => [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id),
    isOver: () => isOver,
    stop: () => stop.abort(),
  }
}

/** A wait for a session that never comes. */
function waitFor(url: string, token: string) {
  const headers = { authorization: `Bearer ${token}` }
  const answer = fetch(`${url}/v1/wait?session=nobody&appear=true&timeout=60`, { headers })
  const isOpen = () =>
    until(
      async () =>
        (await (await fetch(`${url}/metrics`, { headers })).text()).match(/^lull_open_waits (\d+)$/m)?.[1],
      count => count === '1',
      'the wait',
    )
  return { answer, isOpen }
}

describe.runIf(process.platform === 'linux')('an API that is served', () => {
  // The first of all: its tokens are the only ones.
  test('lists its tokens, links a browser and revokes it, without a secret in a list or in the history', async () => {
    const { env, url, newToken, read, post } = await servedForAll()
    const spare = await newToken('spare', 'read')
    const asSpare = { authorization: `Bearer ${spare}` }
    const refused = await fetch(`${url}/v1/tokens`, { headers: asSpare })
    expect([refused.status, await refused.json()]).toMatchObject([403, { error: { code: 'READ_ONLY' } }])
    const listed = async () => (await read('/v1/tokens')).tokens as Record<string, unknown>[]
    const made = { created: expect.stringMatching(/^20.*Z$/) }
    const used = { ...made, seenAt: expect.stringMatching(/^20.*Z$/) }
    await until(listed, tokens => tokens.every(({ seenAt }) => seenAt !== undefined), 'both to be used')
    expect(await listed()).toEqual([
      { name: 'ci', scope: 'act', ...used, isThis: true },
      { name: 'spare', scope: 'read', ...used, isThis: false },
    ])

    const wanted = { name: 'phone', scope: 'act' }
    const linked = await post('/v1/tokens/link', wanted, { 'idempotency-key': 'link' })
    const { link, until: end, qr } = linked as { link: string; until: string; qr: string[] }
    expect(Date.parse(end) - Date.now()).toBeLessThanOrEqual(60_000)
    expect(qr).toEqual(Array(qr.length).fill(expect.stringMatching(`^[01]{${qr.length}}$`)))
    const code = new URL(link).searchParams.get('code') ?? ''
    const body = new URLSearchParams({ code })
    const paired = await fetch(`${url}/pair`, { method: 'POST', body, headers: { origin: url } })
    expect([link.startsWith(`${url}/pair?code=`), paired.status]).toEqual([true, 200])
    expect((await listed()).at(-1)).toEqual({ ...wanted, by: 'ci', ...made, isThis: false })
    expect(await post('/v1/tokens/link', { name: 'a b', scope: 'act' })).toMatchObject({
      ...{ status: 400, error: { code: 'USAGE' } },
    })

    const stream = await listen(url, spare)
    await stream.has('event: snapshot')
    expect(await post('/v1/tokens/spare/revoke', {})).toMatchObject({
      ...{ status: 200, confirmed: true, also: [] },
    })
    await until(stream.isOver, over => over, 'the end of its stream')
    expect((await fetch(`${url}/v1/status`, { headers: asSpare })).status).toBe(401)
    expect(await post('/v1/tokens/spare/revoke', {})).toMatchObject({ status: 400 })
    expect((await listed()).map(({ name }) => name)).toEqual(['ci', 'phone'])
    const history = openHistory(placesOf(env), { readOnly: true })
    const kept = JSON.stringify(history.entries())
    history.close()
    expect(kept).toMatch(/phone, act.*spare/)
    for (const secret of [code, qr[7] ?? '', spare]) expect(kept).not.toContain(secret)
  })

  test('shows sessions and each change of them; a client that comes back misses nothing', async () => {
    const { env, url, token, read } = await servedForAll()
    const agent = await startStandIn()
    const isListed = async () => (await read('/v1/sessions')).sessions as { pid: number; id: string }[]
    const found = await until(isListed, all => all.some(({ pid }) => pid === agent.pid), 'the agent')
    const { id = '' } = found.find(({ pid }) => pid === agent.pid) ?? {}
    const first = await listen(url, token)
    await first.has(id)
    const last = first.ids().at(-1)
    first.stop()
    agent.status({ status: 'waiting', waitingFor: 'permission prompt', statusUpdatedAt: Date.now() })
    await until(
      () => read(`/v1/sessions/${id}`),
      ({ state }) => state === 'waiting',
    )
    const second = await listen(url, token, last)
    await second.has('"state":"waiting"')
    expect(second.ids().every(one => one?.split('-')[0] === last?.split('-')[0])).toBe(true)
    // Another host has other numbers, and says so with a snapshot.
    await lullHere(['host', 'restart'], env)
    await until(second.isOver, over => over)
    // A host answers its own socket first, and opens the API then.
    const isOpen = async () => (await fetch(`${url}/healthz`).catch(() => undefined))?.ok === true
    await until(isOpen, open => open, 'the API of the other host')
    const third = await listen(url, token, second.ids().at(-1))
    await third.has('event: snapshot')
    await third.has('"resumed":false')
    await until(
      () => read(`/v1/sessions/${id}`),
      ({ state }) => state === 'waiting',
    )
  })

  test('drives a terminal, does an action with a key once, and notes who did it', async () => {
    const { env, post, read } = await servedForAll()
    const linesOfHistory = async () => (await lullHere(['history', '--json'], env)).stdout.split('\n')
    const before = (await linesOfHistory()).filter(line => line !== '').length
    expect(await post('/v1/open', { name: 'box', words: ['bash', '--norc'] })).toMatchObject({
      status: 200,
      confirmed: true,
    })
    expect(await post('/v1/sessions/box/send', { text: 'echo $((40+2))', wait: 60 })).toMatchObject({
      ...{ status: 200, confirmed: true, outcome: 'reached', state: 'ready' },
      new: expect.arrayContaining(['42']),
    })
    const key = { 'idempotency-key': 'k' }
    const [one, other] = [
      await post('/v1/sessions/box/send', { text: 'echo once-more' }, key),
      await post('/v1/sessions/box/send', { text: 'echo once-more' }, key),
    ]
    expect(other).toEqual(one)
    const printed = await until(
      async () =>
        ((await read('/v1/sessions/box/screen')).rows as string[]).filter(row => row === 'once-more'),
      rows => rows.length > 0,
    )
    expect(printed).toHaveLength(1)
    await post('/v1/sessions/box/send', { text: "printf '\\033[31mred\\033[0m\\n'", wait: 60 })
    const { cells } = (await read('/v1/sessions/box/screen?format=cells')) as { cells: object[][] }
    expect(cells).toContainEqual([{ text: 'red', front: 1 }])
    expect(await post('/v1/sessions/box/answer', { dialog: 'x', choice: 'yes' })).toMatchObject({
      ...{ status: 409, error: { code: 'REFUSED_TO_TYPE', facts: { typed: 0 } } },
    })
    expect(await post('/v1/sessions/box/close', {})).toMatchObject({ status: 200, confirmed: true })
    const lines = (await linesOfHistory()).slice(before)
    const actions = lines.filter(line => /api\.(done|refused)/.test(line))
    expect(actions.map(line => JSON.parse(line).title)).toEqual(
      ['open', 'send', 'send', 'send', 'answer', 'close'].map(what => `${what} by ci`),
    )
    // A `wait` shows its screen to its client alone; what was refused is not called done.
    expect(lines.join('\n')).not.toContain('"screen"')
    expect((await lullHere(['history'], env)).stdout).toMatch(/api: refused.*answer by ci/)
  })

  test('shows what the processes of a session wait for, without secrets of their command lines', async () => {
    const { post, read } = await servedForAll()
    const secret = `ghp_${'Zb1'.repeat(12)}`
    const words = ['bash', '-c', `exec -a "nap ${secret}" sleep 100 & wait`]
    await post('/v1/open', { name: 'box', words })
    const { rows } = await until(
      async () => (await read('/v1/sessions/box/processes')) as { readonly rows?: readonly object[] },
      found => found.rows?.length === 2,
      'both processes',
    )
    expect(rows).toMatchObject([
      { depth: 0, waits: expect.stringContaining('the end of `sleep`') },
      { depth: 1, command: 'nap [redacted] 100', isLeaf: true },
    ])
    expect(JSON.stringify(rows)).not.toContain(secret)
  })

  test('answers a dialog by keys in stages: given with the key, done once the dialog has gone', async () => {
    const { env, ask, post, read } = await servedForAll()
    const folder = temporaryFolder()
    const program = path.resolve(import.meta.dirname, '../support/asking-agent.ts')
    const words = [process.execPath, program, path.join(folder, 'notes'), env.HOME].join(' ')
    await post('/v1/open', { name: 'agent', words: ['bash', '-c', `exec -a claude ${words}`], cwd: folder })
    type Asked = { readonly dialog?: { readonly dialog: string; readonly via: string } }
    const { dialog } = await until(
      async () => (await read('/v1/sessions/agent')) as Asked,
      found => found.dialog !== undefined,
      'its dialog',
    )
    expect(dialog?.via).toBe('screen')
    const answer = await ask('/v1/sessions/agent/answer', {
      ...{ method: 'POST', body: JSON.stringify({ dialog: dialog?.dialog, choice: 'no' }) },
      headers: { 'content-type': 'application/json', accept: 'application/x-ndjson' },
    })
    const lines = (await answer.text()).trim().split('\n')
    expect(lines.map(line => JSON.parse(line))).toMatchObject([
      { stage: 'received' },
      { stage: 'given' },
      { stage: 'done', status: 200, body: { confirmed: true, chosen: ['No'] } },
    ])
    expect(readFileSync(path.join(folder, 'notes'), 'utf8')).toBe('No\n')
  })

  test('ends what a revoked token has open, and takes it no more', async () => {
    const { env, url, newToken } = await servedForAll()
    const token = await newToken('old', 'read')
    const stream = await listen(url, token)
    await stream.has('event: snapshot')
    const waiting = waitFor(url, token)
    await waiting.isOpen()
    expect(await jsonHere(['serve', 'token', 'revoke', 'old'], env)).toMatchObject({
      code: 0,
      revoked: 'old',
    })
    await until(stream.isOver, over => over, 'the end of its stream')
    expect((await waiting.answer).status).toBe(401)
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${url}/v1/status`, { headers })).status).toBe(401)
  })

  test('gives a browser a cookie for a code, once', async () => {
    const { env, url } = await servedForAll()
    const { url: link } = await jsonHere(['serve', 'token', 'add', 'tablet', '--qr'], env)
    expect(await (await fetch(link as string)).text()).toContain('<form method="post" action="/pair">')
    const body = new URLSearchParams({ code: new URL(link as string).searchParams.get('code') ?? '' })
    const pair = (origin: string) =>
      fetch(`${url}/pair`, { method: 'POST', body, headers: { origin }, redirect: 'manual' })
    expect((await pair('http://evil.test')).status).toBe(403)
    const paired = await pair(url)
    const cookie = paired.headers.get('set-cookie') ?? ''
    expect([paired.status, paired.headers.get('location'), cookie]).toEqual([
      ...[303, '/'],
      expect.stringMatching(/^lull_token_\d+=.*HttpOnly; SameSite=Strict/),
    ])
    const headers = { cookie: cookie.split(';')[0] ?? '' }
    expect((await fetch(`${url}/v1/status`, { headers })).status).toBe(200)
    expect((await pair(url)).status).toBe(403)
    const usedUp = async (init: RequestInit) => (await fetch(link as string, init)).text()
    expect(await usedUp({})).not.toContain('open the page')
    expect(await usedUp({ headers })).toContain('This browser was let in before: <a href="/">open the page')
  })

  test('says what a link allows, and a no ends it', async () => {
    const { env, url } = await servedForAll()
    const open = async (scope: string) => {
      const added = await jsonHere(['serve', 'token', 'add', scope, '--qr', '--scope', scope], env)
      const link = added.url as string
      const body = { code: new URL(link).searchParams.get('code') ?? '' }
      const send = (more: Record<string, string>) =>
        fetch(`${url}/pair`, {
          ...{ method: 'POST', headers: { origin: url }, redirect: 'manual' as const },
          body: new URLSearchParams({ ...body, ...more }),
        })
      return { text: await (await fetch(link)).text(), send }
    }
    expect((await open('read')).text).toContain('It may then read: sessions')
    const { text, send } = await open('act')
    expect(text).toContain('It may then read and act')
    expect(await (await send({ answer: 'no' })).text()).toContain('was not let in')
    expect((await send({})).status).toBe(403)
  })

  test('keeps no character that is typed key by key: it may be of a password', async () => {
    const { env, post } = await servedForAll()
    await post('/v1/open', { name: 'shell', words: ['cat'] })
    const typed = { keys: ['q', 'z', '7', 'Enter'] }
    await until(
      () => post('/v1/sessions/shell/keys', typed, { 'idempotency-key': 'typed' }),
      ({ status }) => status === 200,
      'the keys',
    )
    const { stdout } = await lullHere(['history', '--json'], env)
    expect(stdout).toContain('· · · Enter')
    expect(stdout).not.toMatch(/q z 7|"q"/)
  })

  test('that is read-only is not opened wider by the way', async () => {
    const { env, port, stopServing, serveAgain } = await servedForAll()
    await stopServing()
    onTestFinished(async () => {
      await stopServing()
      await serveAgain()
    })
    const serve = (...flags: readonly string[]) => lullHere(['serve', '--port', String(port), ...flags], env)
    expect((await serve('--read-only')).code).toBe(0)
    expect(await serve()).toMatchObject({ code: 2, stderr: expect.stringContaining('read-only') })
    expect(await jsonHere(['serve', 'status'], env)).toMatchObject({ served: true, readOnly: true })
  })

  test('is not moved to a port that is taken: a sentence says so, and what is served stays as it is', async () => {
    const { env, url, token, read, serveAgain } = await servedForAll()
    onTestFinished(async () => void (await serveAgain()))
    const waiting = waitFor(url, token)
    await waiting.isOpen()
    const stream = await listen(url, token)
    await stream.has('event: snapshot')
    const other = net.createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as net.AddressInfo
    const refused = await jsonHere(['serve', '--port', String(port)], env)
    other.close()
    expect(refused).toMatchObject({
      ...{ code: 1, served: true, url },
      refused: expect.stringContaining(`port ${port} is taken`),
    })
    expect(await read('/v1/status')).toMatchObject({ serve: { readOnly: false } })
    expect(stream.isOver()).toBe(false)
    expect(await jsonHere(['serve', 'stop'], env)).toMatchObject({ code: 0, stopped: true })
    // Its token was not revoked: the client may ask again.
    expect((await waiting.answer).status).toBe(503)
    await expect(read('/v1/status')).rejects.toThrow('fetch failed')
    expect(await jsonHere(['serve', 'status'], env)).toMatchObject({ code: 1, served: false })
  })

  test('names the way that is left where a token can’t be revoked: the disk is full', async () => {
    const { env, newToken, read, serveAgain } = await servedForAll()
    await newToken('stays', 'read')
    const lock = path.join(placesOf(env).state, 'serve/tokens.json.lock')
    mkdirSync(path.join(lock, 'in-the-way'), { recursive: true })
    onTestFinished(async () => {
      rmSync(lock, { recursive: true })
      await serveAgain()
    })
    const { code, stderr } = await lullHere(['serve', 'token', 'revoke', 'stays'], env)
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/the token is still valid. lull serve stop ends/),
    ])
    expect(await jsonHere(['serve', 'stop'], env)).toMatchObject({ code: 0, stopped: true })
    await expect(read('/v1/status')).rejects.toThrow('fetch failed')
  })

  test('refuses a URL that names a user, before anything else', async () => {
    const { port } = await servedForAll()
    const socket = net.connect(port, '127.0.0.1')
    socket.end(`GET http://a:b@127.0.0.1:${port}/healthz HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
    const [head] = await once(socket, 'data')
    expect(String(head)).toMatch(/^HTTP\/1.1 400 /)
    socket.destroy()
  })

  test('closes a connection that says nothing, and one that says it slowly', async () => {
    const { port } = await servedForAll()
    const ends = (first: string, drip: string) => {
      const socket = net.connect(port, '127.0.0.1')
      socket.on('error', () => undefined).resume()
      socket.write(first)
      const dripping = setInterval(() => socket.write(drip), 500)
      const closed = new Promise(resolve => socket.on('close', resolve))
      return closed.finally(() => clearInterval(dripping))
    }
    await Promise.all([ends('', ''), ends(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX: `, 'a')])
  })
})
