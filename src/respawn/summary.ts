/** A night in a sentence or two. Pure. */
import type { StoredEntry } from '../history/entry.ts'

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

function endOf({ kind, data }: StoredEntry): string {
  const of = (name: string): string =>
    typeof data === 'object' && data !== null && !Array.isArray(data)
      ? String((data as Readonly<Record<string, unknown>>)[name] ?? '')
      : ''
  return kind === 'respawn.stopped' ? `stopped (${of('outcome')})` : of('phase')
}
