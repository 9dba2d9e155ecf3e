/** A host in a fleet: joins it as the settings say, and answers viewers over pipes of NATS. What connects is loaded when it joins. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { isDeepStrictEqual } from 'node:util'
import type { NatsConnection } from '@nats-io/transport-node'
import { lullOn } from '../../connect/connect.ts'
import { ownLastingSource } from '../../connect/lasting-source.ts'
import { pauseFor } from '../../core/pause-for.ts'
import { type FleetSettings, readFleet } from '../../fleet/nats/fleet-settings.ts'
import { type FleetScope, openSubject, pipeSubject } from '../../fleet/nats/subjects.ts'
import type { DoorPorts } from '../../host/host.ts'
import type { PipeServer } from './pipe-server.ts'

/** At one time: viewers, and each of them may open another one before its last has ended. */
const mostPipes = 200

/** Between tries to reach a server that is away when the host begins. ms */
const againMs = 5000

export type FleetDoor = {
  /** Joins or leaves as its settings say by now. A server that is away is tried again, and holds up nothing. */
  update(): Promise<void>
  close(): Promise<void>
}

export function fleetDoor(ports: DoorPorts): FleetDoor {
  let joined: { readonly settings: FleetSettings; readonly leave: () => Promise<void> } | undefined

  async function leave(): Promise<void> {
    const before = joined
    joined = undefined
    await before?.leave()
  }

  return {
    async update() {
      try {
        const wanted = readFleet(ports.places)
        if (joined && isDeepStrictEqual(joined.settings, wanted)) return
        await leave()
        if (wanted?.name === undefined) return
        const stop = new AbortController()
        const over = stayIn({ ...wanted, name: wanted.name }, ports, stop.signal)
        joined = {
          settings: wanted,
          async leave() {
            stop.abort()
            await over
          },
        }
      } catch (error) {
        ports.complain(`the fleet is not joined: ${(error as Error).message}`)
      }
    },
    close: leave,
  }
}

/** Until the signal. */
async function stayIn(settings: NamedSettings, ports: DoorPorts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted)
    try {
      const left = await join(settings, ports)
      if (!signal.aborted) await once(signal, 'abort')
      return await left()
    } catch (error) {
      ports.complain(`the fleet is not joined: ${(error as Error).message}`)
      await pauseFor(ports.clock, againMs, signal)
    }
}

type NamedSettings = FleetSettings & { readonly name: string }

/** @returns what leaves it */
async function join(settings: NamedSettings, ports: DoorPorts): Promise<() => Promise<void>> {
  const [{ connectHub }, { natsPipe }, { pipeServer }, { greetingOf }] = await Promise.all([
    import('../../fleet/nats/hub.ts'),
    import('../../fleet/nats/nats-pipe.ts'),
    import('./pipe-server.ts'),
    import('../../fleet/nats/over-nats.ts'),
  ])
  const { sessions, clock, complain } = ports
  const { name } = settings
  const hub = await connectHub(settings, true)
  if (!hub.isClosed && !settings.withoutKeys) {
    await hub.close()
    throw new Error('its server lets everybody in: lull fleet join … --without-keys joins it all the same')
  }
  if (!('why' in (await greetingOf(hub, name, clock)))) {
    await hub.close()
    throw new Error(`another host is connected as ${name}: choose another name with lull fleet join … --name`)
  }
  const lull = lullOn(ownLastingSource({ ...sessions, via: 'host' }))
  const server = await pipeServer('fleet', { ...ports, lull, changes: () => sessions.changes() })
  const pipes = new Set<() => void>()

  const open = (scope: FleetScope): void => {
    hub.connection.subscribe(openSubject(name, scope), {
      callback(error, { reply }) {
        if (error) return complain(`the fleet: ${error.message}`)
        if (reply === undefined || pipes.size >= mostPipes) return
        const end = answer(hub.connection, { name, reply, scope, server })
        pipes.add(end.now)
        void end.over.then(() => pipes.delete(end.now))
      },
    })
  }

  function answer(
    connection: NatsConnection,
    about: {
      readonly name: string
      readonly reply: string
      readonly scope: FleetScope
      readonly server: PipeServer
    },
  ) {
    const id = randomBytes(12).toString('hex')
    const { pipe, take } = natsPipe(connection, about.reply, clock)
    const subscription = connection.subscribe(pipeSubject(about.name, id), {
      callback: (error, message) => (error ? void pipe.destroy() : take(message.data)),
    })
    pipe.on('close', () => subscription.unsubscribe())
    connection.publish(about.reply, JSON.stringify({ ...about.server.greeting(), pipe: id }))
    const over = about.server.serve(pipe, about.scope).finally(() => pipe.destroy())
    return { over, now: () => void pipe.destroy() }
  }

  open('read')
  open('act')
  // Where the server can't keep it now, others find this host once it can.
  void hub
    .join(name)
    .catch((error: Error) => complain(`the fleet does not know this host yet: ${error.message}`))
  return async () => {
    for (const end of pipes) end()
    await server.close()
    await hub.close()
  }
}
