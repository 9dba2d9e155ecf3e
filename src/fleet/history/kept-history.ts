/** The history of the fleet as this machine keeps it, brought up to what the server has. */
import type { EntryFilter, StoredEntry } from '../../history/entry.ts'
import { type History, openHistory } from '../../history/open-history.ts'
import type { Places } from '../../os/file/places.ts'
import { findPast } from '../../sessions/history/find-past.ts'
import { exited, stateKind } from '../../sessions/history/session-past.ts'
import { type SessionAway, whileAway } from '../../sessions/history/while-away.ts'
import { readBoxAddress } from '../box-address.ts'
import { fleetPlaces } from '../nats/fleet-settings.ts'
import type { Hub } from '../nats/hub.ts'
import { readBatch } from './batch.ts'
import { type HistoryStream, openHistoryStream, type StreamMessage } from './history-stream.ts'

/**
 * Fetches what is new.
 * @throws {LullError} HOST_GONE; as `openHistory` does
 */
export async function fetchHistory(hub: Hub, places: Places): Promise<History> {
  const stream = await openHistoryStream(hub)
  const history = openHistory(fleetPlaces(places))
  try {
    await takeNew(stream, history)
    return history
  } catch (error) {
    history.close()
    throw error
  }
}

/** Entries come once, though the server may have them twice, or another process of this machine takes them now. */
export async function takeNew(
  stream: Pick<HistoryStream, 'begun' | 'read'>,
  { outbox }: Pick<History, 'outbox'>,
): Promise<void> {
  // A stream that was begun anew counts anew.
  const name = `stream ${await stream.begun()}`
  outbox.begin(name, 'oldest')
  const { entry: last = 0, stopped: lastAt } = outbox.cursor(name) ?? {}
  let behind = 0
  const begin = (now: number): void => {
    behind = Date.now() - now
  }
  const take = ({ seq, host, at, text }: StreamMessage): void => {
    const batch = readBatch(text, host, at, behind)
    if (batch) outbox.takeIn(`${host} ${batch.store}`, batch.entries)
    outbox.move(name, { entry: seq, stopped: String(at) })
  }
  // One that was restored from a backup counts on from there: another message has the number of the last one, or none has it.
  let isSame = last === 0
  await stream.read(Math.max(0, last - 1), begin, message => {
    if (isSame) take(message)
    else isSame = message.seq === last && String(message.at) === lastAt
  })
  if (!isSame) await stream.read(0, begin, take)
}

export const isOn = (host: string, { session }: StoredEntry): boolean =>
  session !== undefined && readBoxAddress(session).box === host

/** As `awaySince`, of a host that is away: nobody knows what its sessions do now. */
export function awayOnHost(
  history: History,
  host: string,
  from: number,
  now: number,
): readonly SessionAway[] {
  const before = history.lastOfEach(stateKind, { before: from, without: exited })
  const entries = history.entries({ kinds: [stateKind], since: from, most: Number.POSITIVE_INFINITY })
  const past = [...before, ...entries].filter(entry => isOn(host, entry))
  return whileAway(past, from, now).map(one =>
    one.last.state === 'exited' ? one : { ...one, outcome: 'unknown' as const },
  )
}

/**
 * As `entriesAt`, of a session on one of these hosts.
 * @throws {LullError} NO_SESSION
 */
export function entriesOnHosts(
  history: History,
  address: string,
  hosts: readonly string[],
  filter: EntryFilter,
): readonly StoredEntry[] {
  const there = history
    .lastOfEach(stateKind)
    .filter(entry => hosts.some(host => isOn(host, entry)))
    .map(entry => ({ entry, session: readBoxAddress(entry.session ?? '').session }))
  const last = there.map(({ entry, session }) => ({ ...entry, session }))
  const found = new Set(findPast(last, address, address))
  return there
    .filter(({ session }) => found.has(session))
    .flatMap(({ entry }) => history.entries({ ...filter, session: entry.session as string }))
}
