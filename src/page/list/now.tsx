/** All sessions, the most urgent first. */
import { computed, effect, type Signal, signal, useComputed } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { compareUrgency } from '../../core/explain/need.ts'
import { act, sessionPath } from '../host/ask.ts'
import { changes, hostNow, ids, type Known, link, seconds, sessions } from '../host/link.ts'
import type { ThinRow } from '../types.ts'
import { ageOf, folderOf, hashOf, nameOf, placeOf, topicOf, wordsOf } from '../words.ts'
import { AwayPanel } from './away.tsx'
import { orderFor } from './order.ts'

const search = signal('')
const filters = { all: 'All', needs: 'Need you', working: 'Working', rest: 'At rest' } as const
const filter = signal<keyof typeof filters>('all')
const groupings = { none: 'One list', folder: 'By folder', machine: 'By machine' } as const
const grouping = signal<keyof typeof groupings>('none')
/** The row that the keyboard is at. */
export const chosen = signal<string | undefined>(undefined)

/** Rows keep their places for so long after a hand was on the list. ms */
const handMs = 2500
let handAt = -Infinity
const touched = (): void => {
  handAt = performance.now()
}
const order = signal<readonly string[]>([])
const isSame = <T,>(a: readonly T[], b: readonly T[]): boolean =>
  a.length === b.length && a.every((one, at) => one === b[at])
const wanted = computed(() => {
  changes.value
  const rows = ids.value.flatMap(id => sessions.get(id)?.row.peek() ?? [])
  return rows.sort(compareUrgency).map(({ id }) => id)
})
let isDue = false

function settleOrder(): void {
  isDue = false
  const rest = handMs - (performance.now() - handAt)
  const next = orderFor(order.peek(), wanted.peek(), rest <= 0)
  if (!isSame(next, order.peek())) order.value = next
  if (rest > 0) settleIn(rest)
}

function settleIn(ms: number): void {
  if (isDue) return
  isDue = true
  setTimeout(settleOrder, ms)
}

/** At most four times a second, however many rows change. */
effect(() => {
  changes.value
  ids.value
  settleIn(order.peek().length === 0 ? 0 : 250)
})

function fits(row: ThinRow): boolean {
  const words = search.value.toLowerCase()
  const text = () => `${nameOf(row)} ${row.cwd ?? ''} ${topicOf(row)} ${wordsOf(row)}`.toLowerCase()
  if (words !== '' && !text().includes(words)) return false
  switch (filter.value) {
    case 'needs':
      return row.needsMe
    case 'working':
      return row.state === 'working' || row.state === 'starting'
    case 'rest':
      return row.state === 'idle' || row.state === 'exited'
    default:
      return true
  }
}

let listedBefore: readonly Known[] = []
/** Those that are listed, in their order: the same array until one comes, goes or moves, for each row follows its own changes. */
export const listed = computed(() => {
  changes.value
  const next = order.value.flatMap(id => {
    const known = sessions.get(id)
    return known && fits(known.row.peek()) ? [known] : []
  })
  if (!isSame(next, listedBefore)) listedBefore = next
  return listedBefore
})

/** Rows beyond these are made when the reader comes near them. */
const pageful = 60
const shown = signal(pageful)

export function Now() {
  const all = listed.value
  const some = all.slice(0, shown.value)
  return (
    <>
      <AwayPanel />
      <search>
        <form class="tools" onSubmit={event => event.preventDefault()}>
          <input
            id="search"
            type="search"
            aria-label="Search"
            placeholder="Search"
            value={search.value}
            onInput={event => {
              search.value = event.currentTarget.value
            }}
          />
          <Choice label="Which sessions" titles={filters} of={filter} />
          <Choice label="Groups" titles={groupings} of={grouping} />
        </form>
      </search>
      <Headline />
      {all.length === 0 ? <Nothing /> : <Groups all={some} by={grouping.value} />}
      {some.length < all.length ? <More /> : null}
    </>
  )
}

function Choice<Name extends string>({
  label,
  titles,
  of,
}: {
  readonly label: string
  readonly titles: Readonly<Record<Name, string>>
  readonly of: Signal<Name>
}) {
  return (
    <select
      aria-label={label}
      value={of.value}
      onChange={event => {
        of.value = event.currentTarget.value as Name
      }}
    >
      {Object.entries<string>(titles).map(([name, title]) => (
        <option key={name} value={name}>
          {title}
        </option>
      ))}
    </select>
  )
}

/** Of all sessions: what a filter hides needs its person as well. */
function Headline() {
  changes.value
  const all = ids.value.filter(id => sessions.get(id)?.row.peek().needsMe)
  const shown = listed.value.filter(({ row }) => row.peek().needsMe)
  return <h1 class="count">{headline(all.length, all.length - shown.length)}</h1>
}

function headline(count: number, hidden: number): string {
  if (count === 0) return ids.value.length === 0 ? 'No sessions' : 'No session needs you'
  return `${count} need${count === 1 ? 's' : ''} you${hidden === 0 ? '' : ` (${hidden} hidden by the filter)`}`
}

function Nothing() {
  if (link.value === 'connecting') return <p class="quiet">Loading…</p>
  if (ids.value.length > 0) return <p class="quiet">No session matches.</p>
  return (
    <p class="quiet">
      No agent runs on this machine, and no terminal has a name. This page shows them once they begin.
    </p>
  )
}

/** Makes more rows once it comes into sight. */
function More() {
  const end = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    const watcher = new IntersectionObserver(
      entries => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) shown.value += pageful
      },
      { rootMargin: '600px' },
    )
    if (end.current) watcher.observe(end.current)
    return () => watcher.disconnect()
  })
  return (
    <p ref={end} class="quiet">
      {listed.value.length - shown.value} more
    </p>
  )
}

function List({ all }: { readonly all: readonly Known[] }) {
  return (
    <ul
      class="rows"
      onPointerDown={touched}
      onPointerMove={touched}
      onTouchMove={touched}
      onFocusIn={touched}
    >
      {all.map(known => (
        <RowItem key={known.row.peek().id} known={known} />
      ))}
    </ul>
  )
}

function Groups({ all, by }: { readonly all: readonly Known[]; readonly by: keyof typeof groupings }) {
  if (by === 'none') return <List all={all} />
  const titleOf = ({ row: { value: row } }: Known): string =>
    by === 'machine' ? (row.host ?? 'This machine') : placeOf(row, row.cwd) || 'Without a folder'
  return [...Map.groupBy(all, titleOf)].map(([title, members]) => (
    <section key={title} aria-label={title}>
      <h2>{title}</h2>
      <List all={members} />
    </section>
  ))
}

/** How far a finger goes before it means something, in pixels. */
const swipe = 80

function RowItem({ known }: { readonly known: Known }) {
  const row = known.row.value
  const from = useRef<{ readonly x: number; readonly y: number } | undefined>(undefined)
  const isMarked = useComputed(() => seconds.value >= 0 && performance.now() - known.changedAt.value < 6000)
  const ended = (event: PointerEvent): void => {
    const start = from.current
    from.current = undefined
    if (!start || Math.abs(event.clientY - start.y) > swipe / 2) return
    const moved = event.clientX - start.x
    if (moved > swipe) location.hash = hashOf(row.id)
    else if (moved < -swipe && row.need === 'look')
      void act(sessionPath(row.id, '/seen'), {}).catch(() => undefined)
  }
  return (
    <li
      class={`row ${row.need} ${isMarked.value ? 'changed' : ''} ${chosen.value === row.id ? 'chosen' : ''}`}
      data-id={row.id}
      onPointerDown={event => {
        from.current = { x: event.clientX, y: event.clientY }
      }}
      onPointerUp={ended}
    >
      <a href={hashOf(row.id)} aria-current={chosen.value === row.id ? 'true' : undefined}>
        <span class="state">
          <span class={`mark ${row.need}`} aria-hidden="true" /> {wordsOf(row)}
        </span>
        <Age known={known} />
        <span class="name">
          {nameOf(row)} <span class="folder">{placeOf(row, folderOf(row.cwd))}</span>
        </span>
        <span class="topic">{topicOf(row)}</span>
        {isMarked.value ? <span class="new">changed</span> : null}
      </a>
    </li>
  )
}

function Age({ known }: { readonly known: Known }) {
  const age = useComputed(() => {
    seconds.value
    return ageOf(known.row.value, hostNow())
  })
  return <span class="age">{age}</span>
}
