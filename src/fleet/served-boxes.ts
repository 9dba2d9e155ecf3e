/** Boxes beside the sessions of the machine whose host serves the API: each is connected to once, for all who ask that. */
import type { SessionMachine } from '../connect/session-machine.ts'
import { everyone } from '../connect/wait-whom.ts'
import type { Clock } from '../core/clock.ts'
import { defined } from '../core/defined.ts'
import { isLullError, type LullError } from '../core/lull-error.ts'
import { pauseFor } from '../core/pause-for.ts'
import { isBoxRow } from '../sessions/session-names.ts'
import type { LiveChange, LiveSession, SessionSource } from '../sessions/session-source.ts'
import { createSubscribers } from '../track/subscribers.ts'
import { readBoxAddress } from './box-address.ts'
import { boxRow } from './box-rows.ts'
import { fleetMachine } from './fleet-machine.ts'
import { followBoxes } from './follow-boxes.ts'
import type { OpenBox } from './open-box.ts'
import { type OpenBoxes, openBoxes } from './open-boxes.ts'
import { type SinceBoxes, sinceOnAll } from './since-boxes.ts'

export type ServedBoxes = {
  /** Of this machine and of the boxes. */
  readonly source: SessionSource
  readonly machine: SessionMachine
  /** The box that an address names; undefined where it means a session of this machine. */
  at(address: string): { readonly box: OpenBox; readonly session: string } | undefined
  /** As `sinceOnBoxes`. */
  since(from: number, now: number): Promise<SinceBoxes>
  close(): Promise<void>
}

/** Between tries to reach a fleet's server that was away at first. ms */
const againMs = 5000

type Around = {
  readonly here: SessionSource
  readonly machine: SessionMachine
  readonly clock: Clock
  readonly complain: (sentence: string) => void
}

/** @param names boxes and groups. One that is none by now is a row that says so: this machine's sessions are served all the same. */
export async function serveBoxes(names: readonly string[], around: Around): Promise<ServedBoxes> {
  const { here, machine, clock, complain } = around
  const stop = new AbortController()
  const later = boxesLater(names, clock)
  const { boxes } = later
  const rows = { here: new Map<string, LiveSession>(), boxes: new Map<string, LiveSession>() }
  const why = await later.open()
  if (why !== undefined)
    for (const name of names) rows.boxes.set(name, boxRow(name, why.message, clock.now()))
  const whole = (): LiveChange => ({
    type: 'snapshot',
    sessions: [...rows.here.values(), ...rows.boxes.values()],
  })
  const subscribers = createSubscribers<LiveChange>(() => [whole()])

  function take(known: Map<string, LiveSession>, change: LiveChange): void {
    if (change.type === 'changed') known.set(change.session.id, change.session)
    else if (change.type === 'gone') known.delete(change.id)
    else {
      known.clear()
      for (const session of change.sessions) known.set(session.id, session)
    }
    subscribers.emit(change.type === 'snapshot' ? whole() : change)
  }

  const own = await here.changes()
  const first = await own.next()
  if (!first.done) take(rows.here, first.value)

  const followOwn = async (): Promise<void> => {
    for await (const change of own) take(rows.here, change)
  }
  const followAll = async (): Promise<void> => {
    // What the names mean, a server that is away knows.
    for (let error = why; isLullError(error, 'HOST_GONE') && !stop.signal.aborted; error = await later.open())
      await pauseFor(clock, againMs, stop.signal)
    const open = later.opened()
    if (!open || stop.signal.aborted) return
    const followed = followBoxes(open, clock)
    stop.signal.addEventListener('abort', followed.close)
    for (let change = await followed.next(); change; change = await followed.next()) take(rows.boxes, change)
  }
  const over = Promise.all(
    [followOwn, followAll].map(follow =>
      follow().catch((error: Error) => complain(`the API shows no more changes: ${error.message}`)),
    ),
  )

  const at: ServedBoxes['at'] = address => {
    const { session, box: name = '' } = readBoxAddress(address)
    const box = boxes.get(name)
    return box && { box, session }
  }
  const fleet = fleetMachine(boxes)
  return {
    source: {
      ...here,
      list: async () => [...(await here.list()), ...rows.boxes.values()],
      changes: async () => subscribers.subscribe(whole()),
      close: async () => undefined,
    },
    machine: bothMachines(machine, fleet, address => at(address) !== undefined, here.list),
    at,
    since: (from, now) =>
      sinceOnAll({ boxes, ...defined({ published: later.opened()?.published }) }, from, now),
    async close() {
      stop.abort()
      await own.return?.()
      await over
      await later.opened()?.close()
      subscribers.close()
    },
  }
}

/** Boxes that may be opened only once their fleet's server answers. */
function boxesLater(names: readonly string[], clock: Clock) {
  const boxes = new Map<string, OpenBox>()
  let opened: OpenBoxes | undefined
  return {
    /** By their names; none before they are opened. */
    boxes: boxes as ReadonlyMap<string, OpenBox>,
    opened: () => opened,
    /** @returns why they can't be opened now */
    async open(): Promise<LullError | undefined> {
      try {
        opened = await openBoxes(names, clock, { isBesideHere: true })
        for (const [name, box] of opened.boxes) boxes.set(name, box)
        opened.onBox((box, isThere) => (isThere ? boxes.set(box.name, box) : boxes.delete(box.name)))
        return undefined
      } catch (error) {
        if (!isLullError(error)) throw error
        return error
      }
    },
  }
}

/** An address without a box means a session of this machine, whatever the boxes have. */
function bothMachines(
  own: SessionMachine,
  fleet: SessionMachine,
  isOnBox: (address: string) => boolean,
  listHere: SessionSource['list'],
): SessionMachine {
  type List = Parameters<SessionMachine['find']>[1]
  const ownList =
    (list: List): List =>
    async () =>
      (await list()).filter(live => live.host === undefined || isBoxRow(live))
  const of = (address = ''): SessionMachine => (isOnBox(address) ? fleet : own)
  return {
    ...own,
    find: (address, list) => of(address).find(address, isOnBox(address) ? list : ownList(list)),
    sessionsAt: async (addresses, list, socket) => {
      if (addresses.length === 0) return list()
      const [there, here] = [addresses.filter(isOnBox), addresses.filter(one => !isOnBox(one))]
      return [
        ...(here.length > 0 ? await own.sessionsAt(here, ownList(list), socket) : []),
        ...(there.length > 0 ? await fleet.sessionsAt(there, list, socket) : []),
      ]
    },
    async resolve(addresses, options) {
      const resolved = await Promise.all(
        addresses.map(async address => {
          if (isOnBox(address)) return fleet.resolve([address], options)
          if (address === everyone) return address
          try {
            return (await own.find(address, listHere)).id
          } catch (error) {
            if (options.appear && isLullError(error, 'NO_SESSION')) return address
            throw error
          }
        }),
      )
      return resolved.flat()
    },
    async typedAt() {
      const [ownTyped, fleetTyped] = await Promise.all([own.typedAt(), fleet.typedAt()])
      return live => (live.host === undefined ? ownTyped(live) : fleetTyped(live))
    },
    endedInstead: async error => fleet.endedInstead(await own.endedInstead(error)),
    terminal: (address, where, list, requests) =>
      of(address).terminal(address, where, isOnBox(address ?? '') ? list : ownList(list), requests),
  }
}
