/** Who may come in: Host, Origin, token, scope and media type of a request are checked before anything else. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cookieNameOf, hostsOf, passGate } from '../../src/serve/gate.ts'
import { checkSettings, type ServeSettings } from '../../src/serve/settings.ts'
import type { Token } from '../../src/serve/tokens.ts'

const settings: ServeSettings = { port: 4770, listen: '127.0.0.1', readOnly: false }
const cookieName = cookieNameOf(settings)
const token = (scope: Token['scope']): Token => ({ name: scope, scope, hash: '', createdAt: 0 })
const find = (secret: string) => (secret === 'r' ? token('read') : secret === 'a' ? token('act') : undefined)

type Headers = Readonly<Record<string, string>>
const host = { host: '127.0.0.1:4770' }
const json = { ...host, 'content-type': 'application/json' }

function ask(method: string, path: string, headers: Headers, more: Partial<ServeSettings> = {}) {
  const all = { ...settings, ...more }
  const passed = passGate({ method, path, headers: name => headers[name] }, all, hostsOf(all), find)
  return 'refused' in passed ? passed.refused.code : (passed.token?.name ?? 'open')
}

describe('a request', () => {
  test.each<readonly [what: string, ...Parameters<typeof ask>, answer: string]>([
    ['with a token may read', 'GET', '/v1/sessions', { ...host, authorization: 'Bearer r' }, {}, 'read'],
    [
      'by another loopback name',
      'GET',
      '/v1/sessions',
      { host: 'LOCALHOST:4770', authorization: 'bearer r' },
      {},
      'read',
    ],
    ['without a token', 'GET', '/v1/sessions', host, {}, 'NO_TOKEN'],
    ['of a hook without a token', 'POST', '/api/hook-event', json, {}, 'NO_TOKEN'],
    [
      'of a hook with a token that may read',
      'POST',
      '/api/hook-event',
      { ...json, authorization: 'Bearer r' },
      {},
      'READ_ONLY',
    ],
    ['with another token', 'GET', '/v1/sessions', { ...host, authorization: 'Bearer x' }, {}, 'WRONG_TOKEN'],
    [
      'of a rebound name, without Origin',
      'GET',
      '/v1/sessions',
      { host: 'evil.test:4770', authorization: 'Bearer a' },
      {},
      'WRONG_HOST',
    ],
    ['of a rebound name, for what is open', 'GET', '/healthz', { host: 'evil.test:4770' }, {}, 'WRONG_HOST'],
    [
      'to another port',
      'GET',
      '/v1/sessions',
      { host: '127.0.0.1:1', authorization: 'Bearer a' },
      {},
      'WRONG_HOST',
    ],
    ['without Host', 'GET', '/v1/sessions', { authorization: 'Bearer a' }, {}, 'WRONG_HOST'],
    [
      'of another origin',
      'GET',
      '/v1/sessions',
      { ...host, origin: 'http://evil.test', authorization: 'Bearer a' },
      {},
      'WRONG_ORIGIN',
    ],
    [
      'of no origin (a sandboxed page)',
      'GET',
      '/v1/sessions',
      { ...host, origin: 'null', authorization: 'Bearer a' },
      {},
      'WRONG_ORIGIN',
    ],
    [
      'of its own origin',
      'GET',
      '/v1/sessions',
      { ...host, origin: 'http://127.0.0.1:4770', authorization: 'Bearer a' },
      {},
      'act',
    ],
    ['for what is open', 'GET', '/healthz', host, {}, 'open'],
    [
      'to pair, of another origin',
      'POST',
      '/pair',
      { ...host, origin: 'http://evil.test' },
      {},
      'WRONG_ORIGIN',
    ],
    [
      'by a cookie beside that of another port',
      'GET',
      '/v1/sessions',
      { ...host, cookie: `${cookieNameOf({ port: 4771 })}=x; ${cookieName}=r` },
      {},
      'read',
    ],
    ['by a cookie', 'GET', '/v1/sessions', { ...host, cookie: `x=1; ${cookieName}=r` }, {}, 'read'],
    [
      'by a cookie, of a page on another port',
      'GET',
      '/v1/events',
      { ...host, cookie: `${cookieName}=r`, 'sec-fetch-site': 'same-site' },
      {},
      'WRONG_ORIGIN',
    ],
    [
      'by a cookie, of its own page',
      'GET',
      '/v1/events',
      { ...host, cookie: `${cookieName}=r`, 'sec-fetch-site': 'same-origin' },
      {},
      'read',
    ],
    ['for an action', 'POST', '/v1/sessions/x/send', { ...json, authorization: 'Bearer a' }, {}, 'act'],
    [
      'for an action, with a token that may read',
      'POST',
      '/v1/sessions/x/send',
      { ...json, authorization: 'Bearer r' },
      {},
      'READ_ONLY',
    ],
    [
      'for an action, where none is taken',
      'POST',
      '/v1/sessions/x/send',
      { ...json, authorization: 'Bearer a' },
      { readOnly: true },
      'READ_ONLY',
    ],
    [
      'for an action, as a form sends it',
      'POST',
      '/v1/sessions/x/send',
      { ...host, 'content-type': 'text/plain', authorization: 'Bearer a' },
      {},
      'NO_JSON',
    ],
    [
      'for an action by a cookie, without Origin',
      'POST',
      '/v1/sessions/x/send',
      { ...json, cookie: `${cookieName}=a` },
      {},
      'WRONG_ORIGIN',
    ],
    [
      'for an action by a cookie, of its own origin',
      'POST',
      '/v1/sessions/x/send',
      { ...json, origin: 'http://127.0.0.1:4770', cookie: `${cookieName}=a` },
      {},
      'act',
    ],
    [
      'of another method',
      'DELETE',
      '/v1/sessions/x',
      { ...json, authorization: 'Bearer r' },
      {},
      'READ_ONLY',
    ],
    [
      'through the proxy',
      'GET',
      '/v1/sessions',
      { host: 'box.example.org', authorization: 'Bearer r' },
      { proxy: 'box.example.org' },
      'read',
    ],
  ])('%s', (_, method, path, headers, more, answer) => {
    expect(ask(method, path, headers, more)).toBe(answer)
  })

  test('with whatever headers never comes in without a token of ours, or by a name that is not ours', () => {
    const text = fc.string({ maxLength: 30 })
    const some = fc.option(text, { nil: undefined })
    const headers = fc.record({
      host: some,
      origin: some,
      authorization: some,
      cookie: some,
      'content-type': some,
    })
    fc.assert(
      fc.property(fc.constantFrom('GET', 'POST', 'PUT'), headers, (method, given) => {
        const request = {
          method,
          path: '/v1/sessions',
          headers: (name: string) => given[name as keyof typeof given],
        }
        const passed = passGate(request, settings, hostsOf(settings), find)
        if ('refused' in passed) return
        expect(hostsOf(settings)).toContain(given.host?.toLowerCase())
        expect(`${given.authorization} ${given.cookie}`).toMatch(/bearer [ra]\b|lull_token=[ra]\b/i)
      }),
    )
  })
})

describe('the settings', () => {
  test.each<readonly [Partial<ServeSettings>, string]>([
    [{ port: 0 }, 'a port number from 1 to 65535'],
    [{ port: Number.NaN }, 'a port number from 1 to 65535'],
    [{ listen: 'example.org' }, 'must be an IP address'],
    [{ listen: '0.0.0.0' }, '--tls-cert FILE and --tls-key FILE, or --behind-proxy HOST'],
    [{ listen: '192.168.1.2' }, '--tls-cert FILE and --tls-key FILE, or --behind-proxy HOST'],
    [{ cert: '/c' }, 'belong together'],
    [{ proxy: 'https://box' }, 'must be a host name'],
  ])('%j are refused', (more, sentence) => {
    expect(() => checkSettings({ ...settings, ...more })).toThrow(sentence)
  })

  test('of other addresses name them as Host', () => {
    const open = { ...settings, listen: '::', cert: '/c', key: '/k' }
    expect([...hostsOf(checkSettings(open), ['box.lan', 'fe80::1'])]).toEqual([
      ...['127.0.0.1:4770', 'localhost:4770', '[::1]:4770', 'box.lan:4770', '[fe80::1]:4770'],
    ])
  })

  test.each([
    [443, { cert: '/c', key: '/k' }],
    [80, {}],
  ])('of port %i name it without the port as well: clients leave it out', (port, more) => {
    const hosts = hostsOf({ ...settings, ...more, port })
    expect([...hosts].filter(host => host.startsWith('127'))).toEqual([`127.0.0.1:${port}`, '127.0.0.1'])
    expect(hostsOf({ ...settings, ...more, port: port + 1 })).not.toContain('127.0.0.1')
  })
})
