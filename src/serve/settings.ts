/** What `lull serve` may be asked for. Pure. */
import { LullError } from '../core/lull-error.ts'

export type ServeSettings = {
  readonly port: number
  /** The address that it listens on. */
  readonly listen: string
  /** Actions are refused, whatever a token allows. */
  readonly readOnly: boolean
  /** PEM files, both or none. */
  readonly cert?: string
  readonly key?: string
  /** The name by which a reverse proxy, which ends TLS, is reached. */
  readonly proxy?: string
  /** The folder of recordings; lull's own by default. */
  readonly recordings?: string
  /** Boxes, or groups of them, whose sessions are served as well. */
  readonly on?: readonly string[]
}

export const usualPort = 4770

export const isLoopback = (address: string): boolean => /^(127(\.\d{1,3}){3}|::1|localhost)$/.test(address)

const isAddress = (text: string): boolean =>
  text.includes(':')
    ? URL.canParse(`http://[${text}]`)
    : /^\d{1,3}(\.\d{1,3}){3}$/.test(text) && text.split('.').every(part => Number(part) < 256)

/** @throws {LullError} USAGE where the API would be open to others without TLS, or a value is not allowed */
export function checkSettings(settings: ServeSettings): ServeSettings {
  const { port, listen, cert, key, proxy, on } = settings
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new LullError('USAGE', `--port ${port}: must be a port number from 1 to 65535`)
  if (listen !== 'localhost' && !isAddress(listen))
    throw new LullError(
      'USAGE',
      `--listen ${listen}: must be an IP address of this machine, such as 127.0.0.1`,
    )
  if ((cert === undefined) !== (key === undefined))
    throw new LullError('USAGE', '--tls-cert and --tls-key belong together; give both')
  if (proxy !== undefined && !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/i.test(proxy))
    throw new LullError('USAGE', `--behind-proxy ${proxy}: must be a host name, such as box.example.org`)
  if (!isLoopback(listen) && cert === undefined && proxy === undefined)
    throw new LullError(
      'USAGE',
      `--listen ${listen} is reached from other machines; add --tls-cert FILE and --tls-key FILE, or --behind-proxy HOST`,
    )
  if (on?.length === 0)
    throw new LullError('USAGE', '--on names no box: give one or more, like --on box1,box2')
  return settings
}

/** The beginning of each URL of the API. */
export function baseUrl({ listen, port, cert, proxy }: ServeSettings): string {
  if (proxy !== undefined) return `https://${proxy}`
  const host = listen.includes(':') ? `[${listen}]` : listen
  return `${cert === undefined ? 'http' : 'https'}://${host}:${port}`
}
