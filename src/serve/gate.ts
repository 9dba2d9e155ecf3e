/** Whether a request may come in. Every request passes here first. Pure. */
import { isLoopback, type ServeSettings } from './settings.ts'
import type { Token } from './tokens.ts'

export type GateRequest = {
  readonly method: string
  readonly path: string
  readonly headers: (name: string) => string | undefined
}

export type GateRefusal = {
  readonly status: 401 | 403 | 415 | 421
  readonly code: 'WRONG_HOST' | 'WRONG_ORIGIN' | 'NO_TOKEN' | 'WRONG_TOKEN' | 'READ_ONLY' | 'NO_JSON'
  readonly message: string
}

/** A browser sends a cookie to all ports of a name: an API of another port, such as a demo's, must not put its own in the place of it. */
export const cookieNameOf = ({ port, proxy }: Pick<ServeSettings, 'port' | 'proxy'>): string =>
  proxy === undefined ? `lull_token_${port}` : 'lull_token'

/**
 * What is answered without a token: it tells nothing of a session, as the page alone (browser/page-files.ts), or has a secret of its own in its
 * path (links/answer-links.ts).
 */
const isOpen = (path: string): boolean =>
  ['/', '/healthz', '/pair'].includes(path) || path.startsWith('/assets/') || path.startsWith('/answer/')

/**
 * The values of `Host` by which this API may be called: a page of another name that leads here (DNS rebinding) has none.
 * @param names of this machine: those of the certificate, and its addresses where it listens on all of them
 */
export function hostsOf(
  { listen, port, proxy, cert }: ServeSettings,
  names: readonly string[] = [],
): ReadonlySet<string> {
  const loopback = isLoopback(listen) || isAny(listen) ? ['127.0.0.1', 'localhost', '::1'] : []
  const all = [...loopback, ...(isAny(listen) ? [] : [listen]), ...names]
  const direct = all.map(name => (name.includes(':') ? `[${name}]` : name.toLowerCase()))
  // The usual port of a scheme is left out by clients.
  const bare = port === (cert === undefined ? 80 : 443) ? direct : []
  return new Set([
    ...direct.map(name => `${name}:${port}`),
    ...bare,
    ...(proxy === undefined ? [] : [proxy.toLowerCase()]),
  ])
}

export const isAny = (listen: string): boolean => listen === '0.0.0.0' || listen === '::'

/**
 * @param find the token of a secret, as far as it is valid
 * @returns the token; none where the path needs none
 */
export function passGate(
  request: GateRequest,
  settings: ServeSettings,
  hosts: ReadonlySet<string>,
  find: (secret: string) => Token | undefined,
): { readonly token?: Token } | { readonly refused: GateRefusal } {
  const { method, path, headers } = request
  const host = headers('host')?.toLowerCase()
  if (host === undefined || !hosts.has(host))
    return refuse(421, 'WRONG_HOST', `this API is called as ${[...hosts].join(', ')}, not as this Host`)
  const origin = headers('origin')
  if (origin !== undefined && !isOwnOrigin(origin, hosts))
    return refuse(403, 'WRONG_ORIGIN', 'a page of another origin may not call this API')
  const isAction = method !== 'GET' && method !== 'HEAD'
  if (isOpen(path)) return {}
  const bearer = /^bearer (\S+)$/i.exec(headers('authorization') ?? '')?.[1]
  const cookie = bearer === undefined ? cookieIn(headers('cookie'), cookieNameOf(settings)) : undefined
  const secret = bearer ?? cookie
  if (secret === undefined)
    return refuse(401, 'NO_TOKEN', 'a token is missing: `lull serve token add NAME` makes one')
  const token = find(secret)
  if (!token) return refuse(401, 'WRONG_TOKEN', 'the token is unknown or was revoked')
  // What a page of another port, or of another site, has the browser fetch brings the cookie along, too.
  if (cookie !== undefined && !isOwnFetch(headers('sec-fetch-site')))
    return refuse(403, 'WRONG_ORIGIN', 'a page of another origin may not use the cookie of this API')
  if (!isAction) return { token }
  // A cookie comes along with what any page sends; only a page of this origin may use it for an action.
  if (cookie !== undefined && origin === undefined)
    return refuse(403, 'WRONG_ORIGIN', 'an action with a cookie needs an Origin header')
  if (settings.readOnly) return refuse(403, 'READ_ONLY', 'the API is served with --read-only')
  if (token.scope !== 'act') return refuse(403, 'READ_ONLY', mayReadWords(token.name))
  if (!/^application\/json\s*(;|$)/i.test(headers('content-type') ?? ''))
    return refuse(415, 'NO_JSON', 'an action needs Content-Type: application/json')
  return { token }
}

/** A machine of a fleet has no token, but a key. */
const mayReadWords = (name: string): string =>
  name.startsWith('fleet:')
    ? `${name} may only look: an action needs a key with the role operator, and lull fleet join without --read-only`
    : `token ${name} may read; an action needs one with --scope act`

const refuse = (status: GateRefusal['status'], code: GateRefusal['code'], message: string) => ({
  refused: { status, code, message },
})

function isOwnOrigin(origin: string, hosts: ReadonlySet<string>): boolean {
  const [, host] = /^https?:\/\/([^/]+)$/.exec(origin.toLowerCase()) ?? []
  return host !== undefined && hosts.has(host)
}

/** By what browsers add to each request: `none` where the person opened the address. Older ones add nothing. */
const isOwnFetch = (site: string | undefined): boolean =>
  site === undefined || site === 'same-origin' || site === 'none'

function cookieIn(header: string | undefined, wanted: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const [name, value] = pair.trim().split('=', 2)
    if (name === wanted) return value
  }
  return undefined
}
