/** The states of one session as a line of buttons: drawn only while it is near what is shown, no finer than a finger or an eye can tell. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { PastEntry } from '../types.ts'
import { hashOf, pastWords, shortAge, visibly } from '../words.ts'
import { type Stretch, stretchesOf, sums } from './stretches.ts'

export type TimeLine = { readonly id: string; readonly title: string; readonly entries: readonly PastEntry[] }
export type TimeSpan = { readonly from: number; readonly to: number }

/** A stretch is at least so wide. Pixels */
const finest = 3

type LineProps = {
  readonly line: TimeLine
  readonly span: TimeSpan
  /** Pixels. */
  readonly width: number
  readonly choose: (stretch: Stretch<PastEntry>) => void
}

export function Line({ line: { id, title, entries }, span, width, choose }: LineProps) {
  const { place, isNear } = useNear()
  const stretches = useMemo(
    () => stretchesOf(entries, ({ at }) => Date.parse(at), span, width / finest),
    [entries, span, width],
  )
  return (
    <>
      <a class="name" href={hashOf(id)}>
        {visibly(title)}
      </a>
      <span class="sr">
        {sums(stretches)
          .map(([state, ms]) => `${state} ${shortAge(ms)}`)
          .join(', ')}
      </span>
      <div
        class="line"
        ref={place}
        role="toolbar"
        aria-label={`States of ${visibly(title)}`}
        onKeyDown={moveFocus}
      >
        {isNear ? <Stretches stretches={stretches} span={span} choose={choose} /> : null}
      </div>
    </>
  )
}

type StretchesProps = Pick<LineProps, 'span' | 'choose'> & {
  readonly stretches: readonly Stretch<PastEntry>[]
}

/** Tab comes to the last of them, arrows go from one to the next. */
function Stretches({ stretches, span: { from, to }, choose }: StretchesProps) {
  const share = (ms: number): string => `${(100 * ms) / (to - from)}%`
  return stretches.map((stretch, n) => (
    <button
      key={stretch.from}
      type="button"
      class={`stretch ${stretch.past.state}`}
      tabIndex={n === stretches.length - 1 ? 0 : -1}
      aria-label={`${pastWords(stretch.past)} at ${clockAt(stretch.from)}`}
      title={`${pastWords(stretch.past)}, ${shortAge(stretch.to - stretch.from)}`}
      style={{
        left: `min(${share(stretch.from - from)}, 100% - ${finest}px)`,
        width: share(stretch.to - stretch.from),
      }}
      onClick={() => choose(stretch)}
    />
  ))
}

/** Made once: to make one takes as long as to draw a stretch. */
const clock = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: '2-digit', minute: '2-digit' })
export const clockAt = (at: number): string => clock.format(at)

function moveFocus(event: KeyboardEvent): void {
  const { key, target } = event
  if (!(target instanceof HTMLElement) || (key !== 'ArrowLeft' && key !== 'ArrowRight')) return
  const next = key === 'ArrowLeft' ? target.previousElementSibling : target.nextElementSibling
  if (next instanceof HTMLElement) next.focus()
  event.preventDefault()
}

/** Whether it is on the screen, or nearly. */
function useNear() {
  const place = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const watcher = new IntersectionObserver(
      entries => setNear(entries.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: '300px' },
    )
    if (place.current) watcher.observe(place.current)
    return () => watcher.disconnect()
  }, [])
  return { place, isNear }
}
