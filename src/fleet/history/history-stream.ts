/**
 * The history of all hosts at the server of a fleet: a stream of JetStream with a subject for each host, to which that host alone may
 * publish. Its last message is the host's cursor, so that a server which has lost its disk gets all again that its hosts still keep.
 */
import {
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream'
import { LullError } from '../../core/lull-error.ts'
import { oneLine } from '../../core/text/printable.ts'
import { isCopy } from '../nats/copied-message.ts'
import type { Hub } from '../nats/hub.ts'
import { historyStream, historySubject, hostOfHistory } from '../nats/subjects.ts'

/**
 * What a host may leave: so many messages, and bytes of each. A host sends at most one that is not full in half a minute
 * (`publish-history.ts`): a month of days of eight hours has room.
 */
const kept = { messages: 30_000, bytes: 64 * 1024, days: 30 }

/** ms */
const answerMs = 5000

export type StreamMessage = {
  readonly seq: number
  readonly host: string
  /** When the server got it, ms since the epoch. */
  readonly at: number
  /** Empty where the host has not written it. */
  readonly text: string
}

/** Another message of this host came before: what was published last has to be asked for again. */
export class NotNext extends Error {}

/** @throws {LullError} HOST_GONE where the server keeps no streams, or does not let this machine use this one */
export async function openHistoryStream({ connection, isUp }: Hub) {
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: answerMs })
  const client = jetstream(connection, { timeout: answerMs })
  const ask = async <T>(what: () => Promise<T>): Promise<T> => {
    try {
      return await what()
    } catch (error) {
      if (error instanceof NotNext) throw error
      throw new LullError('HOST_GONE', `the history of the fleet: ${oneLine((error as Error).message, 200)}`)
    }
  }
  const isMissing = (error: unknown): boolean => error instanceof JetStreamApiError && error.code === noStream

  /** When the stream began, ms since the epoch; it is made where it is missing. */
  const begun = (): Promise<number> =>
    ask(async () => {
      const info = await manager.streams.info(historyStream).catch(async error => {
        if (!isMissing(error)) throw error
        return manager.streams.add({
          ...{ name: historyStream, subjects: [historySubject('*')], storage: StorageType.File },
          ...{ retention: RetentionPolicy.Limits, discard: DiscardPolicy.Old, allow_direct: true },
          ...{ max_msgs_per_subject: kept.messages, max_msg_size: kept.bytes },
          max_age: kept.days * 24 * 3600 * 1e9,
        })
      })
      return Date.parse(info.created)
    })

  /** The last message of a host. */
  const last = (host: string): Promise<StreamMessage | undefined> =>
    ask(async () => {
      const found = await manager.direct.getMessage(historyStream, { last_by_subj: historySubject(host) })
      if (!found) return undefined
      // What is asked for so is a copy: one that was stored as a copy says so twice.
      const isOwn = found.header.values('Nats-Stream').length < 2
      return { seq: found.seq, host, at: found.time.getTime(), text: isOwn ? found.string() : '' }
    })

  return {
    ...{ isUp, begun, last },
    /**
     * @param after the number of this host's last message, 0 where it has none
     * @returns its own number
     * @throws {NotNext} where another one came after that: nothing was published
     */
    publish: (host: string, text: string, after: number): Promise<number> =>
      ask(async () => {
        try {
          const { seq } = await client.publish(historySubject(host), text, {
            expect: { lastSubjectSequence: after },
            timeout: answerMs,
          })
          return seq
        } catch (error) {
          if (error instanceof JetStreamApiError && error.code === wrongLast) throw new NotNext()
          throw error
        }
      }),
    /**
     * Each message after one, in their order, until none is left.
     * @param onBegin called first with the server's clock, ms since the epoch
     */
    read: (
      after: number,
      onBegin: (now: number) => void,
      take: (message: StreamMessage) => void,
    ): Promise<void> =>
      ask(async () => {
        const consumer = await client.consumers.get(historyStream, {
          deliver_policy: DeliverPolicy.StartSequence,
          opt_start_seq: after + 1,
        })
        const { created, num_pending: pending } = await consumer.info()
        onBegin(Date.parse(created))
        if (pending === 0) return
        for await (const message of await consumer.consume()) {
          const { seq, subject, info, headers } = message
          const text = isCopy(headers) ? '' : message.string()
          take({ seq, host: hostOfHistory(subject), at: info.timestampNanos / 1e6, text })
          if (info.pending === 0) return
        }
      }),
    /** Takes away what a host published. */
    purge: (host: string): Promise<void> =>
      ask(async () => {
        await manager.streams.purge(historyStream, { filter: historySubject(host) })
      }),
  }
}

export type HistoryStream = Awaited<ReturnType<typeof openHistoryStream>>

/** https://github.com/nats-io/nats-server/blob/main/server/errors.json */
const noStream = 10_059
const wrongLast = 10_071
