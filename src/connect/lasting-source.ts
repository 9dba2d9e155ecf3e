/** The source of a connection: opened with the first question, and replaced once where the host that it was ends. */
import { type LastingChanges, lastingChanges } from '../sessions/lasting-changes.ts'
import type { SessionSource } from '../sessions/session-source.ts'
import type { SourceOptions } from './open-source.ts'

export type LastingSource = {
  source(): Promise<SessionSource>
  /** Registered once the promise resolves. */
  follow(): Promise<{ readonly changes: LastingChanges; leave(): Promise<void> }>
  close(): Promise<void>
}

export function lastingSource(options: SourceOptions): LastingSource {
  const following = new Set<LastingChanges>()
  let opened: Promise<SessionSource> | undefined
  let reopened: Promise<SessionSource> | undefined

  /** Loaded with the first question: a terminal that is no session's is driven without. */
  async function open(): Promise<SessionSource> {
    const { openSource } = await import('./open-source.ts')
    return openSource(options)
  }

  function source(): Promise<SessionSource> {
    opened ??= open()
    return opened
  }

  /** Whoever notices first: one source takes the place for all. */
  function reconnect(): Promise<SessionSource> {
    reopened ??= (async () => {
      options.onNotice?.('the host is gone; looking for myself from here on')
      await (await source()).close()
      opened = open()
      return opened
    })()
    return reopened
  }

  async function leave(changes: LastingChanges): Promise<void> {
    following.delete(changes)
    await changes.close()
  }

  return {
    source,
    async follow() {
      const changes = await lastingChanges(await source(), reconnect)
      following.add(changes)
      return { changes, leave: () => leave(changes) }
    },
    async close() {
      await Promise.all([...following].map(leave))
      const last = await opened?.catch(() => undefined)
      await last?.close()
    },
  }
}
