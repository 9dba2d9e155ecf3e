/** An event of a respawn as the history kept it. Pure. */
import { isRecord } from '../core/trace/trace.ts'
import type { StoredEntry } from '../history/entry.ts'
import { isShaped } from '../shapes/wire.ts'
import type { TimedRespawnEvent } from './respawn-events.ts'

/** `event`: where it has the shape of what lull writes; one of another version may be of a type that is not known. */
export type PastRespawnEvent = {
  readonly type: string
  readonly why: string
  readonly isDry: boolean
  readonly event?: TimedRespawnEvent
}

/** @returns undefined where it is no event of a respawn */
export function readPastEvent({ at, kind, data }: StoredEntry): PastRespawnEvent | undefined {
  const [, type] = /^respawn\.(.+)$/s.exec(kind) ?? []
  if (type === undefined) return undefined
  const kept = isRecord(data) ? data : {}
  const why = typeof kept.why === 'string' ? kept.why : ''
  const past = { type, why, isDry: kept.isDry === true }
  const event = { ...kept, type, why, time: at }
  return isShaped('respawnEvent', event) ? { ...past, event: event as TimedRespawnEvent } : past
}
