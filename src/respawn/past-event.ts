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

/**
 * The last entries of respawns that neither reported their end nor answer now: killed, hung, or the machine went down.
 * @param entries of all respawns, the oldest first
 * @param running ids of the sessions whose respawn answers
 */
export function cutOff(
  entries: readonly StoredEntry[],
  running: ReadonlySet<string>,
): ReadonlySet<StoredEntry> {
  const open = new Map<string, StoredEntry>()
  const newest = new Map<string, string>()
  for (const entry of entries) {
    // A relaunched agent has another session, and the respawn goes on with it.
    const { session = '', run = session } = entry
    newest.set(session, run)
    if (entry.kind === 'respawn.stopped') open.delete(run)
    else open.set(run, entry)
  }
  const isOn = (run: string, session = '') => running.has(session) && newest.get(session) === run
  return new Set([...open].flatMap(([run, last]) => (isOn(run, last.session) ? [] : [last])))
}

/** A night in a sentence or two. @param entries of respawns, the oldest first */
export function summaryOf(entries: readonly StoredEntry[]): string {
  const count = (kind: string): number => entries.filter(entry => entry.kind === `respawn.${kind}`).length
  const sessions = new Set(entries.map(({ session }) => session)).size
  if (sessions === 0) return 'nothing was done'
  const parts = [
    [count('sent'), 'sent'],
    [count('turn_ended'), 'turns ended'],
    [count('blocked'), 'asked a person'],
    [count('accepted'), 'answered by a rule'],
    [count('limited'), 'limits'],
    [count('stuck'), 'stuck'],
    [count('judged'), 'judged by the AI'],
    [count('failed') + count('refused'), 'not sent'],
  ].filter(([times]) => times !== 0)
  const last = entries.findLast(({ kind }) => kind === 'respawn.stopped' || kind === 'respawn.phase')
  const counted =
    parts.length === 0 ? 'nothing sent' : parts.map(([times, what]) => `${times} ${what}`).join(', ')
  return `${sessions} session${sessions === 1 ? '' : 's'}: ${counted}${last ? `; last: ${endOf(last)}` : ''}`
}

function endOf(entry: StoredEntry): string {
  const { event, type = '' } = readPastEvent(entry) ?? {}
  if (event?.type === 'phase') return event.phase
  return event?.type === 'stopped' ? `stopped (${event.outcome})` : type
}
