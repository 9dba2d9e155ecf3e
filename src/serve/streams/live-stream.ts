/** `GET /v1/live?follow=true`: whole sessions as lines of JSON, for a library on another machine. */
import type { Instant } from '../../core/state.ts'
import type { LiveChange } from '../../sessions/session-source.ts'
import type { StreamPorts } from './event-stream.ts'

/** An empty line comes at least so often. ms */
export const beatMs = 2000

export const liveLine = (value: object): string => `${JSON.stringify(value)}\n`

export type LiveOptions = {
  /** Made when it is sent: it has the instant of that, and the one from which on there are changes. */
  readonly greeting: (from: Instant) => object
  readonly isAllowed: () => boolean
  /** A change as it is sent. */
  readonly message: (change: LiveChange) => object
}

/**
 * Resolves once the client has left, may not listen any more, or the changes have ended.
 * @param from before they were asked for
 */
export async function streamLive(
  changes: AsyncIterableIterator<LiveChange>,
  from: Instant,
  { greeting, isAllowed, message }: LiveOptions,
  { write, signal }: StreamPorts,
): Promise<void> {
  let came: IteratorResult<LiveChange> | undefined
  let wake = (): void => undefined
  const take = async (): Promise<void> => {
    came = await changes.next().catch(() => ({ done: true as const, value: undefined }))
    wake()
  }
  const leave = (): void => void changes.return?.()
  signal.addEventListener('abort', leave)
  try {
    // Whoever reads the greeting knows that each change from then on follows.
    await take()
    await write(liveLine(greeting(from)))
    while (!signal.aborted && isAllowed()) {
      if (!came) await beatOr(call => (wake = call))
      if (!came) {
        await write('\n')
        continue
      }
      if (came.done) return
      const { value } = came
      came = undefined
      void take()
      await write(liveLine(message(value)))
    }
  } finally {
    signal.removeEventListener('abort', leave)
    leave()
  }
}

/** Resolves when it is called, or a beat is due. */
const beatOr = (give: (call: () => void) => void): Promise<void> =>
  new Promise(resolve => {
    const timer = setTimeout(resolve, beatMs)
    give(() => {
      clearTimeout(timer)
      resolve()
    })
  })
