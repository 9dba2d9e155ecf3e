/** A box over NATS: its host answers on a subject of its own, and a pipe over two more is the connection. */
import type { Msg } from '@nats-io/transport-node'
import type { Clock } from '../../core/clock.ts'
import { isLullError } from '../../core/lull-error.ts'
import { oneLine } from '../../core/text/printable.ts'
import { isRecord, parseJson } from '../../core/trace/trace.ts'
import type { BoxGreeting } from '../box-greeting.ts'
import { checkGreeting, readGreeting } from '../box-greeting.ts'
import type { BegunWay } from '../box-link.ts'
import { boxGone } from '../ssh-words.ts'
import type { Hub } from './hub.ts'
import { natsPipe } from './nats-pipe.ts'
import { type FleetScope, isPipeId, openSubject, pipeSubject } from './subjects.ts'

/** ms */
const greetingMs = 10_000

/** With which a machine asks that wants the name for itself. */
export const joinsWord = 'joins'

/** @param words why it is asked. @throws {LullError} HOST_GONE while the server is away: what waits for it would come late */
export function overNats(name: string, hub: Hub, scope: FleetScope, clock: Clock, words = ''): BegunWay {
  checkUp(hub, name)
  const inbox = hub.inbox()
  const greeted = Promise.withResolvers<BoxGreeting>()
  const ended = Promise.withResolvers<string>()
  let onHeard = (): void => undefined
  let open: ReturnType<typeof natsPipe> | undefined
  const finish = (why: string): void => {
    late.cancel()
    forget()
    for (const leave of leaves) leave()
    subscription.unsubscribe()
    greeted.reject(boxGone(why))
    ended.resolve(why)
    open?.pipe.destroy()
  }
  const late = clock.at(clock.now() + greetingMs, () =>
    finish(`${name} did not answer in ${greetingMs / 1000} s`),
  )
  const subscription = hub.connection.subscribe(inbox, {
    callback(error, message) {
      if (error) return finish(`${name}: ${error.message}`)
      const isNobody = message.headers?.code === 503
      if (isNobody) return finish(`${name} is not connected to the NATS server`)
      onHeard()
      if (open) open.take(message.data)
      else greet(message)
    },
  })
  const leaves = [
    hub.on('disconnect', () => finish(`${name}: the NATS server is away`)),
    hub.on('closed', () => finish(`${name}: the NATS server lets this machine in no more`)),
  ]
  greeted.promise.catch(() => undefined)

  function greet(message: Msg): void {
    const sent = greetingIn(message)
    if (sent) begin(sent.greeting, sent.pipe)
    else finish(`${name}: what answers there is no lull`)
  }

  function begin(greeting: BoxGreeting, id: string): void {
    late.cancel()
    open = natsPipe(hub.connection, pipeSubject(name, id), clock)
    open.pipe.on('close', () => finish(`${name}: the connection ended`))
    try {
      greeted.resolve(checkGreeting(name, greeting))
    } catch (error) {
      finish((error as Error).message)
    }
  }

  let forget = (): void => undefined
  function ask(wanted: FleetScope): void {
    const subject = openSubject(name, wanted, hub.who)
    forget = hub.on(`refused ${subject}`, () => {
      forget()
      // Who may not act may still look: what it asks for there is refused as read-only.
      if (wanted === 'act') ask('read')
      else finish(`${name}: the NATS server does not let this machine ask it`)
    })
    hub.connection.publish(subject, words, { reply: inbox })
  }
  ask(scope)
  return {
    greeting: () => greeted.promise,
    pipe() {
      if (!open) throw new Error('it has not greeted yet')
      return open.pipe
    },
    onHeard(call) {
      onHeard = call
    },
    ended: ended.promise,
    end: () => (open ? void open.pipe.destroy() : finish(`${name} did not answer in time`)),
    leave: () => open?.pipe.destroy(),
  }
}

function checkUp({ connection, isUp }: Hub, name: string): void {
  if (isUp()) return
  const why = connection.isClosed() ? 'lets this machine in no more' : 'is away'
  throw boxGone(`${name}: the NATS server ${why}`)
}

/** What a host sends is not trusted: that it writes to pipes of another one it can't ask. */
function greetingIn(message: Msg): { readonly greeting: BoxGreeting; readonly pipe: string } | undefined {
  const sent = parseJson(message.string())
  const greeting = readGreeting(sent)
  const pipe = isRecord(sent) && typeof sent.pipe === 'string' ? sent.pipe : ''
  return greeting && isPipeId(pipe) ? { greeting, pipe } : undefined
}

/** ms */
const patienceMs = 2000

type HostGreeting = {
  readonly version: string
  /** How far its wall clock is ahead of this one, ms. */
  readonly skew: number
  /** Entries of its history that the server has not; absent before it asked the server. */
  readonly unpublished?: number
}

/** What a host says of itself; else why it can't be asked. */
export async function greetingOf(
  hub: Hub,
  name: string,
  clock: Clock,
  words = '',
): Promise<HostGreeting | { readonly why: string }> {
  const way = overNats(name, hub, 'read', clock, words)
  const late = clock.at(clock.now() + patienceMs, way.end)
  try {
    const asked = clock.wall()
    const { version, wall, unpublished } = await way.greeting()
    const isCount = Number.isSafeInteger(unpublished)
    const skew = wall - (asked + clock.wall()) / 2
    return { version: oneLine(version, 40), skew, ...(isCount ? { unpublished: Number(unpublished) } : {}) }
  } catch (error) {
    if (!isLullError(error, 'HOST_GONE')) throw error
    return { why: error.message }
  } finally {
    late.cancel()
    way.end()
  }
}
