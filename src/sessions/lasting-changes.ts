/** Session changes that outlast their source: where it ends (a killed host), they go on from another one. */
import { LullError } from '../core/lull-error.ts'
import type { LiveChange, SessionSource } from './session-source.ts'

export type LastingChanges = {
  /** The next change; a second snapshot is another source's. Undefined once closed. */
  next(): Promise<LiveChange | undefined>
  /** Where the changes come from at present. */
  source(): SessionSource
  close(): Promise<void>
}

/**
 * Registered once the promise resolves. The sources stay the caller's, who closes them.
 * @param reconnect asked for another source, once
 * @throws {LullError} SOURCE_GONE from `next`, where the other one ends too
 */
export async function lastingChanges(
  first: SessionSource,
  reconnect: () => Promise<SessionSource>,
): Promise<LastingChanges> {
  let source = first
  let isClosed = false
  let isSecond = false

  async function another(): Promise<AsyncIterableIterator<LiveChange>> {
    if (isSecond)
      throw new LullError('SOURCE_GONE', 'the sessions can’t be watched any more: their source ended twice')
    isSecond = true
    source = await reconnect()
    return source.changes()
  }

  let changes = await source.changes().catch(another)
  return {
    async next() {
      for (;;) {
        const next = await changes.next()
        if (!next.done) return next.value
        if (isClosed) return undefined
        changes = await another()
      }
    },
    source: () => source,
    async close() {
      isClosed = true
      await changes.return?.()
    },
  }
}
