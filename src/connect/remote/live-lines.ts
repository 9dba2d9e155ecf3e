/** Lines of `/v1/live` as changes for one reader, bounded in what waits for that reader. */
import { createAsyncQueue } from '../../core/async-queue.ts'
import type { Clock } from '../../core/clock.ts'
import { isLullError, type LullError } from '../../core/lull-error.ts'
import { longestAnswer } from '../../os/socket/socket-request.ts'
import type { LiveChange } from '../../sessions/session-source.ts'

/** A host that sends nothing for so many beats is away. */
const mostBeats = 4
/** So many characters wait to be read, or one line: a reader that is slower gets another snapshot instead. */
const mostWaiting = 8 * 1024 * 1024

/** Whole lines: what a cut connection leaves of one is dropped. */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string, void> {
  let rest = ''
  for await (const piece of pieces) {
    rest += piece
    if (rest.length > longestAnswer) throw new Error('a line is too long')
    if (!piece.includes('\n')) continue
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

export type LivePorts = {
  readonly clock: Clock
  readonly beatMs: number
  /** @throws {LullError} where it is no change */
  readonly read: (line: string) => LiveChange
  /** Ends the lines. */
  readonly stop: () => void
}

/** The changes on the lines after the greeting. They end where the lines do, or their beats stop. */
export function changesOn(
  lines: AsyncIterator<string, void>,
  { clock, beatMs, read, stop }: LivePorts,
): AsyncIterableIterator<LiveChange> {
  const changes = waitingChanges(stop)
  const silence = () => clock.at(clock.now() + mostBeats * beatMs, stop)
  let timer = silence()

  async function take(): Promise<void> {
    for (;;) {
      const line = await lines.next()
      if (line.done) return
      timer.cancel()
      timer = silence()
      if (line.value !== '' && !changes.push(read(line.value), line.value.length)) return
    }
  }

  void take()
    .then(
      () => changes.end(),
      error => changes.end(isLullError(error) ? error : undefined),
    )
    .finally(() => {
      timer.cancel()
      stop()
    })
  return changes.values
}

/** For one reader, who gets the changes that were read before an error, and then the error. */
function waitingChanges(onLeave: () => void) {
  const queue = createAsyncQueue<{ readonly change: LiveChange; readonly length: number }>(Infinity, onLeave)
  let waiting = 0
  let failure: LullError | undefined
  const values: AsyncIterableIterator<LiveChange> = {
    async next() {
      const next = await queue.values.next()
      if (!next.done) {
        waiting -= next.value.length
        return { value: next.value.change, done: false }
      }
      if (failure) throw failure
      return { value: undefined, done: true }
    },
    async return() {
      failure = undefined
      await queue.values.return?.()
      return { value: undefined, done: true }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
  return {
    values,
    /** @returns whether there was room for it */
    push(change: LiveChange, length: number): boolean {
      if (waiting > 0 && waiting + length > mostWaiting) return false
      waiting += length
      queue.push({ change, length })
      return true
    },
    end(error?: LullError): void {
      failure = error
      queue.end()
    },
  }
}
