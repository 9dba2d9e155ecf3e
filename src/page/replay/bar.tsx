/** The states of a recording as a bar, in which a moment is chosen. */
import { useMemo } from 'preact/hooks'
import type { Film } from '../types.ts'
import { stretchesOf } from '../views/stretches.ts'
import { pastWords } from '../words.ts'
import { changeAt, placeWords } from './film.ts'

/** Finer than this nothing is drawn. Pixels */
const width = 800

type BarProps = { readonly film: Film; readonly at: number; readonly seek: (at: number) => void }

export function Bar({ film, at, seek }: BarProps) {
  const length = Math.max(film.length, 0.1)
  const stretches = useMemo(
    () => stretchesOf(film.changes, change => change.at * 1000, { from: 0, to: length * 1000 }, width),
    [film],
  )
  const share = (seconds: number): string => `${(100 * seconds) / length}%`
  const change = changeAt(film.changes, at)
  return (
    <div class="seek">
      <div class="line" aria-hidden="true">
        {stretches.map(({ from, to, past }) => (
          <span
            key={from}
            class={`stretch ${past.state}`}
            style={{ left: share(from / 1000), width: share((to - from) / 1000) }}
          >
            <b>{past.state}</b>
          </span>
        ))}
        {film.marks.map(mark => (
          <span key={mark.at} class="marker" style={{ left: share(mark.at) }} />
        ))}
      </div>
      <input
        type="range"
        aria-label="Moment"
        aria-valuetext={`${placeWords(at)}: ${change ? pastWords(change) : 'nothing known yet'}`}
        min={0}
        max={length}
        step={0.1}
        value={at}
        onInput={event => seek(Number(event.currentTarget.value))}
      />
    </div>
  )
}
