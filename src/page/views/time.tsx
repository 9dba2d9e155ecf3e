/** The states of all sessions over the last hour, night or week. Choosing a moment shows the state at that time. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { read } from '../host/ask.ts'
import { hostNow, sessions } from '../host/link.ts'
import { useLoaded } from '../host/use-loaded.ts'
import { RecordedMoment } from '../replay/recorded.tsx'
import type { PastEntry } from '../types.ts'
import { folderOf, hashOf, nameOf, pastWords, shortAge, visibly } from '../words.ts'
import type { Stretch } from './stretches.ts'
import { clockAt, Line, type TimeLine, type TimeSpan } from './time-line.tsx'
import { timeMarks } from './time-marks.ts'

const spans = { '1h': 'Hour', '12h': 'Night', '7d': 'Week' } as const
const lengths: Readonly<Record<keyof typeof spans, number>> = {
  '1h': 3600e3,
  '12h': 12 * 3600e3,
  '7d': 7 * 24 * 3600e3,
}

type Charted = {
  readonly lines: readonly TimeLine[]
  readonly span: TimeSpan
  readonly isCut: boolean
}
type Chosen = { readonly line: TimeLine; readonly stretch: Stretch<PastEntry> }

/** So often it is asked for in the time that it shows: an hour each 15 s, a week each 42 min. */
const looks = 240

async function readTime(length: keyof typeof spans, signal: AbortSignal): Promise<Charted> {
  const answer = await read<{ entries: readonly PastEntry[]; truncated?: boolean }>(
    `/v1/history?since=${length}`,
    signal,
  )
  const to = hostNow()
  const span = { from: to - lengths[length], to }
  const lines = [...Map.groupBy(answer.entries, ({ id }) => String(id))].map(([id, entries]) => ({
    ...{ id, entries },
    title: titleOf(id, entries.at(-1)),
  }))
  return { lines, span, isCut: answer.truncated === true }
}

export function TimeView() {
  const [length, setLength] = useState<keyof typeof spans>('1h')
  const [chosen, choose] = useState<Chosen | undefined>(undefined)
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
        <Chart loaded={loaded} chosen={chosen} choose={choose} />
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
  readonly chosen: Chosen | undefined
  readonly choose: (chosen: Chosen) => void
}

/** Where there are more lines than these, the axis is at the top, too. */
const axisAgain = 6
/** A mark needs so much room. Pixels */
const markWidth = 48

function Chart({ loaded: { lines, span }, chosen, choose }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const watcher = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    if (place.current) watcher.observe(place.current)
    return () => watcher.disconnect()
  }, [])
  const { from, to } = span
  const marks = width === 0 ? [] : timeMarks(span, width / markWidth)
  const left = (at: number) => ({ left: `${(100 * (at - from)) / (to - from)}%` })
  // The end has its own word.
  const named = marks.filter(({ at }) => (width * (to - at)) / (to - from) > markWidth)
  const axis = (
    <p class="ends" aria-hidden="true">
      {named.map(({ at, words }) => (
        <span key={at} style={left(at)}>
          {words}
        </span>
      ))}
      <span class="now">now</span>
    </p>
  )
  return (
    <div class="chart" ref={place}>
      <ul class="legend" aria-hidden="true">
        {['waiting', 'working', 'idle', 'unknown', 'exited'].map(state => (
          <li key={state}>
            <span class={`stretch ${state}`} /> {state}
          </li>
        ))}
      </ul>
      {lines.length > axisAgain ? axis : null}
      <div class="over">
        <ol>
          {lines.map(line => (
            <li key={line.id}>
              {width === 0 ? null : (
                <Line line={line} span={span} width={width} choose={stretch => choose({ line, stretch })} />
              )}
              {chosen?.line.id === line.id ? <Moment {...chosen} /> : null}
            </li>
          ))}
        </ol>
        <div class="marks" aria-hidden="true">
          {marks.map(({ at }) => (
            <i key={at} style={left(at)} />
          ))}
        </div>
      </div>
      {axis}
      <p class="sr">
        From {clockAt(from)} to {clockAt(to)}
      </p>
    </div>
  )
}

function Moment({ line, stretch: { past, from, to } }: Chosen) {
  const words = past.question ?? past.error ?? past.message ?? past.prompt ?? past.note
  return (
    <section class="moment" role="status">
      <h2>{visibly(line.title)}</h2>
      <p>
        <strong>{pastWords(past)}</strong> from {new Date(from).toLocaleString()} for {shortAge(to - from)}
      </p>
      {words === undefined ? null : <p>{visibly(String(words))}</p>}
      <p class="links">
        <a href={hashOf(line.id)}>Open the session</a> <RecordedMoment id={line.id} from={from} to={to} />
      </p>
    </section>
  )
}
