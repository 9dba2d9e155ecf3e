/** `lull serve token add|list|revoke`: who may use the API. */
import { renderUnicodeCompact } from 'uqr'
import { defined } from '../../../core/defined.ts'
import { LullError } from '../../../core/lull-error.ts'
import { printable } from '../../../core/text/printable.ts'
import { placesOf, realClock } from '../../../index.ts'
import { newDeviceLink } from '../../../serve/browser/device-link.ts'
import { askDoor } from '../../../serve/doors/ask-door.ts'
import { readSettings } from '../../../serve/kept-settings.ts'
import { isLoopback } from '../../../serve/settings.ts'
import { addToken, listTokens, revokeToken, scopes, type TokenScope } from '../../../serve/tokens.ts'
import { jsonLine, lines, onNotice, print } from '../../ui/print.ts'

type Flags = { readonly scope?: string; readonly qr?: boolean; readonly json?: boolean }

export async function tokenAddCommand(
  name: string,
  { scope: word = 'read', qr, json }: Flags,
): Promise<void> {
  const places = placesOf()
  const scope = scopeOf(word)
  if (!qr) {
    const token = await addToken(places, name, scope, { now: realClock().now(), wall: Date.now() })
    print(json ? jsonLine({ name, scope, token }) : lines(printable(token)))
    if (!json) onNotice(`token ${name} may ${mayDo[scope]}; it is not shown again`)
    return
  }
  const settings = readSettings(places)
  if (!settings) throw new LullError('USAGE', 'the API is not served: lull serve first')
  const url = await newDeviceLink(places, settings, { name, scope }, realClock().now())
  if (json) {
    print(jsonLine({ name, scope, url }))
    return
  }
  print(lines(...renderUnicodeCompact(url).split('\n'), printable(url)))
  onNotice(`the link works once, for a minute; the browser that opens it may ${mayDo[scope]}`)
  if (isLoopback(settings.listen) && settings.proxy === undefined)
    onNotice('only this machine can open it: for a phone, see lull serve --listen and --behind-proxy')
}

const mayDo: Readonly<Record<TokenScope, string>> = { read: 'read', act: 'read and act' }

function scopeOf(word: string): TokenScope {
  const scope = scopes.find(one => one === word)
  if (scope === undefined) throw new LullError('USAGE', `--scope ${word}: must be read or act`)
  return scope
}

export function tokenListCommand({ json }: Flags): void {
  const tokens = listTokens(placesOf())
  const iso = (at: number): string => new Date(at).toISOString()
  if (json) {
    for (const { name, scope, by, createdAt, seenAt } of tokens)
      print(
        jsonLine({
          name,
          scope,
          ...defined({ by }),
          created: iso(createdAt),
          ...(seenAt === undefined ? {} : { seen: iso(seenAt) }),
        }),
      )
    return
  }
  if (tokens.length === 0) print(lines('no tokens: lull serve token add NAME makes one'))
  for (const { name, scope, by, createdAt, seenAt } of tokens)
    print(
      lines(
        printable(
          `${name.padEnd(20)}  ${scope.padEnd(4)}  made ${iso(createdAt)}${by === undefined ? '' : ` by ${by}`}  ${seenAt === undefined ? 'never used' : `used ${iso(seenAt)}`}`,
        ),
      ),
    )
}

export async function tokenRevokeCommand(name: string, { json }: Flags): Promise<void> {
  const places = placesOf()
  const also = await revokeToken(places, name)
  // What it has open ends now; a host that can't be asked ends it at the next event or beat.
  await askDoor(places).catch(() => undefined)
  const others = also.length === 0 ? '' : `, and what it had let in: ${also.join(', ')}`
  print(json ? jsonLine({ revoked: name, also }) : lines(printable(`revoked ${name}${others}`)))
}
