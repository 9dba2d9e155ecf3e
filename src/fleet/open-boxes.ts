/** The boxes that names mean: hosts of the fleet that this machine belongs to, else what ssh reaches. */
import type { Clock } from '../core/clock.ts'
import { isLullError, LullError } from '../core/lull-error.ts'
import { pauseFor } from '../core/pause-for.ts'
import { untilAborted } from '../core/until-aborted.ts'
import type { StoredEntry } from '../history/entry.ts'
import type { History } from '../history/open-history.ts'
import { placesOf } from '../os/file/places.ts'
import { exited, stateKind } from '../sessions/history/session-past.ts'
import { type FleetSettings, readFleet } from './nats/fleet-settings.ts'
import type { HostChange } from './nats/host-names.ts'
import type { Hub } from './nats/hub.ts'
import { keepKnownHosts, readKnownHosts } from './nats/known-hosts.ts'
import { type KnownBefore, type OnNotice, type OpenBox, openBox } from './open-box.ts'
import { overSsh } from './over-ssh.ts'
import { boxesOn, readHosts } from './read-hosts.ts'
import { boxGone } from './ssh-words.ts'

export type OpenBoxes = {
  /** By their names. Where all hosts of the fleet are asked for, those that join or are forgotten come and go while anybody follows. */
  readonly boxes: ReadonlyMap<string, OpenBox>
  /** Calls with each box that comes, and each that goes, until what it returns is called. */
  onBox(call: OnBox): () => void
  /** What the hosts of the fleet have published; undefined where none of the boxes is one. @throws {LullError} as `fetchHistory` does */
  readonly published?: () => Promise<History>
  close(): Promise<void>
}

export type OpenBoxesOptions = {
  /** The sessions of this machine are shown as such: it is no box of its own fleet. */
  readonly isBesideHere?: boolean
  readonly onNotice?: OnNotice | undefined
}

type OnBox = (box: OpenBox, isThere: boolean) => void

/** Between tries to learn which hosts there are, while the server is away. ms */
const againMs = 2000

/** All that have joined the fleet. */
export const wholeFleet = 'fleet'

/**
 * @param names of hosts, boxes and groups; `fleet` is every host that has joined
 * @throws {LullError} USAGE, BAD_HOSTS; HOST_GONE where the fleet's server is asked for its hosts, and does not answer
 */
export async function openBoxes(
  names: readonly string[],
  clock: Clock,
  { isBesideHere = false, onNotice }: OpenBoxesOptions = {},
): Promise<OpenBoxes> {
  const settings = readFleet(placesOf())
  const isWhole = names.includes(wholeFleet)
  if (isWhole && !settings)
    throw new LullError(
      'USAGE',
      'this machine belongs to no fleet: lull fleet join nats://HUB joins one, and with --view only looks',
    )
  const fleet = settings && (await openFleet(settings, isWhole, clock, onNotice))
  const close = async (): Promise<void> => fleet?.close()
  try {
    const { hosts = [] } = fleet ?? {}
    const own = isBesideHere ? settings?.name : undefined
    const all = hosts.filter(name => name !== own)
    const asked = [...new Set(names.flatMap(name => (name === wholeFleet ? all : [name])))]
    const unjoined = asked.filter(name => !hosts.includes(name))
    const overSshs = unjoined.length > 0 ? boxesOn(unjoined, readHosts(process.env)) : []
    const joined = asked.flatMap(name => (hosts.includes(name) && fleet ? fleet.open(name) : []))
    const others = overSshs.map(box => openBox(box.name, () => overSsh(box, clock), clock, { onNotice }))
    const boxes = boxSet(joined, others)
    const stop = new AbortController()
    let isWatched = !isWhole
    return {
      boxes: boxes.all,
      onBox(call) {
        const changes = fleet?.changes
        if (!isWatched && changes) void watch(changes, stop.signal)
        isWatched = true
        return boxes.onBox(call)
      },
      ...(fleet?.published && (isWhole || asked.some(name => hosts.includes(name)))
        ? { published: fleet.published }
        : {}),
      async close() {
        stop.abort()
        for (const box of boxes.all.values()) box.close()
        await close()
      },
    }

    async function watch(changes: Hub['hostChanges'], signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        try {
          for await (const change of changes(signal))
            if (change !== 'whole' && change.name !== own && fleet) boxes.set(change, fleet.open)
        } catch {
          // The server is away: those that are known are followed on.
        }
        await pauseFor(clock, againMs, signal)
      }
    }
  } catch (error) {
    // An open connection would keep this program.
    await close()
    throw error
  }
}

/** @param joined hosts of the fleet, which alone may go */
function boxSet(joined: readonly OpenBox[], others: readonly OpenBox[]) {
  const all = new Map([...joined, ...others].map(box => [box.name, box]))
  const ofFleet = new Set(joined)
  const calls = new Set<OnBox>()
  return {
    all,
    onBox(call: OnBox): () => void {
      calls.add(call)
      return () => calls.delete(call)
    },
    set({ name, isThere }: HostChange, open: (name: string) => OpenBox): void {
      const before = all.get(name)
      if (isThere ? before : !before || !ofFleet.has(before)) return
      const box = before ?? open(name)
      if (isThere) {
        all.set(name, box)
        ofFleet.add(box)
      } else all.delete(name)
      for (const call of calls) call(box, isThere)
      if (!isThere) box.close()
    },
  }
}

/** Where its server is away and nobody asks for all of its hosts: those that this machine knows of. */
async function openFleet(settings: FleetSettings, isWhole: boolean, clock: Clock, onNotice?: OnNotice) {
  const [{ connectHub }, { overNats }] = await Promise.all([
    import('./nats/hub.ts'),
    import('./nats/over-nats.ts'),
  ])
  const places = placesOf()
  const opened =
    (hubFor: (name: string) => Hub, before: (name: string) => KnownBefore) =>
    (name: string): OpenBox =>
      openBox(name, () => overNats(name, hubFor(name), settings.scope, clock), clock, {
        ...{ before: before(name), onNotice },
      })
  let hub: Hub | undefined
  try {
    const connected = await connectHub(settings)
    hub = connected
    const heard = await connected.hosts()
    const published = async () => (await import('./history/kept-history.ts')).fetchHistory(connected, places)
    keepKnownHosts(places, [...heard.keys()])
    return {
      hosts: [...heard.keys()],
      changes: connected.hostChanges,
      open: opened(() => connected, knownBefore(heard, published, clock)),
      published,
      close: connected.close,
    }
  } catch (error) {
    await hub?.close()
    if (isWhole || !isLullError(error, 'HOST_GONE')) throw error
    const { hubFor, close } = untilBack(settings, clock, error.message)
    return {
      hosts: readKnownHosts(places),
      open: opened(hubFor, () => ({ sessions: async () => [] })),
      close,
    }
  }
}

/** A server that is away: asked for again and again, until it is closed. @param why no host can be asked before that */
function untilBack(settings: FleetSettings, clock: Clock, why: string) {
  const stop = new AbortController()
  let hub: Hub | undefined
  const over = (async () => {
    const { connectHub } = await import('./nats/hub.ts')
    while (!hub && !stop.signal.aborted) {
      await pauseFor(clock, againMs, stop.signal)
      if (!stop.signal.aborted) hub = await connectHub(settings).catch(() => undefined)
    }
  })()
  return {
    hubFor(name: string): Hub {
      if (!hub) throw boxGone(`${name}: ${why}`)
      return hub
    },
    async close(): Promise<void> {
      stop.abort()
      await over
      await hub?.close()
    },
  }
}

/** What has to be fetched first may be much: rows do not wait for it. ms */
const historyMs = 2000

/** @param heard by name, how long ago each was heard of, ms */
function knownBefore(heard: ReadonlyMap<string, number>, published: () => Promise<History>, clock: Clock) {
  const now = clock.now()
  let last: Promise<readonly StoredEntry[]> | undefined
  const fetched = async (): Promise<readonly StoredEntry[]> => {
    const history = await published()
    try {
      return history.lastOfEach(stateKind, { without: exited })
    } finally {
      history.close()
    }
  }
  return (name: string): KnownBefore => {
    const ago = heard.get(name)
    const heardAt = ago === undefined ? undefined : now - ago
    return {
      heardAt,
      async sessions() {
        last ??= fetched().catch(error => {
          last = undefined
          throw error
        })
        const signal = AbortSignal.timeout(historyMs)
        const entries = await untilAborted(last, signal).catch(() => [])
        return (await import('./history/past-rows.ts')).pastRows(entries, name, heardAt ?? now)
      },
    }
  }
}
