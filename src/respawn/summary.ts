/** A night in a sentence or two. Pure. */
import type { StoredEntry } from '../history/entry.ts'
import { readPastEvent } from './past-event.ts'

/** @param entries of respawns, the oldest first */
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
  return `${sessions} session${sessions === 1 ? '' : 's'}: ${parts.map(([times, what]) => `${times} ${what}`).join(', ')}${last ? `; last: ${endOf(last)}` : ''}`
}

function endOf(entry: StoredEntry): string {
  const { event, type = '' } = readPastEvent(entry) ?? {}
  if (event?.type === 'phase') return event.phase
  return event?.type === 'stopped' ? `stopped (${event.outcome})` : type
}
