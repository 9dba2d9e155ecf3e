/** The past states of a session, the newest first, each with how long it stood. */
import { read, sessionPath } from '../host/ask.ts'
import { hostNow } from '../host/link.ts'
import { useLoaded } from '../host/use-loaded.ts'
import type { PastEntry } from '../types.ts'
import { pastWords, shortAge, visibly } from '../words.ts'

type PastProps = {
  readonly id: string
  /** Of its present state: another one has been kept since. */
  readonly since: string | undefined
}

export function PastStates({ id, since }: PastProps) {
  const { loaded, problem } = useLoaded(`${id} ${since}`, signal =>
    read<{ entries: readonly PastEntry[] }>(sessionPath(id, '/history?most=200'), signal),
  )
  if (problem !== undefined) return <p class="problem">{problem}</p>
  if (!loaded) return <p class="quiet">Loading…</p>
  const { entries } = loaded
  if (entries.length === 0) return <p class="quiet">The history has no entries for it yet.</p>
  return (
    <ol class="turns">
      {entries
        .map((entry, at) => {
          const end = entries[at + 1]?.at
          const lasted = (end === undefined ? hostNow() : Date.parse(end)) - Date.parse(entry.at)
          return (
            <li key={entry.entry}>
              <time dateTime={entry.at}>{new Date(entry.at).toLocaleTimeString()}</time>{' '}
              <strong>{pastWords(entry)}</strong> for {shortAge(lasted)}
              <span class="topic">
                {visibly(String(entry.question ?? entry.error ?? entry.message ?? entry.prompt ?? ''))}
              </span>
            </li>
          )
        })
        .reverse()}
    </ol>
  )
}
