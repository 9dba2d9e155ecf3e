/** The states of all sessions over the last hour, night or week. Choosing a moment shows the state at that time. */
import { useState } from 'preact/hooks'
import { read } from '../host/ask.ts'
import { hostNow, sessions } from '../host/link.ts'
import { useLoaded } from '../host/use-loaded.ts'
import type { PastEntry } from '../types.ts'
import { folderOf, hashOf, nameOf, pastWords, shortAge, visibly } from '../words.ts'
import { type Stretch, stretchesOf, sums } from './stretches.ts'

const spans = { '1h': 'Hour', '12h': 'Night', '7d': 'Week' } as const
const lengths: Readonly<Record<keyof typeof spans, number>> = {
  '1h': 3600e3,
  '12h': 12 * 3600e3,
  '7d': 7 * 24 * 3600e3,
}

type Line = { readonly id: string; readonly title: string; readonly stretches: readonly Stretch[] }
type Charted = {
  readonly lines: readonly Line[]
  readonly from: number
  readonly to: number
  readonly isCut: boolean
}

/** So often it is asked for in the time that it shows: an hour each 15 s, a week each 42 min. */
const looks = 240
/** Finer than this nothing is drawn. Pixels */
const width = 800

async function readTime(length: keyof typeof spans, signal: AbortSignal): Promise<Charted> {
  const answer = await read<{ entries: readonly PastEntry[]; truncated?: boolean }>(
    `/v1/history?since=${length}`,
    signal,
  )
  const to = hostNow()
  const span = { from: to - lengths[length], to }
  const lines = [...Map.groupBy(answer.entries, ({ id }) => String(id))].map(([id, entries]) => ({
    id,
    title: titleOf(id, entries.at(-1)),
    stretches: stretchesOf(entries, span, width),
  }))
  return {
    lines: lines.filter(({ stretches }) => stretches.length > 0),
    ...span,
    isCut: answer.truncated === true,
  }
}

export function TimeView() {
  const [length, setLength] = useState<keyof typeof spans>('1h')
  const [chosen, choose] = useState<{ readonly line: Line; readonly stretch: Stretch } | undefined>(undefined)
  const { loaded, problem } = useLoaded(length, signal => readTime(length, signal), lengths[length] / looks)
  return (
    <>
      <h1>Time</h1>
      <fieldset class="tools" aria-label="How far back">
        {Object.entries(spans).map(([name, title]) => (
          <button
            key={name}
            type="button"
            aria-pressed={length === name}
            onClick={() => setLength(name as keyof typeof spans)}
          >
            {title}
          </button>
        ))}
      </fieldset>
      {problem === undefined ? null : <p class="problem">{problem}</p>}
      {loaded === undefined ? (
        <p class="quiet">Loading…</p>
      ) : loaded.lines.length === 0 ? (
        <p class="quiet">The history has no entries for this time.</p>
      ) : (
        <Chart loaded={loaded} chosen={chosen} choose={(line, stretch) => choose({ line, stretch })} />
      )}
      {loaded?.isCut ? <p class="quiet">Older entries are left out.</p> : null}
    </>
  )
}

function titleOf(id: string, last: PastEntry | undefined): string {
  const row = sessions.get(id)?.row.peek()
  if (row) return `${nameOf(row)} in ${folderOf(row.cwd)}`
  return [last?.agent ?? id, last?.cwd === undefined ? '' : `in ${folderOf(String(last.cwd))}`].join(' ')
}

type ChartProps = {
  readonly loaded: Charted
  readonly chosen: { readonly line: Line; readonly stretch: Stretch } | undefined
  readonly choose: (line: Line, stretch: Stretch) => void
}

function Chart({ loaded: { lines, from, to }, chosen, choose }: ChartProps) {
  const share = (ms: number): string => `${(100 * ms) / (to - from)}%`
  const clock = (at: number): string =>
    new Date(at).toLocaleString(undefined, { weekday: 'short', hour: '2-digit', minute: '2-digit' })
  return (
    <div class="chart">
      <ul class="legend" aria-hidden="true">
        {['waiting', 'working', 'idle', 'unknown'].map(state => (
          <li key={state}>
            <span class={`stretch ${state}`} /> {state}
          </li>
        ))}
      </ul>
      <ol>
        {lines.map(line => (
          <li key={line.id}>
            <span class="name">{visibly(line.title)}</span>
            <span class="sr">
              {sums(line.stretches)
                .map(([state, ms]) => `${state} ${shortAge(ms)}`)
                .join(', ')}
            </span>
            <div class="line">
              {line.stretches.map(stretch => (
                <button
                  key={stretch.from}
                  type="button"
                  class={`stretch ${stretch.past.state}`}
                  aria-label={`${pastWords(stretch.past)} at ${clock(stretch.from)}`}
                  title={`${pastWords(stretch.past)}, ${shortAge(stretch.to - stretch.from)}`}
                  style={{ left: share(stretch.from - from), width: share(stretch.to - stretch.from) }}
                  onClick={() => choose(line, stretch)}
                />
              ))}
            </div>
            {chosen?.line.id === line.id ? <Moment {...chosen} /> : null}
          </li>
        ))}
      </ol>
      <p class="ends" aria-hidden="true">
        <span>{clock(from)}</span>
        <span>now</span>
      </p>
    </div>
  )
}

function Moment({ line, stretch: { past, from, to } }: { readonly line: Line; readonly stretch: Stretch }) {
  const words = past.question ?? past.error ?? past.message ?? past.prompt ?? past.note
  return (
    <section class="moment" role="status">
      <h2>{visibly(line.title)}</h2>
      <p>
        <strong>{pastWords(past)}</strong> from {new Date(from).toLocaleString()} for {shortAge(to - from)}
      </p>
      {words === undefined ? null : <p>{visibly(String(words))}</p>}
      <a href={hashOf(line.id)}>Open the session</a>
    </section>
  )
}
