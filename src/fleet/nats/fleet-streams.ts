/**
 * What the server of a fleet keeps: two streams of JetStream with a subject for each host, to which that host alone may publish.
 *
 * They answer nobody (`no_ack`): a server sends its answer to any subject that is named for it, even one to which the asker may not publish,
 * and takes it there as a message, or as a request. So a host could overwrite the note of another one, or have the streams deleted. What was
 * stored the server tells on a subject of that host (`storedSubject`). For the same reason the key of a host asks for nothing of JetStream.
 */
import { randomBytes } from 'node:crypto'
import {
  DiscardPolicy,
  JetStreamApiError,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamInfo,
} from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { type FleetStream, storedSubject } from './subjects.ts'

/** ms */
export const answerMs = 5000

/** @returns the stream, made where it is missing. @throws where the server keeps no streams, or this key may not make it */
export async function streamInfo(
  connection: NatsConnection,
  { name, subject, most }: FleetStream,
): Promise<StreamInfo> {
  const { streams } = await jetstreamManager(connection, { checkAPI: false, timeout: answerMs })
  const isError = (error: unknown, code: number): boolean =>
    error instanceof JetStreamApiError && error.code === code
  return streams.info(name).catch(error => {
    if (!isError(error, noStream)) throw error
    return streams
      .add({
        ...{ name, subjects: [subject('*')], storage: StorageType.File },
        ...{ retention: RetentionPolicy.Limits, discard: DiscardPolicy.Old, allow_direct: true },
        ...{ max_msgs_per_subject: most.messages, max_msg_size: most.bytes },
        max_age: (most.days ?? 0) * 24 * 3600 * 1e9,
        no_ack: true,
        republish: {
          src: subject('*'),
          dest: storedSubject('{{wildcard(1)}}', randomBytes(8).toString('hex')),
          headers_only: true,
        },
        // Ids of messages are not used, and who sends many would fill the memory of the server.
        duplicate_window: 100 * 1e6,
      })
      .catch(error => {
        if (!isError(error, isThere)) throw error
        // Another machine has made it meanwhile.
        return streams.info(name)
      })
  })
}

/** https://github.com/nats-io/nats-server/blob/main/server/errors.json */
const noStream = 10_059
const isThere = 10_058
