/**
 * The session source behind a connection: opened on first use. A host that ends or does not answer any more is replaced by
 * what this process finds itself, until a host answers again.
 */
import { isLullError } from '../core/lull-error.ts'
import type { Instant } from '../core/state.ts'
import type { SessionSource } from '../sessions/session-source.ts'
import { type LastingChanges, lastingChanges } from '../sessions/wait/lasting-changes.ts'
import type { SourceOptions } from './open-source.ts'

/** ms */
const lookForHostMs = 2000

/** Loaded with the first question: a terminal that is no session's is driven without. */
const opener = () => import('./open-source.ts')

async function open(options: SourceOptions, onMute: () => void): Promise<SessionSource> {
  const { hostSource, ownSource } = await opener()
  return (await hostSource(options, onMute)) ?? ownSource()
}

/** Of a source that may be away for a while: a host on another machine. */
export type FollowOptions = {
  /** How long it may be away before it was there once, ms. */
  readonly patience?: number | undefined
  readonly signal?: AbortSignal
}

export type Following = {
  readonly changes: LastingChanges
  leave(): Promise<void>
  /** What began after this instant is a change; now, where not given. */
  readonly registeredAt?: Instant
  /** Why nothing is known at present; undefined where the source answers. */
  whyAway?(): string | undefined
}

export type LastingSource = {
  /** Asks the source that is there; where that is a host that is gone, another. */
  ask<T>(question: (source: SessionSource) => Promise<T>): Promise<T>
  /** Registered once the promise resolves. */
  follow(options?: FollowOptions): Promise<Following>
  close(): Promise<void>
}

/** One that lasts as long as this process does: the host's own. It stays open. */
export const ownLastingSource = (source: SessionSource): LastingSource => ({
  ask: question => question(source),
  async follow() {
    const changes = await lastingChanges(source, async () => source)
    return { changes, leave: () => changes.close() }
  },
  close: async () => undefined,
})

export function lastingSource(options: SourceOptions): LastingSource {
  const following = new Set<LastingChanges>()
  let opened: Promise<SessionSource> | undefined
  let replaced: { readonly host: SessionSource; readonly by: Promise<SessionSource> } | undefined
  let returning: NodeJS.Timeout | undefined
  let isClosed = false
  let startsHost = false

  function source(): Promise<SessionSource> {
    opened ??= open(options, () => returnLater(false))
    return opened
  }

  /** Whoever notices first: one source takes the place for all. */
  function reconnect(host: SessionSource): Promise<SessionSource> {
    if (replaced?.host === host) return replaced.by
    options.onNotice?.('the host is gone; looking for myself from here on')
    const by = opener().then(({ ownSource }) => ownSource())
    replaced = { host, by }
    opened = by
    startsHost = options.startsHost === true
    void host.close()
    returnLater(false)
    return by
  }

  /** @param hasAnswered one that was stopped until now knows only what was so before: it is asked once more */
  function returnLater(hasAnswered: boolean): void {
    if (!isClosed)
      returning = setTimeout(
        () => void returnToHost(hasAnswered).catch(() => returnLater(false)),
        lookForHostMs,
      )
  }

  async function returnToHost(hasAnswered: boolean): Promise<void> {
    // Once: one that ends again and again is not started again and again.
    const host = await (await opener()).hostSource({ startsHost })
    startsHost = false
    if (!host || !hasAnswered || isClosed) return returnLater(host !== undefined)
    const own = await source()
    await Promise.all([...following].map(changes => changes.moveTo(host)))
    opened = Promise.resolve(host)
    options.onNotice?.('the host answers again')
    await own.close()
  }

  async function leave(changes: LastingChanges): Promise<void> {
    following.delete(changes)
    await changes.close()
  }

  return {
    async ask<T>(question: (source: SessionSource) => Promise<T>): Promise<T> {
      const asked = await source()
      try {
        return await question(asked)
      } catch (error) {
        if (asked.via === 'own' || !isLullError(error, 'HOST_GONE')) throw error
        return question(await reconnect(asked))
      }
    },
    async follow() {
      const changes = await lastingChanges(await source(), reconnect)
      following.add(changes)
      return { changes, leave: () => leave(changes) }
    },
    async close(): Promise<void> {
      isClosed = true
      clearTimeout(returning)
      await Promise.all([...following].map(leave))
      const last = await opened?.catch(() => undefined)
      await last?.close()
    },
  }
}
