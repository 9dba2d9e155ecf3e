/** The events of the API: thin rows of sessions as they change, numbered; the last are kept for clients that return. */
import { randomBytes } from 'node:crypto'
import type { Clock } from '../core/clock.ts'
import { thinRow } from '../sessions/session-json.ts'
import type { LiveChange, LiveSession, SessionSource } from '../sessions/session-source.ts'

export const eventKinds = ['session.changed', 'session.gone'] as const
export type EventKind = (typeof eventKinds)[number]

export type FeedEvent = {
  readonly seq: number
  readonly kind: EventKind
  readonly session: string
  /** JSON in one line. */
  readonly data: string
}

/** So many events and characters are kept at most. */
export type FeedLimits = { readonly events: number; readonly chars: number }
const usualLimits: FeedLimits = { events: 20_000, chars: 16 * 1024 * 1024 }

/** Pure but for what it keeps. */
export function feedLog({ events: most, chars: mostChars }: FeedLimits = usualLimits) {
  const rows = new Map<string, string>()
  let events: FeedEvent[] = []
  let seq = 0
  let chars = 0

  function add(kind: EventKind, session: string, data: string): void {
    events.push({ seq: ++seq, kind, session, data })
    chars += data.length
    // Half of them at once: to drop each by itself would move all the others each time.
    if (events.length <= most && chars <= mostChars) return
    events = events.slice(Math.ceil(events.length / 2))
    chars = events.reduce((sum, event) => sum + event.data.length, 0)
  }

  function change(live: LiveSession, epoch: number): void {
    const data = JSON.stringify(thinRow(live, epoch))
    if (rows.get(live.id) === data) return
    rows.set(live.id, data)
    add('session.changed', live.id, data)
  }

  function forget(id: string, why?: string, shownAs?: string): void {
    if (rows.delete(id)) add('session.gone', id, JSON.stringify({ id, why, shownAs }))
  }

  return {
    /** @param epoch ms since the epoch at the machine's monotonic 0 */
    take(update: LiveChange, epoch: number): void {
      if (update.type === 'changed') change(update.session, epoch)
      else if (update.type === 'gone') forget(update.id, update.why, update.shownAs)
      else {
        const ids = new Set(update.sessions.map(({ id }) => id))
        for (const id of [...rows.keys()]) if (!ids.has(id)) forget(id)
        for (const live of update.sessions) change(live, epoch)
      }
    },
    seq: () => seq,
    rows: (): ReadonlyMap<string, string> => rows,
    /** The events after that number; undefined where not all of them are kept, or it was never given. */
    after(number: number): readonly FeedEvent[] | undefined {
      const first = seq - events.length
      return number < first || number > seq ? undefined : events.slice(number - first)
    },
  }
}

/** Instants move by a millisecond or two where the epoch is taken anew; a clock that was set moves them by more. ms */
const steadyMs = 500

/** An epoch that stays the same until the clock is set: what has not changed keeps its bytes. */
export function steadyEpoch(clock: Pick<Clock, 'now' | 'wall'>): () => number {
  let epoch = clock.wall() - clock.now()
  return () => {
    const now = clock.wall() - clock.now()
    if (Math.abs(now - epoch) > steadyMs) epoch = now
    return epoch
  }
}

/** Clients are woken for the events of such a time together: a write each would cost a core. ms */
const gatherMs = 5

export type Feed = {
  /** Another one for each process: numbers of another epoch mean nothing. */
  readonly epoch: string
  readonly log: Pick<ReturnType<typeof feedLog>, 'seq' | 'rows' | 'after'>
  readonly isOver: () => boolean
  /** @param wake called where there may be more, and at the end. @returns what ends that */
  subscribe(wake: () => void): () => void
  close(): Promise<void>
}

/** Resolves once the first snapshot is in. */
export async function openFeed(source: SessionSource, clock: Clock): Promise<Feed> {
  const log = feedLog()
  const epochOf = steadyEpoch(clock)
  const wakes = new Set<() => void>()
  const changes = await source.changes()
  let isOver = false
  let gathering: NodeJS.Timeout | undefined

  function wakeAll(): void {
    gathering = undefined
    for (const wake of wakes) wake()
  }

  function take(change: LiveChange): void {
    const before = log.seq()
    log.take(change, epochOf())
    if (log.seq() !== before) gathering ??= setTimeout(wakeAll, gatherMs)
  }

  const first = await changes.next()
  if (!first.done) take(first.value)
  const followed = (async () => {
    for await (const change of changes) take(change)
  })().finally(() => {
    clearTimeout(gathering)
    isOver = true
    wakeAll()
  })
  return {
    epoch: randomBytes(6).toString('hex'),
    log,
    isOver: () => isOver,
    subscribe(wake) {
      wakes.add(wake)
      return () => wakes.delete(wake)
    },
    async close() {
      await changes.return?.()
      await followed
    },
  }
}
