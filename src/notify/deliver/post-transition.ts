/** One transition to its webhook: signed, so that the receiver knows who sent it, and when. */
import { createHmac } from 'node:crypto'
import { oneLine } from '../../core/text/printable.ts'
import type { Env } from '../../os/file/places.ts'
import { readOwnText } from '../../os/file/plain-file.ts'
import type { SecretPlace, TransitionsHook } from '../rules/destination-fields.ts'
import type { SessionTransition } from '../transitions/transition.ts'
import type { Delivery } from './delivery.ts'
import { request } from './request.ts'

export type TransitionAround = {
  readonly env: Env
  /** How often it is sent with this one. */
  readonly attempt: number
  /** ms since the epoch. */
  readonly wall: number
  readonly signal?: AbortSignal
}

export async function postTransition(
  { url, secret: place, tokenFile }: TransitionsHook,
  transition: SessionTransition,
  { env, attempt, wall, signal }: TransitionAround,
): Promise<Delivery> {
  // Read each time: another secret counts at once.
  const secret = secretAt(place, env)
  if (typeof secret === 'object') return { is: 'failed', why: secret.why }
  const body = JSON.stringify(transition)
  return request(url, body, {
    tokenFile,
    signal,
    secret,
    headers: {
      'lull-id': transition.id,
      'lull-attempt': String(attempt),
      'lull-signature': signatureOf(body, secret, wall),
    },
  })
}

/** `t=SECONDS,v1=HEX`: the HMAC-SHA256 of `SECONDS.BODY`, so that an old request can't be sent once more as a new one. */
export function signatureOf(body: string, secret: string, wall: number): string {
  const time = Math.floor(wall / 1000)
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`
}

const longestSecret = 4096
/** Characters. A shorter one can be guessed from one signature. */
const shortestSecret = 16

/** @returns the secret, or a clause that does not have it */
export function secretAt(place: SecretPlace, env: Env): string | { readonly why: string } {
  const where = 'variable' in place ? `$${place.variable}` : oneLine(place.file, 200)
  const found = 'variable' in place ? env[place.variable] : textOf(place.file)
  if (typeof found === 'object') return { why: `its secret can’t be read: ${oneLine(found.wrong, 300)}` }
  if (found === undefined)
    return { why: `its secret is missing: ${where} is not ${'variable' in place ? 'set' : 'there'}` }
  const secret = found.trim()
  return secret.length < shortestSecret
    ? { why: `${where} is too short: a secret has at least ${shortestSecret} characters` }
    : secret
}

function textOf(file: string): string | undefined | { readonly wrong: string } {
  const read = readOwnText(file, longestSecret, { isPrivate: true })
  return read && 'text' in read ? read.text : read
}
