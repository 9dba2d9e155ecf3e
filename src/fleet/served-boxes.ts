/** Boxes beside the sessions of the machine whose host serves the API: each is connected to once, for all who ask that. */
import type { SessionMachine } from '../connect/session-machine.ts'
import { everyone } from '../connect/wait-whom.ts'
import type { Clock } from '../core/clock.ts'
import { defined } from '../core/defined.ts'
import { isLullError } from '../core/lull-error.ts'
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

type Around = {
  readonly here: SessionSource
  readonly machine: SessionMachine
  readonly clock: Clock
  readonly complain: (sentence: string) => void
}

/** @param names boxes and groups. One that is none by now is a row that says so: this machine's sessions are served all the same. */
export async function serveBoxes(names: readonly string[], around: Around): Promise<ServedBoxes> {
  const { here, machine, clock, complain } = around
  const { open, wrong } = await boxesFor(names, clock)
  const boxes = open?.boxes ?? new Map<string, OpenBox>()
  const followed = open && followBoxes(open, clock)
  const rows = {
    here: new Map<string, LiveSession>(),
    boxes: new Map(wrong.map(row => [row.id, row])),
  }
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
    if (!followed) return
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
    since: (from, now) => sinceOnAll({ boxes, ...defined({ published: open?.published }) }, from, now),
    async close() {
      followed?.close()
      await own.return?.()
      await open?.close()
      await over
      subscribers.close()
    },
  }
}

async function boxesFor(
  names: readonly string[],
  clock: Clock,
): Promise<{ readonly open?: OpenBoxes; readonly wrong: readonly LiveSession[] }> {
  try {
    return { open: await openBoxes(names, clock, { isBesideHere: true }), wrong: [] }
  } catch (error) {
    if (!isLullError(error)) throw error
    return { wrong: names.map(name => boxRow(name, error.message, clock.now())) }
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
