/** A host in a fleet: joins it as the settings say, and answers viewers over pipes of NATS. What connects is loaded when it joins. */
import { randomBytes } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import { lullOn } from '../../connect/connect.ts'
import { ownLastingSource } from '../../connect/lasting-source.ts'
import { pauseFor } from '../../core/pause-for.ts'
import { untilAborted } from '../../core/until-aborted.ts'
import { type FleetSettings, readFleet } from '../../fleet/nats/fleet-settings.ts'
import type { Hub } from '../../fleet/nats/hub.ts'
import { type FleetScope, isInbox, openSubject, pipeSubject, whoOpens } from '../../fleet/nats/subjects.ts'
import { sharedSource } from '../../fleet/share/shared-sessions.ts'
import type { DoorPorts } from '../../host/host.ts'
import type { PipeServer } from './pipe-server.ts'

/** At one time: of all viewers; and of one, who may open another one before its last has ended. */
const mostPipes = { ofAll: 200, ofOne: 20 }

/** Between tries to reach a server that is away when the host begins. ms */
const againMs = 5000

/** It says that it is there: who looks for it later learns since when it is away. ms */
const noteMs = 60_000

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

type NamedSettings = FleetSettings & { readonly name: string }

/** Until the signal. */
async function stayIn(settings: NamedSettings, ports: DoorPorts, signal: AbortSignal): Promise<void> {
  const { connectHub } = await import('../../fleet/nats/hub.ts')
  while (!signal.aborted)
    try {
      await using hub = await connectHub(settings)
      await serveIn(hub, settings, ports, signal)
    } catch (error) {
      if (signal.aborted) return
      ports.complain(`the fleet is not joined: ${(error as Error).message}`)
      await pauseFor(ports.clock, againMs, signal)
    }
}

/** Resolves at the signal. @throws where this host may not join, or the server lets it in no more */
async function serveIn(
  hub: Hub,
  settings: NamedSettings,
  ports: DoorPorts,
  signal: AbortSignal,
): Promise<void> {
  const [{ pipeServer }, { checkKeys, checkName }] = await Promise.all([
    import('./pipe-server.ts'),
    import('../../fleet/nats/may-join.ts'),
  ])
  const { sessions, clock } = ports
  const { name, share } = settings
  checkKeys(hub, settings)
  await checkName(hub, name, clock)
  const shown = sharedSource({ ...sessions, via: 'host' as const }, share)
  const lull = lullOn(ownLastingSource(shown))
  const server = await pipeServer({ ...ports, lull, changes: shown.changes }, share)
  const publisher = await startPublishing(hub, settings, ports)
  const left = (): number | undefined => publisher?.left()
  const viewers = await answerViewers(hub, name, { server, left }, ports)
  let isNoting = false
  /** A server that has lost its disk knows no host any more, and may take none for now: it is full, or nobody has made its list yet. */
  const note = async (): Promise<void> => {
    if (isNoting) return
    isNoting = true
    await untilNoted(hub, name, ports, signal)
    isNoting = false
  }
  hub.on('reconnect', () => void note())
  hub.on('reconnect', () => publisher?.look())
  // What was under way is lost, and whoever asked is told so by his own end.
  hub.on('disconnect', viewers.end)
  const stop = new AbortController()
  const noted = (async () => {
    for (; !stop.signal.aborted; await pauseFor(clock, noteMs, stop.signal)) if (hub.isUp()) void note()
  })()
  try {
    await untilAborted(hub.connection.closed(), signal)
  } finally {
    stop.abort()
    viewers.end()
    await Promise.all([noted, server.close(), publisher?.close()])
  }
  throw new Error('its server lets this machine in no more')
}

async function untilNoted(
  hub: Hub,
  name: string,
  { clock, complain }: DoorPorts,
  signal: AbortSignal,
): Promise<void> {
  for (let isFirst = true; !signal.aborted && !hub.connection.isClosed(); isFirst = false)
    try {
      return await hub.join(name)
    } catch (error) {
      if (isFirst) complain(`the fleet does not know this host yet: ${(error as Error).message}`)
      await pauseFor(clock, againMs, signal)
    }
}

/** Without it the host is shown all the same. */
async function startPublishing(hub: Hub, { name, share }: NamedSettings, ports: DoorPorts) {
  const [{ openHistoryStream }, { publishHistory }] = await Promise.all([
    import('../../fleet/history/history-stream.ts'),
    import('../../fleet/history/publish-history.ts'),
  ])
  try {
    return publishHistory(await openHistoryStream(hub), name, { ...ports, share })
  } catch (error) {
    ports.complain(`the history is not published: ${(error as Error).message}`)
    return undefined
  }
}

type Answering = { readonly server: PipeServer; readonly left: () => number | undefined }

/** @returns what ends all pipes */
async function answerViewers(
  hub: Hub,
  name: string,
  { server, left }: Answering,
  { clock, complain }: DoorPorts,
) {
  const [{ natsPipe }, { joinsWord }] = await Promise.all([
    import('../../fleet/nats/nats-pipe.ts'),
    import('../../fleet/nats/over-nats.ts'),
  ])
  const { connection } = hub
  const pipes = new Map<Duplex, string>()
  const hasRoom = (who: string): boolean =>
    pipes.size < mostPipes.ofAll && [...pipes.values()].filter(one => one === who).length < mostPipes.ofOne
  // Anybody may ask so, again and again.
  const warn = (): void =>
    complain(
      `another machine wants to join the fleet as ${name}, and is refused: give it another name`,
      'requests',
    )

  function answer(reply: string, scope: FleetScope, who: string): void {
    const id = randomBytes(12).toString('hex')
    const { pipe, take } = natsPipe(connection, reply, clock)
    pipes.set(pipe, who)
    const subscription = connection.subscribe(pipeSubject(name, id), {
      callback: (error, message) => (error ? void pipe.destroy() : take(message.data)),
    })
    pipe.on('close', () => {
      pipes.delete(pipe)
      subscription.unsubscribe()
    })
    connection.publish(reply, JSON.stringify({ ...server.greeting(), unpublished: left(), pipe: id }))
    void server.serve(pipe, scope, `fleet:${who}`).finally(() => pipe.destroy())
  }

  for (const scope of ['read', 'act'] as const)
    connection.subscribe(openSubject(name, scope, '*'), {
      callback(error, message) {
        if (error) return complain(`the fleet: ${error.message}`)
        const { reply, subject, data } = message
        const who = whoOpens(subject)
        if (Buffer.from(data).toString() === joinsWord) warn()
        if (reply !== undefined && isInbox(reply) && hasRoom(who)) answer(reply, scope, who)
      },
    })
  return {
    end(): void {
      for (const pipe of pipes.keys()) pipe.destroy()
    },
  }
}
