/** What leaves a machine in a fleet: a setting of that machine. Pure. */
import { redact } from '../../core/redact/redact.ts'
import { isRecord } from '../../core/trace/trace.ts'
import type { JsonValue, StoredEntry } from '../../history/entry.ts'
import { stateKind } from '../../sessions/history/session-past.ts'

/** `states`: what sessions do. `text`: with their words, prompts and dialogs. `screens`: and what their terminals show. */
export const shares = ['states', 'text', 'screens'] as const
export type Share = (typeof shares)[number]

/** Of a past state, without words. */
const stateFields: ReadonlySet<string> = new Set([
  ...['name', 'pid', 'pane', 'place', 'window', 'terminal', 'owner'],
  ...[
    'state',
    'for',
    'doing',
    'after',
    'code',
    'signal',
    'crashed',
    'health',
    'turn',
    'turnOver',
    'isMore',
    'cost',
  ],
])

/** An entry as it may leave: without secrets, and what an action replied is its client's alone. */
export function sharedEntry({ data, ...entry }: StoredEntry, share: Share): StoredEntry {
  if (!isRecord(data)) return entry
  const { reply: _, request: __, ...fields } = data
  if (share !== 'states') return { ...entry, data: JSON.parse(redact(JSON.stringify(fields))) as JsonValue }
  if (entry.kind !== stateKind) return entry
  const states = Object.entries(fields).filter(([field]) => stateFields.has(field))
  return { ...entry, data: Object.fromEntries(states) as JsonValue }
}

/** What may be asked of a machine that shares states alone. */
const paths: readonly RegExp[] = [
  /^\/v1\/(?:status|live|sessions|wait|events)$/,
  /^\/v1\/sessions\/[^/]+(?:\/seen)?$/,
]
/** What shows a terminal. */
const screenPaths: readonly RegExp[] = [/^\/v1\/sessions\/[^/]+\/screen$/, /^\/v1\/recordings/]

/** @param path of a request to its API */
export function isShared(path: string, share: Share): boolean {
  if (share === 'screens') return true
  return share === 'text' ? !screenPaths.some(one => one.test(path)) : paths.some(one => one.test(path))
}
