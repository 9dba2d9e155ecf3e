/** The changes of a source, which go on from another one where it ends. */
import { LullError } from '../../core/lull-error.ts'
import type { LiveChange, SessionSource } from '../session-source.ts'

export type LastingChanges = {
  /** The next change; another snapshot is another source's. Undefined once closed. */
  next(): Promise<LiveChange | undefined>
  /** Where the changes come from at present. */
  source(): SessionSource
  /** Goes on from another source, which is registered once the promise resolves. */
  moveTo(source: SessionSource): Promise<void>
  close(): Promise<void>
}

/**
 * Registered once the promise resolves. The sources stay the caller's, who closes them.
 * @param reconnect asked for another source where a host is gone
 * @throws {LullError} SOURCE_GONE from `next`, where a source ends that is no host
 */
export async function lastingChanges(
  first: SessionSource,
  reconnect: (gone: SessionSource) => Promise<SessionSource>,
): Promise<LastingChanges> {
  let source = first
  let isClosed = false

  async function another(): Promise<AsyncIterableIterator<LiveChange>> {
    if (source.via === 'own')
      throw new LullError('SOURCE_GONE', 'the sessions can’t be watched any more: their source has ended')
    source = await reconnect(source)
    return source.changes()
  }

  let changes = await source.changes().catch(another)
  return {
    async next() {
      for (;;) {
        const current = changes
        const next = await current.next()
        if (!next.done) return next.value
        if (isClosed) return undefined
        if (changes === current) changes = await another()
      }
    },
    source: () => source,
    async moveTo(to) {
      const before = changes
      changes = await to.changes()
      source = to
      await before.return?.()
    },
    async close() {
      isClosed = true
      await changes.return?.()
    },
  }
}
