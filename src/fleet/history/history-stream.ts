/** The history of all hosts at the server of a fleet, as hosts write it and viewers read it. */
import { DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { LullError } from '../../core/lull-error.ts'
import { oneLine } from '../../core/text/printable.ts'
import { isCopy } from '../nats/copied-message.ts'
import { answerMs, streamInfo } from '../nats/fleet-streams.ts'
import type { Hub } from '../nats/hub.ts'
import { publishStored, type Stored } from '../nats/publish-stored.ts'
import { histories, historySubject, hostOf } from '../nats/subjects.ts'

export type StreamMessage = {
  readonly seq: number
  readonly host: string
  /** When the server got it, ms since the epoch. */
  readonly at: number
  /** Empty where the host has not written it. */
  readonly text: string
}

/** @throws {LullError} HOST_GONE where the server keeps no streams, or does not let this machine use this one */
export async function openHistoryStream(hub: Hub) {
  const { connection, isUp } = hub
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: answerMs })
  const client = jetstream(connection, { timeout: answerMs })
  const ask = async <T>(what: () => Promise<T>): Promise<T> => {
    try {
      return await what()
    } catch (error) {
      throw new LullError('HOST_GONE', `the history of the fleet: ${oneLine((error as Error).message, 200)}`)
    }
  }
  return {
    isUp,
    /** When the stream began, ms since the epoch; it is made where it is missing. */
    begun: (): Promise<number> =>
      ask(async () => Date.parse((await streamInfo(connection, histories)).created)),
    /** When a host published last, ms since the epoch. */
    lastAt: (host: string): Promise<number | undefined> =>
      ask(async () => {
        const found = await manager.direct.getMessage(histories.name, { last_by_subj: historySubject(host) })
        return found?.time.getTime()
      }),
    /** As `publishStored`. */
    publish: (host: string, text: string, after?: number): Promise<Stored> =>
      ask(() => publishStored(hub, histories, host, text, after)),
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
        const consumer = await client.consumers.get(histories.name, {
          deliver_policy: DeliverPolicy.StartSequence,
          opt_start_seq: after + 1,
        })
        const { created, num_pending: pending } = await consumer.info()
        onBegin(Date.parse(created))
        if (pending === 0) return
        for await (const message of await consumer.consume()) {
          const { seq, subject, info, headers } = message
          const text = isCopy(headers) ? '' : message.string()
          take({ seq, host: hostOf(subject), at: info.timestampNanos / 1e6, text })
          if (info.pending === 0) return
        }
      }),
    /** Takes away what a host published. */
    purge: (host: string): Promise<void> =>
      ask(async () => {
        await manager.streams.purge(histories.name, { filter: historySubject(host) })
      }),
  }
}

export type HistoryStream = Awaited<ReturnType<typeof openHistoryStream>>
