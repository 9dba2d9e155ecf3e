/** The source behind a connection over HTTP: one host, which may be away for a while. Nothing takes its place. */
import type { Clock } from '../../core/clock.ts'
import { defined } from '../../core/defined.ts'
import { LullError } from '../../core/lull-error.ts'
import type { Instant } from '../../core/state.ts'
import { lastingChanges } from '../../sessions/wait/lasting-changes.ts'
import type { Following, FollowOptions, LastingSource } from '../lasting-source.ts'
import type { ApiClient } from './api-client.ts'
import type { RemoteSource } from './remote-source.ts'

/** A host that ends its streams at once, again and again, is not asked at once again. ms */
const shortMs = 1000

export function remoteLasting(source: RemoteSource, api: ApiClient, clock: Clock): LastingSource {
  const following = new Set<() => Promise<void>>()

  async function follow({ patience, signal }: FollowOptions = {}): Promise<Following> {
    const stop = new AbortController()
    const ends = signal ? AbortSignal.any([stop.signal, signal]) : stop.signal
    let away: string | undefined
    let failed: unknown
    let openedAt: Instant | undefined
    let registeredAt: Instant | undefined

    const onAway = (error: LullError): void => {
      away = error.message
    }

    async function open() {
      if (openedAt !== undefined && clock.now() - openedAt < shortMs) await api.pause(shortMs, ends)
      const isFirst = openedAt === undefined
      const most = isFirst ? patience : Number.POSITIVE_INFINITY
      const options = { patience: most, signal: ends, onAway }
      const opened = await api.retrying(() => source.follow(stop.signal), options)
      openedAt = clock.now()
      registeredAt ??= opened.registeredAt
      away = undefined
      return opened.changes
    }

    const oneHost = {
      ...source,
      changes: () =>
        open().catch(error => {
          failed = error
          throw error
        }),
    }
    const abort = () => stop.abort(new LullError('CLOSED', 'this connection was closed'))
    following.add(leave)
    const begun = lastingChanges(oneHost, async () => {
      if (openedAt === undefined) throw failed
      away = `${api.who} ended the stream of its sessions`
      return oneHost
    })
    begun.catch(() => following.delete(leave))

    async function leave(): Promise<void> {
      following.delete(leave)
      // Whoever reads them comes to their end, not to an error: they are closed before their stream is.
      const closing = openedAt === undefined ? undefined : begun.then(changes => changes.close())
      await closing
      abort()
    }

    const changes = await begun
    const next = () =>
      changes.next().catch(error => {
        if (stop.signal.aborted) return undefined
        throw error
      })
    return { changes: { ...changes, next }, leave, whyAway: () => away, ...defined({ registeredAt }) }
  }

  return {
    ask: question => question(source),
    follow,
    async close() {
      await Promise.all([...following].map(leave => leave()))
      await source.close()
    },
  }
}
