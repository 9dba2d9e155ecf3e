/**
 * A host publishes its history: the store is the outbox, and what it published last is its cursor. While the server is away entries
 * stay where they are; a message whose answer was lost is found again, not sent twice.
 */
import type { Clock } from '../../core/clock.ts'
import { pauseFor } from '../../core/pause-for.ts'
import { openHistory } from '../../history/open-history.ts'
import type { Outbox } from '../../history/outbox.ts'
import type { Places } from '../../os/file/places.ts'
import { type Share, sharedEntry } from '../share/share.ts'
import { secretsRemover } from '../share/without-secrets.ts'
import { type Batch, batchCharacters, batchText, endOfBatch } from './batch.ts'
import { type HistoryStream, NotNext } from './history-stream.ts'

/**
 * Between looks for entries: what is too little for a batch waits for more. A host that is connected is asked itself, so that its
 * published history is needed once it is away. ms
 */
const lookMs = 30_000
/** After a failure. ms */
const againMs = 5000

/** Messages that others put between its own before it waits for the next look. */
const mostOthers = 5

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
      for (let others = 0; others < mostOthers; )
        try {
          if (!(await batches.publishNext())) break
        } catch (error) {
          if (!(error instanceof NotNext)) throw error
          others++
        }
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

/** What is published next, behind what the server has of this host. */
function batchesOf(outbox: Outbox, stream: HistoryStream, host: string, { clock, share }: Around) {
  const withoutSecrets = secretsRemover()
  let cursor: { readonly seq: number; readonly entry: number } | undefined
  let published: number | undefined
  let streamBegun: number | undefined

  /** How far it has come, by what the server has. */
  async function ask(): Promise<NonNullable<typeof cursor>> {
    const begun = await stream.begun()
    const before = begun === streamBegun ? published : undefined
    streamBegun = begun
    const last = await stream.last(host)
    const end = last && endOfBatch(last.text)
    // What this host has not written says nothing of how far it has come.
    if (last && !end) return { seq: last.seq, entry: before ?? 0 }
    // A store that was begun anew is published from its begin.
    if (!end || end.store !== outbox.store()) return { seq: last?.seq ?? 0, entry: 0 }
    // One that was restored from a backup would give its new entries ids that were published already.
    outbox.passOver(end.entry)
    return { seq: last.seq, entry: end.entry }
  }

  /** @returns whether there may be more */
  async function publishNext(): Promise<boolean> {
    cursor ??= await ask()
    published = cursor.entry
    const found = outbox.batch(cursor.entry, batchCharacters)
    const last = found.at(-1)
    const store = outbox.store()
    if (!last || store === undefined) return false
    const batch: Batch = {
      ...{ store, wall: clock.wall() },
      entries: found.map(entry => withoutSecrets(sharedEntry(entry, share))),
    }
    const before = cursor
    cursor = undefined
    const seq = await stream.publish(host, batchText(batch), before.seq)
    cursor = { seq, entry: last.id }
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
