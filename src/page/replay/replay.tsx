/** Recordings: which there are, and one of them as it went, its verdict beside its screen. */
import { useState } from 'preact/hooks'
import { read, recordingPath } from '../host/ask.ts'
import { hostNow, sessions } from '../host/link.ts'
import { useLoaded } from '../host/use-loaded.ts'
import type { Film, ListedRecordings, RecordingRow } from '../types.ts'
import { folderOf, nameOf, visibly } from '../words.ts'
import { placeWords, replayHash, replayIn } from './film.ts'
import { Player } from './player.tsx'
import { useRecordings } from './recorded.tsx'

/** The host judges it first. ms */
const judgeMs = 90_000

export function ReplayView() {
  const { name, at } = replayIn(location.hash)
  return name === undefined ? <List /> : <Recording name={name} at={at} />
}

function List() {
  const { loaded, problem } = useRecordings()
  return (
    <>
      <h1>Replay</h1>
      {problem === undefined ? null : <p class="problem">{problem}</p>}
      {loaded === undefined ? (
        problem === undefined ? (
          <p class="quiet">Loading…</p>
        ) : null
      ) : (
        <Listed {...loaded} />
      )}
    </>
  )
}

function Listed({ folder, recordings, more }: ListedRecordings) {
  return (
    <>
      {recordings.length === 0 ? (
        <p>There are no recordings yet.</p>
      ) : (
        <ul class="rows recordings">
          {recordings.map(row => (
            <li key={row.name} class="row">
              <Row row={row} />
            </li>
          ))}
        </ul>
      )}
      {more === undefined ? null : <p class="quiet">{more} older recordings are not listed.</p>}
      <p class="quiet">
        <code>lull record SESSION</code> records a session. Recordings are in <code>{visibly(folder)}</code>.
      </p>
    </>
  )
}

const titleOf = (name: string): string => visibly(name.replace(/\.cast(\.gz)?$/, ''))

function Row({ row: { name, agent, session, startedAt, length, problem } }: { readonly row: RecordingRow }) {
  const of = session === undefined ? undefined : sessions.get(session)?.row.peek()
  const title = titleOf(name)
  if (problem !== undefined)
    return (
      <p class="unplayed">
        <span class="name">{title}</span> <span class="problem">{visibly(problem)}</span>
      </p>
    )
  return (
    <a href={replayHash(name)}>
      <span class="state">{visibly(agent ?? '') || 'recording'}</span>
      <span class="age">{length === undefined ? '' : placeWords(length)}</span>
      <span class="name">
        {of ? nameOf(of) : title} {of ? <span class="folder">{folderOf(of.cwd)}</span> : null}
      </span>
      {startedAt === undefined ? null : <span class="topic">{new Date(startedAt).toLocaleString()}</span>}
    </a>
  )
}

/** What has grown within this is perhaps still written to. ms */
const growingMs = 120_000

function Recording({ name, at }: { readonly name: string; readonly at: number }) {
  const [times, again] = useState(0)
  const { loaded, problem } = useLoaded(`${name} ${times}`, signal =>
    read<Film>(recordingPath(name), signal, judgeMs),
  )
  const begun = loaded?.startedAt === undefined ? 0 : Date.parse(loaded.startedAt)
  const isGrowing = loaded !== undefined && hostNow() - begun - loaded.length * 1000 < growingMs
  return (
    <article class="replay">
      <p>
        <a href="#/replay">← All recordings</a>
      </p>
      <h1>{titleOf(name)}</h1>
      {problem === undefined ? null : (
        <p class="problem" role="alert">
          It cannot be played: {visibly(problem)}.
        </p>
      )}
      {loaded ? (
        <Player
          key={loaded.id}
          name={name}
          film={loaded}
          from={times === 0 ? at : replayIn(location.hash).at}
        />
      ) : problem === undefined ? (
        <p class="quiet">The host judges this recording…</p>
      ) : null}
      {isGrowing ? (
        <button type="button" onClick={() => again(times + 1)}>
          Load what was recorded since
        </button>
      ) : null}
    </article>
  )
}
