/** The URL and the token of a host that `lull serve` serves. Pure. */
import { LullError } from '../../core/lull-error.ts'
import { oneLine } from '../../core/text/printable.ts'

export type RemoteHost = {
  /** Without the slash at its end. */
  readonly base: string
  readonly token: string
  /** How it is named to people, where that is not its URL. */
  readonly name?: string
}

const refuse = (why: string): LullError => new LullError('USAGE', `connect: ${why}`)

/** @throws {LullError} USAGE where the token would be readable on its way, or a value is not allowed */
export function readRemote(url: string, token: string | undefined): RemoteHost {
  const shown = oneLine(url, 200)
  if (!URL.canParse(url) || !/^https?:/i.test(url))
    throw refuse(`url ${shown} must be an address like https://box.example.org:4770`)
  const { protocol, hostname, username, password, search, hash, origin, pathname } = new URL(url)
  if (username !== '' || password !== '')
    throw refuse('url must not have a user or password: give the token as token, or in LULL_TOKEN')
  if (search !== '' || hash !== '')
    throw refuse(`url ${shown} must end with the host or a path, without ? or #`)
  if (protocol === 'http:' && !isLoopbackName(hostname))
    throw refuse(
      `url ${shown} would send the token unencrypted: use https, or http over an SSH tunnel to 127.0.0.1`,
    )
  if (token === undefined || token === '')
    throw refuse('url needs a token: give token, or set LULL_TOKEN (lull serve token add NAME makes one)')
  // It may be a secret with a typing mistake: it is not shown.
  if (!/^[\x21-\x7e]{1,500}$/.test(token)) throw refuse('token must be printable ASCII without blanks')
  return { base: `${origin}${pathname.replace(/\/$/, '')}`, token }
}

/** @param hostname as `URL` has it */
const isLoopbackName = (hostname: string): boolean => /^(127(\.\d{1,3}){3}|\[::1\]|localhost)$/.test(hostname)
