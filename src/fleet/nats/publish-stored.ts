/** A host publishes, and hears that the server has stored it: on a subject of its own, since the server answers nobody (`fleet-streams.ts`). */
import { randomBytes } from 'node:crypto'
import { headers, type Msg, type NatsConnection } from '@nats-io/transport-node'
import { answerMs, streamInfo } from './fleet-streams.ts'
import { type FleetStream, madeOf, storedSubject } from './subjects.ts'

export type Stored = {
  readonly seq: number
  /** The number of the message that this host had there before, 0 where it had none. */
  readonly before: number
  /** Names the stream: one that was made anew has another name. */
  readonly made: string
}

export type HubLine = {
  readonly connection: NatsConnection
  /** A subject on which this connection alone is answered. */
  inbox(): string
  /** The server answers now. */
  isUp(): boolean
  /**
   * Calls at each such event, until what it returns is called: the server is away, is back, lets this machine in no more, or refuses what this
   * machine publishes on a subject, or reads there.
   */
  on(event: HubEvent, call: () => void): () => void
}

type HubEvent = 'disconnect' | 'reconnect' | 'closed' | `refused ${string}`

/** By which a host knows its own message again. */
const idHeader = 'Lull-Id'

/**
 * The stream is made where it is missing, by who may.
 * @param after the number of this host's last message: the server takes this one only behind that. Else behind any
 * @throws where it is not known to be stored
 */
export async function publishStored(
  line: HubLine,
  stream: FleetStream,
  host: string,
  text: string,
  after?: number,
): Promise<Stored> {
  const publish = () => publishOnce(line, stream.subject(host), host, text, after)
  try {
    return await publish()
  } catch (error) {
    if (!(error instanceof NobodyThere)) throw error
    await streamInfo(line.connection, stream).catch((error: Error) => {
      if (!/permissions violation/i.test(error.message)) throw error
      throw new Error(
        'it has no list of hosts yet: join first with a machine whose key lets it look (--as viewer, or operator)',
      )
    })
    return publish()
  }
}

class NobodyThere extends Error {}

async function publishOnce(
  { connection, inbox, isUp, on }: HubLine,
  subject: string,
  host: string,
  text: string,
  after: number | undefined,
): Promise<Stored> {
  if (!isUp()) throw new Error('it is away')
  const stored = Promise.withResolvers<Stored>()
  const fail = (why: string) => (): void => stored.reject(new Error(why))
  const [id, reply, told] = [randomBytes(12).toString('hex'), inbox(), storedSubject(host, '*')]
  const sent = headers()
  sent.set(idHeader, id)
  if (after !== undefined) sent.set('Nats-Expected-Last-Subject-Sequence', String(after))
  const hears = connection.subscribe(told, {
    callback(error, message) {
      if (!error && message.headers?.get(idHeader) === id) stored.resolve(storedOf(message))
    },
  })
  const unheard = connection.subscribe(reply, {
    callback(error, message) {
      if (!error && message.headers?.code === 503) stored.reject(new NobodyThere('it has no such stream'))
    },
  })
  const leaves = [
    on(`refused ${subject}`, fail(`to publish on ${subject}: refused`)),
    on(`refused ${told}`, fail(`to read ${told}: refused`)),
    on('disconnect', fail('it went away')),
    on('closed', fail('it lets this machine in no more')),
  ]
  const late = setTimeout(fail(`it did not store it in ${answerMs / 1000} s`), answerMs)
  try {
    connection.publish(subject, text, { headers: sent, reply })
    return await stored.promise
  } finally {
    clearTimeout(late)
    for (const leave of leaves) leave()
    for (const one of [hears, unheard]) one.unsubscribe()
  }
}

const storedOf = ({ subject, headers }: Msg): Stored => ({
  seq: Number(headers?.get('Nats-Sequence')),
  before: Number(headers?.get('Nats-Last-Sequence')),
  made: madeOf(subject),
})
