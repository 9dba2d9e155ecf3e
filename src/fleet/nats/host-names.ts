/** The names of the hosts that have joined a fleet, as its server keeps them, and what changes of them. */
import { DeliverPolicy, type JsMsg, jetstream } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { isBoxName } from '../box-address.ts'
import { isCopy } from './copied-message.ts'
import { hostOf, notes } from './subjects.ts'

export type HostChange = {
  readonly name: string
  readonly isThere: boolean
  /** How long ago its host said that it is there, ms by the clock of the server. */
  readonly ago: number
}

/** What a host notes of itself. */
export const noteText = (): string => new Date().toISOString()

/** What stands where a name was removed. */
export const leftText = 'left'

/** That name's host, or who may remove it, has written it. */
const isNote = ({ headers }: JsMsg, text: string): boolean =>
  !isCopy(headers) && (text === leftText || /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text))

/**
 * So long after the newest note the server has sent all that it has: one that was to be sent may have gone meanwhile. What it counts as
 * still to come says nothing: a note that is replaced meanwhile keeps the count up (nats-server 2.9.10), or leaves it (2.15.1). ms
 */
const quietMs = 2000

/** Undefined where nothing comes for long. */
async function orQuiet<T>(next: Promise<T>): Promise<T | undefined> {
  const quiet = Promise.withResolvers<undefined>()
  const timer = setTimeout(quiet.resolve, quietMs, undefined)
  try {
    return await Promise.race([next, quiet.promise])
  } finally {
    clearTimeout(timer)
  }
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
    filter_subjects: notes.subject('*'),
    deliver_policy: DeliverPolicy.LastPerSubject,
    deliver_prefix: inbox,
    // A server whose disk is full makes no other one.
    mem_storage: true,
  }
  const consumer = await jetstream(connection).consumers.getPushConsumer(notes.name, options)
  const { num_pending: pending, created } = await consumer.info(true)
  let isWhole = pending === 0
  const named = new Set<string>()
  const messages = await consumer.consume()
  const stop = (): void => messages.stop()
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  const iterator = messages[Symbol.asyncIterator]()
  let next = iterator.next()
  try {
    if (isWhole) yield 'whole'
    for (;;) {
      const got = isWhole ? await next : await orQuiet(next)
      if (got?.done) return
      const message = got?.value
      if (message) {
        next = iterator.next()
        const { subject, info } = message
        const [name, text] = [hostOf(subject), message.string()]
        if (!isWhole) named.add(name)
        if (isBoxName(name) && isNote(message, text)) {
          const ago = Math.max(0, Date.parse(created) - info.timestampNanos / 1e6)
          yield { name, isThere: text !== leftText, ago }
        }
      }
      if (isWhole || (message && named.size < pending)) continue
      isWhole = true
      yield 'whole'
    }
  } finally {
    signal.removeEventListener('abort', stop)
    // Its end is told to who reads on alone.
    next.catch(() => undefined)
    stop()
    if (!signal.aborted) await consumer.delete().catch(() => undefined)
  }
}
