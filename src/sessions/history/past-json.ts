/** Past states as JSON: what `lull history --json`, `lull since --json` and the API print. */

import { isRecord } from '../../core/trace/trace.ts'
import type { StoredEntry } from '../../history/entry.ts'
import { isoOf } from '../../shapes/verdict-json.ts'
import type { SessionAway } from './while-away.ts'

/** The fields of `lull ps --json`, as far as they are kept; `entry` is its number in the store. */
export function jsonEntry({ at, id: entry, session: id, data, ...rest }: StoredEntry) {
  // What an action replied is its client's alone.
  const { reply: _, ...fields }: Readonly<Record<string, unknown>> = isRecord(data) ? data : { data }
  return { at: isoOf(at), entry, ...rest, ...(id === undefined ? {} : { id }), ...fields }
}

/** As `lull since --json` prints it: instants as ISO time, durations in seconds. */
export const jsonAway = ({ session: id, since, last, waited, ...rest }: SessionAway) => ({
  id,
  ...rest,
  ...last,
  since: isoOf(since),
  waited: Math.round(waited) / 1000,
})
