/** Who may use the API: a token a device or program, with a name and what it allows. Only hashes are kept. */
import { createHash, randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import path from 'node:path'
import { defined } from '../core/defined.ts'
import { isLullError, LullError } from '../core/lull-error.ts'
import type { Instant } from '../core/state.ts'
import { isRecord } from '../core/trace/trace.ts'
import { attempt } from '../os/attempt.ts'
import { changeJsonFile, readJsonFile, readPreciousJson } from '../os/file/json-file.ts'
import type { Places } from '../os/file/places.ts'
import { bootId } from '../os/proc/alive.ts'
import { letInBy } from '../shapes/let-in.ts'
import { serveFolder } from './kept-settings.ts'

/** `act` may do what `read` may, and actions. */
export const scopes = ['read', 'act'] as const
export type TokenScope = (typeof scopes)[number]

/** What a token and a code have in common. */
type Pass = {
  readonly name: string
  readonly scope: TokenScope
  /** The token that let it in, by its name: it ends with that one. None where the command line made it. */
  readonly by?: string
  /** SHA-256 of the secret, in hex. */
  readonly hash: string
}

export type Token = Pass & {
  /** ms since the epoch. `seenAt`: its last request, to a minute. */
  readonly createdAt: number
  readonly seenAt?: number
}

/** Becomes a token of the same name and scope once, before `until` (ms of the monotonic clock of this boot). */
type PairingCode = Pass & {
  readonly until: Instant
  readonly boot: string
}

type TokenFile = { readonly tokens: readonly Token[]; readonly codes: readonly PairingCode[] }

const tokensFile = (places: Places): string => path.join(serveFolder(places), 'tokens.json')

export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** 256 bits. The prefix lets scanners of leaked secrets find it. */
const newSecret = (): string => `lull_${randomBytes(32).toString('base64url')}`

/** For how long a code is good. ms */
export const codeMs = 60_000
const most = 100

const isScope = (value: unknown): value is TokenScope => scopes.some(scope => scope === value)
const isPass = (value: unknown): value is Pass =>
  isRecord(value) &&
  typeof value.name === 'string' &&
  isScope(value.scope) &&
  typeof value.hash === 'string' &&
  (value.by === undefined || typeof value.by === 'string')

function readFile(record: Readonly<Record<string, unknown>>): TokenFile {
  const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
  const isToken = (value: unknown): value is Token =>
    isPass(value) && 'createdAt' in value && typeof value.createdAt === 'number'
  const isCode = (value: unknown): value is PairingCode =>
    isPass(value) && 'until' in value && typeof value.until === 'number' && 'boot' in value
  return { tokens: listOf(record.tokens).filter(isToken), codes: listOf(record.codes).filter(isCode) }
}

const change = (places: Places, to: (before: TokenFile) => TokenFile): Promise<void> =>
  changeJsonFile(tokensFile(places), before => to(readFile(before)), { indent: 2, read: readPreciousJson })

function checkNew({ tokens, codes }: TokenFile, name: string): void {
  if (!/^[\w.-]{1,40}$/.test(name))
    throw new LullError('USAGE', `token ${name}: a name has 1 to 40 letters, digits, or . _ -`)
  if (tokens.some(token => token.name === name))
    throw new LullError(
      'USAGE',
      `token ${name} exists; choose another name, or: lull serve token revoke ${name}`,
    )
  if (tokens.length + codes.length >= most)
    throw new LullError('USAGE', `there are ${most} tokens; revoke one first (lull serve token list)`)
}

/** @returns the token, which is not kept and can't be shown again */
export async function addToken(
  places: Places,
  name: string,
  scope: TokenScope,
  { now, wall }: Instants,
): Promise<string> {
  const secret = newSecret()
  await change(places, before => {
    // A link of that name would find it taken.
    const codes = before.codes.filter(one => isYoung(one, now) && one.name !== name)
    checkNew({ ...before, codes }, name)
    return { tokens: [...before.tokens, { name, scope, hash: hashOf(secret), createdAt: wall }], codes }
  })
  return secret
}

/** The clock of this boot, which nobody sets, and that on the wall: ms. */
type Instants = { readonly now: Instant; readonly wall: number }

/** By a clock that nobody sets: a code must not live on where the wall clock goes back. */
const isYoung = ({ until, boot }: PairingCode, now: Instant): boolean =>
  boot === bootId() && until > now && until <= now + codeMs

export type NewPass = Pick<Pass, 'name' | 'scope' | 'by'>

/**
 * @returns a code for one use within a minute, which `redeemCode` makes a token of
 * @throws {LullError} USAGE for a name that is taken or none, WRONG_TOKEN where the token that lets it in was revoked meanwhile
 */
export async function addCode(places: Places, pass: NewPass, now: Instant): Promise<string> {
  const { name, by } = pass
  const code = randomBytes(16).toString('base64url')
  await change(places, before => {
    if (by !== undefined && !before.tokens.some(token => token.name === by))
      throw new LullError('WRONG_TOKEN', `token ${by} was revoked`)
    const young = before.codes.filter(one => isYoung(one, now))
    const waiting = young.find(one => one.name === name)
    if (waiting && waiting.by !== by)
      throw new LullError(
        'USAGE',
        `a link for ${name} that another device has made waits; choose another name, or wait a minute`,
      )
    const codes = young.filter(one => one !== waiting)
    checkNew({ ...before, codes }, name)
    return {
      ...before,
      codes: [...codes, { ...pass, hash: hashOf(code), until: now + codeMs, boot: bootId() }],
    }
  })
  return code
}

/** What a code would let in; undefined where it is unknown, used or too old. */
export const findCode = (places: Places, code: string, now: Instant): NewPass | undefined =>
  readFile(readJsonFile(tokensFile(places))).codes.find(one => one.hash === hashOf(code) && isYoung(one, now))

/** Nobody uses it any more. */
export async function dropCode(places: Places, code: string): Promise<void> {
  const hash = hashOf(code)
  if (!readFile(readJsonFile(tokensFile(places))).codes.some(one => one.hash === hash)) return
  await change(places, before => ({ ...before, codes: before.codes.filter(one => one.hash !== hash) }))
}

/** @returns the token; undefined where the code is unknown, used or too old */
export async function redeemCode(
  places: Places,
  code: string,
  { now, wall }: Instants,
): Promise<string | undefined> {
  const secret = newSecret()
  const hash = hashOf(code)
  const isKnown = ({ codes }: TokenFile): boolean => codes.some(one => one.hash === hash)
  // Anybody may send codes: only one that is known is worth a lock and a write.
  if (!isKnown(readFile(readJsonFile(tokensFile(places))))) return undefined
  let isRedeemed = false
  await change(places, ({ tokens, codes }) => {
    const found = codes.find(one => one.hash === hash && isYoung(one, now))
    isRedeemed = found !== undefined && !tokens.some(({ name }) => name === found.name)
    const left = codes.filter(one => one !== found && isYoung(one, now))
    if (!found || !isRedeemed) return { tokens, codes: left }
    const { name, scope, by } = found
    const token = { name, scope, ...defined({ by }), hash: hashOf(secret), createdAt: wall }
    return { tokens: [...tokens, token], codes: left }
  })
  return isRedeemed ? secret : undefined
}

/** On a full disk no list of tokens can be written, but a file can be removed. */
function notRevoked(error: unknown): never {
  if (!isLullError(error, 'REFUSED_FILE', 'BAD_PLACE')) throw error
  throw new LullError(
    error.code,
    `${error.message}: the token is still valid. lull serve stop ends the API for all, and needs no room on the disk`,
  )
}

/**
 * Ends a token, and those that it let in: whoever had it may have kept a way back.
 * @returns the names of the others
 * @throws {LullError} USAGE where there is none of that name; REFUSED_FILE, BAD_PLACE, LOCKED where it is still valid
 */
export async function revokeToken(places: Places, name: string): Promise<readonly string[]> {
  let ended: ReadonlySet<Pass> = new Set()
  await change(places, ({ tokens, codes }) => {
    ended = endedWith(name, { tokens, codes })
    const others = <One extends Pass>(all: readonly One[]): readonly One[] =>
      all.filter(one => !ended.has(one))
    return { tokens: others(tokens), codes: others(codes) }
  }).catch(notRevoked)
  if (ended.size === 0)
    throw new LullError('USAGE', `no token is named ${name}: lull serve token list shows them`)
  return [...new Set([...ended].map(one => one.name))].filter(other => other !== name)
}

/** A code has let in nobody, whatever shares its name. */
function endedWith(name: string, { tokens, codes }: TokenFile): ReadonlySet<Pass> {
  const names = letInBy(name, tokens)
  const isEnded = (one: Pass): boolean => one.name === name || (one.by !== undefined && names.has(one.by))
  return new Set([...tokens, ...codes].filter(isEnded))
}

export const listTokens = (places: Places): readonly Token[] =>
  readFile(readPreciousJson(tokensFile(places))).tokens

/** ms */
const seenEveryMs = 60_000

/** The tokens as they are at each request: what another process revokes is gone at once. */
export function tokenStore(places: Places) {
  const file = tokensFile(places)
  const noted = new Map<string, number>()
  let read = ''
  let byHash = new Map<string, Token>()

  function current(): ReadonlyMap<string, Token> {
    const stat = attempt(() => statSync(file, { bigint: true }))
    const version = stat ? `${stat.ino} ${stat.mtimeNs} ${stat.size}` : ''
    if (version !== read) {
      const { tokens } = stat ? readFile(readJsonFile(file)) : { tokens: [] }
      byHash = new Map(tokens.map(token => [token.hash, token]))
      read = version
    }
    return byHash
  }

  return {
    /** The token of that secret, as far as it is valid. */
    find: (secret: string): Token | undefined => current().get(hashOf(secret)),
    isValid: ({ hash }: Token): boolean => current().has(hash),
    /** Notes that it was used; nothing where that can't be written. */
    noteSeen({ hash, seenAt = 0 }: Token, now: number): void {
      if (now - Math.max(seenAt, noted.get(hash) ?? 0) < seenEveryMs) return
      noted.set(hash, now)
      const see = (token: Token): Token => (token.hash === hash ? { ...token, seenAt: now } : token)
      void change(places, before => ({ ...before, tokens: before.tokens.map(see) })).catch(() => undefined)
    },
  }
}

export type TokenStore = ReturnType<typeof tokenStore>
