/** Whether a session was recorded, and the way to its recording. */
import { read } from '../host/ask.ts'
import { hostNow } from '../host/link.ts'
import { useLoaded } from '../host/use-loaded.ts'
import type { ListedRecordings } from '../types.ts'
import { visibly } from '../words.ts'
import { placeWords, recordedAt, replayHash } from './film.ts'

/** @param since another one: they are asked for again */
export const useRecordings = (since = '') =>
  useLoaded(`recordings ${since}`, signal => read<ListedRecordings>('/v1/recordings', signal))

const hourMs = 3600e3

type RecordedProps = {
  readonly id: string
  /** Of its present state. */
  readonly since: string | undefined
}

/** The last hour of a session, or what there is of it. */
export function Recorded({ id, since }: RecordedProps) {
  const { loaded, problem } = useRecordings(since)
  if (problem !== undefined) return <p class="problem">{visibly(problem)}</p>
  if (!loaded) return <p class="quiet">Loading…</p>
  const all = loaded.recordings.filter(({ session, problem }) => session === id && problem === undefined)
  const now = hostNow()
  const last = recordedAt(loaded.recordings, id, now - hourMs, now)
  return (
    <>
      {all.length === 0 ? (
        <p>
          This session is not recorded. <code>lull record {id}</code> records it from now on, until Ctrl+C;
          then it can be replayed here.
        </p>
      ) : null}
      {last ? (
        <p>
          <a href={replayHash(last.name, last.at)}>Replay the last hour</a>{' '}
          <span class="quiet">or what was recorded of it</span>
        </p>
      ) : null}
      <ul class="turns">
        {all.map(({ name, startedAt, length }) => (
          <li key={name}>
            <a href={replayHash(name)}>
              {startedAt === undefined ? visibly(name) : `From ${new Date(startedAt).toLocaleString()}`}
            </a>{' '}
            {length === undefined ? '' : `for ${placeWords(length)}`}
          </li>
        ))}
      </ul>
    </>
  )
}

type MomentProps = { readonly id: string; readonly from: number; readonly to: number }

/** A moment of the past, where it was recorded. @param from ms since the epoch */
export function RecordedMoment({ id, from, to }: MomentProps) {
  const { loaded } = useRecordings()
  const found = loaded && recordedAt(loaded.recordings, id, from, to)
  if (found) return <a href={replayHash(found.name, found.at)}>Replay this moment</a>
  return loaded ? <span class="quiet">It was not recorded.</span> : null
}
