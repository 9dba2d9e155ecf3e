/** The names of the hosts that have joined a fleet, as its server keeps them, and what changes of them. */
import { DeliverPolicy, type JsMsg, jetstream } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { isBoxName } from '../box-address.ts'
import { isCopy } from './copied-message.ts'
import { hostsBucket } from './subjects.ts'

export type HostChange = {
  readonly name: string
  readonly isThere: boolean
  /** How long ago its host said that it is there, ms by the clock of the server. */
  readonly ago: number
}

/** What stands where a name was removed (https://docs.nats.io/nats-concepts/jetstream/key-value-store). */
const isRemoved = (operation: string | undefined): boolean => operation === 'DEL' || operation === 'PURGE'

/** What a host notes of itself. */
export const noteText = (): string => new Date().toISOString()

/** That name's host, or who may remove it, has written it. */
function isNote(message: JsMsg): boolean {
  if (isCopy(message.headers)) return false
  return (
    isRemoved(message.headers?.get('KV-Operation')) || /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(message.string())
  )
}

/**
 * Each name as it is now, `whole` after the last of these, then each change, until the signal.
 * @param inbox a subject that this connection may read
 * @throws where the server has no such list, or does not let this machine read it
 */
export async function* hostChanges(
  connection: NatsConnection,
  inbox: string,
  signal: AbortSignal,
): AsyncGenerator<HostChange | 'whole'> {
  const options = {
    filter_subjects: `$KV.${hostsBucket}.>`,
    deliver_policy: DeliverPolicy.LastPerSubject,
    deliver_prefix: inbox,
    // A server whose disk is full makes no other one.
    mem_storage: true,
  }
  const consumer = await jetstream(connection).consumers.getPushConsumer(`KV_${hostsBucket}`, options)
  const { num_pending: pending, created } = await consumer.info(true)
  let isWhole = pending === 0
  const messages = await consumer.consume()
  const stop = (): void => messages.stop()
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    if (isWhole) yield 'whole'
    for await (const message of messages) {
      const { subject, headers, info } = message
      const name = subject.split('.')[2] ?? ''
      if (isBoxName(name) && isNote(message)) {
        const ago = Math.max(0, Date.parse(created) - info.timestampNanos / 1e6)
        yield { name, isThere: !isRemoved(headers?.get('KV-Operation')), ago }
      }
      if (isWhole || info.pending > 0) continue
      isWhole = true
      yield 'whole'
    }
  } finally {
    signal.removeEventListener('abort', stop)
    // Its end is told to who reads on alone.
    stop()
    if (!signal.aborted) await consumer.delete().catch(() => undefined)
  }
}
