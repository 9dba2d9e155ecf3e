/** Plays a recording: its screen, the verdict that lull has for each moment, and a bar of its states. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { Cells } from '../session/cells.tsx'
import type { Film } from '../types.ts'
import { counted, pastWords, shortAge, visibly } from '../words.ts'
import { Bar } from './bar.tsx'
import { changeAt, changeIndex, neighbour, placeWords, replayHash, widthOf } from './film.ts'
import { usePictures } from './pictures.ts'

const speeds = [1, 2, 5, 10, 60]
/** How far an arrow key goes. Seconds */
const stepSeconds = 5
/** ms. A screen is drawn anew not more often than it was recorded. */
const frameMs = 100
/** The address follows once the moment stays. ms */
const noteMs = 300

type PlayerProps = { readonly name: string; readonly film: Film; readonly from: number }

export function Player({ name, film, from }: PlayerProps) {
  const { at, isPlaying, speed, setSpeed, seek, toggle } = usePlayback(film.length, from)
  const { shown, isAwaited, from: begins, problem } = usePictures(name, film, at)
  const go = (by: 1 | -1): void => seek(neighbour(film, at, by))
  useAddress(name, at, isPlaying)
  usePlayerKeys({
    ' ': toggle,
    ArrowLeft: () => seek(at - stepSeconds),
    ArrowRight: () => seek(at + stepSeconds),
    p: () => go(-1),
    n: () => go(1),
  })
  return (
    <>
      <div class="beside">
        <div class="film">
          {problem === undefined ? null : <p class="problem">{visibly(problem)}</p>}
          {isAwaited && shown ? <p role="status">The screen of this moment is being loaded…</p> : null}
          {begins === undefined ? null : (
            <p class="quiet">Its screen was empty until {placeWords(begins)}, which is shown:</p>
          )}
          {film.pieces.length === 0 ? (
            <p class="quiet">This recording has no screen.</p>
          ) : shown ? (
            <div
              class={isAwaited ? 'fit old' : 'fit'}
              // Its text can be wider than a phone: keys scroll it.
              // biome-ignore lint/a11y/noNoninteractiveTabindex: as above
              tabIndex={0}
              style={{ '--columns': String(Math.max(40, widthOf(shown))) }}
            >
              <Cells cells={shown} />
            </div>
          ) : (
            <p class="quiet">Loading…</p>
          )}
        </div>
        <Verdict film={film} at={at} isPlaying={isPlaying} />
      </div>
      <Bar film={film} at={at} seek={seek} />
      <fieldset class="tools controls" aria-label="Playing">
        <button type="button" onClick={() => go(-1)}>
          ‹ State
        </button>
        <button type="button" class="play" onClick={toggle}>
          {isPlaying ? 'Pause' : 'Play'}
        </button>
        <button type="button" onClick={() => go(1)}>
          State ›
        </button>
        <select
          aria-label="Speed"
          value={speed}
          onChange={event => setSpeed(Number(event.currentTarget.value))}
        >
          {speeds.map(one => (
            <option key={one} value={one}>
              {one}×
            </option>
          ))}
        </select>
        <span class="place">
          {placeWords(at)} of {placeWords(film.length)}
        </span>
      </fieldset>
      <States film={film} at={at} seek={seek} />
      <p class="quiet">
        {film.skipped === 0 ? '' : `${film.skipped} damaged lines were skipped. `}
        {film.grain > 0.1 && film.pieces.length > 0
          ? `The screen is shown every ${placeWords(film.grain)}. `
          : ''}
      </p>
    </>
  )
}

/** Time goes on by the clock, whatever is drawn. */
function usePlayback(length: number, from: number) {
  const [at, setAt] = useState(Math.min(from, length))
  const [isPlaying, play] = useState(false)
  const [speed, setSpeed] = useState(1)
  const now = useRef(at)
  /** Undefined once a person has chosen another moment than the one that a link led to. */
  const awaited = useRef<number | undefined>(from)
  const seek = (to: number): void => {
    awaited.current = undefined
    now.current = Math.min(length, Math.max(0, to))
    setAt(now.current)
  }
  // What it leads to may not have been written when the recording was loaded.
  useEffect(() => {
    if (awaited.current === undefined) return
    now.current = Math.min(awaited.current, length)
    setAt(now.current)
  }, [length])
  useEffect(() => {
    if (!isPlaying) return
    let last = performance.now()
    const timer = setInterval(() => {
      const next = performance.now()
      seek(now.current + ((next - last) / 1000) * speed)
      last = next
      if (now.current >= length) play(false)
    }, frameMs)
    return () => clearInterval(timer)
  }, [isPlaying, speed])
  function toggle(): void {
    // At its end it begins anew.
    if (!isPlaying && now.current >= length) seek(0)
    play(!isPlaying)
  }
  return { at, isPlaying, speed, setSpeed, seek, toggle }
}

/** The address names the moment that is shown. Nothing is loaded by that. */
function useAddress(name: string, at: number, isPlaying: boolean): void {
  useEffect(() => {
    if (isPlaying) return
    const timer = setTimeout(() => history.replaceState(null, '', replayHash(name, at)), noteMs)
    return () => clearTimeout(timer)
  }, [name, at, isPlaying])
}

function usePlayerKeys(meanings: Readonly<Record<string, () => void>>): void {
  const last = useRef(meanings)
  last.current = meanings
  useEffect(() => {
    function pressed(event: KeyboardEvent): void {
      const { key, target, ctrlKey, metaKey, altKey } = event
      if (ctrlKey || metaKey || altKey || !Object.hasOwn(last.current, key)) return
      if (target instanceof HTMLElement && target.matches(takesKeys)) return
      // A button that has the focus is pressed by it.
      if (key === ' ' && target instanceof HTMLElement && target.matches('button, summary, a')) return
      event.preventDefault()
      last.current[key]?.()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [])
}
const takesKeys = 'select, textarea, input:not([type=range])'

type VerdictProps = { readonly film: Film; readonly at: number; readonly isPlaying: boolean }

function Verdict({ film: { changes, startedAt }, at, isPlaying }: VerdictProps) {
  const change = changeAt(changes, at)
  const wall = startedAt === undefined ? undefined : new Date(Date.parse(startedAt) + at * 1000)
  return (
    <section
      class="replay-verdict"
      aria-label="Verdict at this moment"
      aria-live={isPlaying ? 'off' : 'polite'}
    >
      {change === undefined ? (
        <p class="quiet">Nothing was known yet.</p>
      ) : (
        <>
          <h2>
            <span class={`swatch stretch ${change.state}`} aria-hidden="true" /> {pastWords(change)}
          </h2>
          <p class="quiet">
            for {shortAge((at - change.at) * 1000)}, {Math.round(change.confidence * 100)} % sure
            {wall === undefined ? '' : `, at ${wall.toLocaleTimeString()}`}
          </p>
          <p>{visibly(change.why)}</p>
          {change.health === 'healthy' ? null : (
            <p class="problem">
              {change.health.replaceAll('_', ' ')}
              {change.healthWhy === undefined ? '' : `: ${visibly(change.healthWhy)}`}
            </p>
          )}
          <ul class="evidence">
            {change.because.map(({ source, what }) => (
              <li key={`${source} ${what}`}>
                {source}: {visibly(what)}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

type StatesProps = { readonly film: Film; readonly at: number; readonly seek: (at: number) => void }

/** More are made when somebody asks for them. */
const pageful = 200

function States({ film: { changes, marks, moreChanges = 0 }, at, seek }: StatesProps) {
  const [most, setMost] = useState(pageful)
  const index = changeIndex(changes, at)
  return (
    <details>
      <summary>
        {counted(changes.length, 'state')}
        {marks.length === 0 ? '' : `, ${counted(marks.length, 'marker')}`}
      </summary>
      <ol class="states">
        {changes.slice(0, most).map((change, n) => (
          <li key={change.at}>
            <button
              type="button"
              aria-current={n === index ? 'true' : undefined}
              onClick={() => seek(change.at)}
            >
              <span class="age">{placeWords(change.at)}</span> <strong>{pastWords(change)}</strong>{' '}
              <span class="topic">{visibly(change.why)}</span>
            </button>
          </li>
        ))}
      </ol>
      {changes.length > most ? (
        <button type="button" onClick={() => setMost(most + pageful)}>
          {changes.length - most} more
        </button>
      ) : null}
      {moreChanges === 0 ? null : <p class="quiet">{moreChanges} later ones are left out.</p>}
      {marks.length === 0 ? null : (
        <ul class="states">
          {marks.map(({ at: marked, text }) => (
            <li key={marked}>
              <button type="button" onClick={() => seek(marked)}>
                <span class="age">{placeWords(marked)}</span> marker: {visibly(text)}
              </button>
            </li>
          ))}
        </ul>
      )}
    </details>
  )
}
