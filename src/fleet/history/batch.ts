/** What a host publishes of its history: a batch of entries as JSON. Its reader trusts nothing of it but whose it is. Pure. */
import { lastDate } from '../../core/text/last-date.ts'
import { isRecord, parseJson } from '../../core/trace/trace.ts'
import type { Entry, JsonValue, StoredEntry } from '../../history/entry.ts'
import { stateKind } from '../../sessions/history/session-past.ts'
import { knownPart } from '../../shapes/wire.ts'
import { addressOn } from '../box-address.ts'
import { isId } from '../box-rows.ts'

/** Characters of a batch: small ones bound what a host may leave at the server (`subjects.ts`). */
export const batchCharacters = 12 * 1024
export const mostEntries = 1000

export type Batch = {
  /** The store of the host: where it is another one, ids began anew. */
  readonly store: string
  /** The host's clock as it was sent, ms since the epoch. */
  readonly wall: number
  /** In the order of their ids. */
  readonly entries: readonly StoredEntry[]
}

export const batchText = (batch: Batch): string => JSON.stringify(batch)

/** A clock may be off by less than that: a message takes time. ms */
const skewFrom = 2000

/**
 * @param host who published it: nobody else can
 * @param at when it came to the server, ms since the epoch
 * @param behind how far the server's clock is behind this machine's, ms
 * @returns its entries with instants of this machine's clock; undefined where it is no batch
 */
export function readBatch(text: string, host: string, at: number, behind: number): Batch | undefined {
  const sent = parseJson(text)
  if (!isRecord(sent)) return undefined
  const { store, wall, entries } = sent
  if (typeof store !== 'string' || !isName(store) || !isDate(wall) || !Array.isArray(entries))
    return undefined
  const ahead = Math.abs(at - wall) < skewFrom ? 0 : at - wall
  const moved = ahead + (Math.abs(behind) < skewFrom ? 0 : behind)
  let last = 0
  return {
    ...{ store, wall },
    entries: entries.slice(0, mostEntries).flatMap((one: unknown) => {
      if (!isRecord(one) || !Number.isSafeInteger(one.id) || Number(one.id) <= last) return []
      const entry = entryOn(one, host, wall, moved)
      if (!entry) return []
      last = Number(one.id)
      return { id: last, ...entry }
    }),
  }
}

const isDate = (at: unknown): at is number =>
  typeof at === 'number' && Number.isFinite(at) && Math.abs(at) <= lastDate / 2
const isName = (name: string): boolean => /^[\w.-]{1,60}$/.test(name)

function entryOn(
  sent: Readonly<Record<string, unknown>>,
  host: string,
  wall: number,
  moved: number,
): Entry | undefined {
  const { at, kind, session, agent, cwd, run, data } = sent
  if (!isDate(at) || typeof kind !== 'string' || !isName(kind)) return undefined
  // What is of no session would be shown as this machine's.
  if (typeof session !== 'string' || !isId(session)) return undefined
  const known = kind === stateKind ? knownPart('pastState', data) : wordsOf(data)
  if (kind === stateKind && known === undefined) return undefined
  return {
    // Nothing happened after it was told: what is dated later would be kept for ever, and shown before all else.
    ...{ at: Math.min(at, wall) + moved, kind },
    session: addressOn(session, host),
    ...(typeof agent === 'string' && isName(agent) ? { agent } : {}),
    ...(typeof cwd === 'string' && cwd.length <= 4096 ? { cwd } : {}),
    // A run of another host is another one.
    ...(typeof run === 'string' && run.length <= 200 ? { run: addressOn(run, host) } : {}),
    ...(known === undefined ? {} : { data: known as JsonValue }),
  }
}

/** Of what is no state: what a listing shows. */
function wordsOf(data: unknown): JsonValue | undefined {
  if (!isRecord(data)) return undefined
  const texts = ['title', 'why'].flatMap(field => {
    const text = data[field]
    return typeof text === 'string' ? [[field, text.slice(0, 2000)] as const] : []
  })
  return texts.length === 0 ? undefined : Object.fromEntries(texts)
}
