/** What leaves a machine in a fleet: a setting of that machine. Pure. */
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

/** Of what is no state: what a listing shows. What an action replied is its client's alone. */
const wordFields: ReadonlySet<string> = new Set(['title', 'why'])

/** Characters of a text that was typed: a server takes no message of any size, and an entry that it refuses holds up all after it. */
const mostWords = 2000

const cut = (value: unknown): unknown => (typeof value === 'string' ? value.slice(0, mostWords) : value)

/** An entry as it may leave, but for secrets in it. */
export function sharedEntry({ data, ...entry }: StoredEntry, share: Share): StoredEntry {
  if (!isRecord(data)) return entry
  const isState = entry.kind === stateKind
  if (isState && share !== 'states') return { ...entry, data: data as JsonValue }
  if (!isState && share === 'states') return entry
  const fields = isState ? stateFields : wordFields
  const kept = Object.entries(data).flatMap(([field, value]) =>
    fields.has(field) ? [[field, cut(value)] as const] : [],
  )
  return { ...entry, data: Object.fromEntries(kept) as JsonValue }
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
