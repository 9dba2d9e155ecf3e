/** A server on the loopback that speaks as both providers do, and as broken ones. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { askJudge } from '../../../src/respawn/judge/judge-driver.ts'

type Heard = { readonly headers: http.IncomingHttpHeaders; readonly body: unknown; readonly path: string }

let heard: Heard[] = []
let respond: (response: http.ServerResponse) => void = () => undefined
const server = http.createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  heard.push({ headers: request.headers, body: text && JSON.parse(text), path: request.url ?? '' })
  respond(response)
})
let url = ''

beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/asked?secret=1`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  heard = []
  vi.stubEnv('JUDGE_KEY', 'a-key-of-nobody')
})
afterEach(() => void vi.unstubAllEnvs())

const json = (value: unknown, status = 200) => {
  respond = response =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
const text = (body: string, status = 200) => {
  respond = response => void response.writeHead(status).end(body)
}

const ask = (
  api: 'openai' | 'anthropic',
  more: { keyVariable?: string; url?: string } = {},
  limits: object = {},
) => askJudge({ url, api, model: 'small', ...more }, 'a prompt ü', { timeout: 30_000, ...limits })
const failed = (message: string | RegExp) =>
  expect.objectContaining({
    code: 'JUDGE_FAILED',
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  })

const openai = (content: unknown) => ({
  id: 'x',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }, { index: 1 }],
})
const anthropic = (...content: readonly object[]) => ({ id: 'x', type: 'message', content })
const messages = [{ role: 'user', content: 'a prompt ü' }]

describe('a model', () => {
  test('of OpenAI’s form is asked, with its key', async () => {
    json(openai('an answer'))
    expect(await ask('openai', { keyVariable: 'JUDGE_KEY' })).toBe('an answer')
    expect(heard).toEqual([
      {
        path: '/v1/asked?secret=1',
        body: { model: 'small', messages },
        headers: expect.objectContaining({
          authorization: 'Bearer a-key-of-nobody',
          'content-type': 'application/json',
          connection: 'close',
        }),
      },
    ])
  })

  test('of Anthropic’s form is asked, with its key; what it thought is no answer', async () => {
    json(
      anthropic(
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'an ' },
        { type: 'text', text: 'answer' },
      ),
    )
    expect(await ask('anthropic', { keyVariable: 'JUDGE_KEY' })).toBe('an answer')
    expect(heard[0]).toMatchObject({
      body: { model: 'small', messages, max_tokens: 1024 },
      headers: { 'x-api-key': 'a-key-of-nobody', 'anthropic-version': '2023-06-01' },
    })
  })

  test.each(['openai', 'anthropic'] as const)('needs no key: %s', async api => {
    json(api === 'openai' ? openai('yes') : anthropic({ type: 'text', text: 'yes' }))
    expect(await ask(api)).toBe('yes')
    expect(Object.keys(heard[0]?.headers ?? {})).not.toEqual(expect.arrayContaining(['authorization']))
    expect(Object.keys(heard[0]?.headers ?? {})).not.toEqual(expect.arrayContaining(['x-api-key']))
  })

  test('is not asked where its key is missing, or is none that could be sent', async () => {
    const missing = failed('the judge’s key is missing: set the environment variable NO_KEY')
    await expect(ask('openai', { keyVariable: 'NO_KEY' })).rejects.toEqual(missing)
    vi.stubEnv('JUDGE_KEY', 'a-key\nwith: a header')
    const none = failed('what the environment variable JUDGE_KEY holds is no key')
    await expect(ask('openai', { keyVariable: 'JUDGE_KEY' })).rejects.toEqual(none)
    expect(heard).toEqual([])
  })
})

describe('a server that fails', () => {
  test.each<[string, unknown, number, string]>([
    ['OpenAI’s 500', { error: { message: 'overloaded' } }, 500, 'answered 500: overloaded'],
    [
      'Anthropic’s 529',
      { type: 'error', error: { type: 'x', message: 'overloaded' } },
      529,
      'answered 529: overloaded',
    ],
    ['a text', { error: 'no such\nmodel' }, 404, 'answered 404: no such model'],
    ['its key', { error: { message: 'bad key a-key-of-nobody' } }, 401, 'answered 401: bad key [redacted]'],
    ['something else', ['?'], 503, 'answered 503'],
  ])('says why: %s', async (_, body, status, sentence) => {
    json(body, status)
    await expect(ask('openai', { keyVariable: 'JUDGE_KEY' })).rejects.toEqual(
      failed(`the judge’s server ${sentence}`),
    )
  })

  test('by an error without words', async () => {
    text('<h1>Bad gateway</h1>', 502)
    await expect(ask('anthropic')).rejects.toEqual(failed('the judge’s server answered 502'))
  })

  test.each<[string, unknown]>([
    ['another form', anthropic({ type: 'text', text: 'yes' })],
    ['no choice', { choices: [] }],
    ['no content', openai(null)],
    ['null', null],
    ['a list', []],
  ])('by %s', async (_, body) => {
    json(body)
    await expect(ask('openai')).rejects.toEqual(
      failed(/^the judge’s server did not answer in the form of OpenAI’s chat completions: /),
    )
  })

  test('by garbage, of which it shows a printable line', async () => {
    text(`\u001b[2Ja-key-of-nobody\n${'garbage '.repeat(1000)}`)
    const rejected = await ask('anthropic', { keyVariable: 'JUDGE_KEY' }).catch(error => error)
    expect(rejected).toEqual(
      failed(
        /^the judge’s server did not answer in the form of Anthropic’s messages: +\[2J\[redacted\] garbage/,
      ),
    )
    expect(rejected.message.length).toBeLessThan(300)
  })

  test('by an answer that has no end', async () => {
    respond = response => {
      response.on('error', () => undefined)
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(100_000)));
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    }
    await expect(ask('openai')).rejects.toEqual(
      failed('the judge’s server answered with more than 1048576 bytes'),
    )
  })

  test('by one that is small until it is unpacked', async () => {
    const packed = gzipSync(Buffer.alloc(64 * 1024 * 1024, 'x'))
    respond = response => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed)
    await expect(ask('openai')).rejects.toEqual(
      failed('the judge’s server answered with more than 1048576 bytes'),
    )
  })

  test.each([301, 302, 307, 308])('by a redirect, which is not followed: %d', async status => {
    respond = response => void response.writeHead(status, { location: url }).end()
    await expect(ask('openai', { keyVariable: 'JUDGE_KEY' })).rejects.toEqual(
      failed(/^the judge’s server at 127\.0\.0\.1:\d+ can’t be asked: unexpected redirect$/),
    )
    expect(heard).toHaveLength(1)
  })

  test('by ending the connection', async () => {
    respond = response => void response.destroy()
    await expect(ask('openai')).rejects.toEqual(failed(/can’t be asked: /))
  })

  test('as nobody listens', async () => {
    const other = http.createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => other.once('listening', resolve))
    const { port } = other.address() as AddressInfo
    await new Promise(resolve => other.close(resolve))
    await expect(ask('openai', { url: `http://127.0.0.1:${port}/` })).rejects.toEqual(
      failed(new RegExp(`^the judge’s server at 127.0.0.1:${port} can’t be asked: .*ECONNREFUSED`)),
    )
  })
})

describe('a server that hangs', () => {
  const hangs: Readonly<Record<string, (response: http.ServerResponse) => void>> = {
    'before its answer': () => undefined,
    'within its answer': response => void response.writeHead(200).write('{"choices":'),
  }

  test.each(Object.keys(hangs))('%s is waited for until the timeout', async name => {
    respond = hangs[name] ?? respond
    await expect(ask('openai', {}, { timeout: 300 })).rejects.toEqual(
      failed('the judge did not answer within 0.3 s'),
    )
  })

  test.each(Object.keys(hangs))('%s is left where its answer is not wanted any more', async name => {
    const controller = new AbortController()
    const left = new Promise<void>(resolve => {
      respond = response => {
        response.once('close', resolve)
        hangs[name]?.(response)
        setTimeout(() => controller.abort(), 50)
      }
    })
    await expect(ask('openai', {}, { signal: controller.signal })).rejects.toEqual(
      failed('the judge’s answer is not wanted any more'),
    )
    await left
  })

  test('is not asked where its answer was not wanted before', async () => {
    await expect(ask('openai', {}, { signal: AbortSignal.abort() })).rejects.toEqual(
      failed('the judge’s answer is not wanted any more'),
    )
    expect(heard).toEqual([])
  })
})
