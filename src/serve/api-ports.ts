/** What the operations of the API work with, and how many may use it at one time. */
import type { Lull } from '../connect/connect.ts'
import type { Clock } from '../core/clock.ts'
import type { HostStatus } from '../host/host-app.ts'
import type { Places } from '../os/file/places.ts'
import type { ActionBook } from './api-actions.ts'
import type { Feed } from './feed.ts'
import type { ServeSettings } from './settings.ts'
import type { Token, TokenStore } from './tokens.ts'

/** An open event stream: whose it is, and how it is ended. */
export type OpenStream = { readonly token: Token; end(): void }

export type ApiPorts = {
  readonly lull: Lull
  readonly feed: Feed
  readonly actions: ActionBook
  readonly tokens: TokenStore
  readonly streams: Set<OpenStream>
  readonly limits: ReturnType<typeof newLimits>
  readonly settings: ServeSettings
  /** The values of `Host` that are let in. */
  readonly hosts: ReadonlySet<string>
  readonly places: Places
  readonly clock: Clock
  readonly version: string
  status(): Promise<HostStatus>
  complain(sentence: string): void
}

/** So many may wait, or listen, at one time. @returns of each the function that is called at its end */
export function newLimits({ waits = 500, streams = 500 } = {}) {
  const counts = { waits: 0, streams: 0 }
  const enter = (what: keyof typeof counts, most: number) => {
    if (counts[what] >= most) throw new TooMany(`${most} clients have open ${what}: try again later`)
    counts[what]++
    let isLeft = false
    return (): void => {
      if (!isLeft) counts[what]--
      isLeft = true
    }
  }
  return { enterWait: () => enter('waits', waits), enterStream: () => enter('streams', streams) }
}

export class TooMany extends Error {}
