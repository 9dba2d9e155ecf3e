/**
 * A host publishes its history: the store is the outbox, and has a cursor for each stream that it publishes in. While the server is away
 * entries stay where they are. A message whose answer was lost is sent again: who reads it takes each entry once.
 */
import type { Clock } from '../../core/clock.ts'
import { pauseFor } from '../../core/pause-for.ts'
import type { StoredEntry } from '../../history/entry.ts'
import { openHistory } from '../../history/open-history.ts'
import type { Outbox } from '../../history/outbox.ts'
import type { Places } from '../../os/file/places.ts'
import { type Share, sharedEntry } from '../share/share.ts'
import { secretsRemover } from '../share/without-secrets.ts'
import { batchCharacters, batchText, mostEntries } from './batch.ts'
import type { HistoryStream } from './history-stream.ts'

/**
 * Between looks for entries: what is too little for a batch waits for more. A host that is connected is asked itself, so that its
 * published history is needed once it is away. ms
 */
const lookMs = 30_000
/** After a failure. ms */
const againMs = 5000

export type Publisher = {
  /** Entries that were not published yet; undefined before the server was asked. */
  left(): number | undefined
  /** The server is back: what it has not is published now. */
  look(): void
  /** Resolves once all that is there now was published, or could not be. */
  close(): Promise<void>
}

type Around = {
  readonly places: Places
  readonly clock: Clock
  readonly share: Share
  readonly complain: (sentence: string) => void
}

/** @param host the name of this one */
export function publishHistory(stream: HistoryStream, host: string, around: Around): Publisher {
  const { places, clock, complain } = around
  const history = openHistory(places)
  const batches = batchesOf(history.outbox, stream, host, around)
  const stop = new AbortController()
  let hasComplained = false
  let nap = new AbortController()

  /** @returns when to look again, ms */
  async function publishAll(): Promise<number> {
    // Its return is a reason to look.
    if (!stream.isUp()) return lookMs
    try {
      while (await batches.publishNext());
      hasComplained = false
      return lookMs
    } catch (error) {
      if (!hasComplained) complain(`the history is not published now: ${(error as Error).message}`)
      hasComplained = true
      return againMs
    }
  }

  const over = (async () => {
    while (!stop.signal.aborted) {
      nap = new AbortController()
      await pauseFor(clock, await publishAll(), AbortSignal.any([stop.signal, nap.signal]))
    }
    await publishAll()
    history.close()
  })()

  return {
    left: batches.left,
    look() {
      // It may have lost its disk.
      batches.askAgain()
      nap.abort()
    },
    close() {
      stop.abort()
      return over
    },
  }
}

type PublishCursor = {
  /** Of the outbox. */
  readonly name: string
  /** What the last message ends with, and its number. */
  readonly entry: number
  readonly seq: number
}

/** What is published next, behind what the server has of this host. */
function batchesOf(outbox: Outbox, stream: HistoryStream, host: string, { clock, share }: Around) {
  const withoutSecrets = secretsRemover()
  let cursor: PublishCursor | undefined
  let published: number | undefined

  const textOf = (entries: readonly StoredEntry[]): string =>
    batchText({ store: outbox.store() ?? '', wall: clock.wall(), entries })

  function move(to: PublishCursor): PublishCursor {
    outbox.move(to.name, { entry: to.entry, stopped: String(to.seq) })
    cursor = to
    published = to.entry
    return to
  }

  /** How far it has come: an empty batch tells what the server had of this host before. */
  async function ask(): Promise<PublishCursor> {
    const { made, before, seq } = await stream.publish(host, textOf([]))
    // A stream that was made anew has nothing yet.
    const name = `published in ${made}`
    outbox.begin(name, 'oldest')
    const { entry, stopped = '0' } = outbox.cursor(name) ?? { entry: 0 }
    const known = Number(stopped)
    // It has more than this host knows of: an answer was lost, or the host's store was restored from a backup. That one would give its
    // new entries ids that were published already.
    if (before > known) outbox.passOver(entry + (before - known) * mostEntries)
    // It has less: it was purged, or restored from a backup.
    return move({ name, seq, entry: before < known ? 0 : entry })
  }

  /** @returns whether there may be more */
  async function publishNext(): Promise<boolean> {
    const before = cursor ?? (await ask())
    const found = outbox.batch(before.entry, batchCharacters)
    const last = found.at(-1)
    if (!last) return false
    const text = textOf(found.map(entry => withoutSecrets(sharedEntry(entry, share))))
    cursor = undefined
    const { seq } = await stream.publish(host, text, before.seq)
    move({ ...before, seq, entry: last.id })
    return true
  }

  return {
    publishNext,
    /** Nothing is known of what the server has. */
    askAgain(): void {
      cursor = undefined
    },
    left: () => (published === undefined ? undefined : outbox.countAfter(undefined, published)),
  }
}
