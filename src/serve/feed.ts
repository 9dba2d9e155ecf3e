/** The events of the API: thin rows of sessions as they change, numbered; the last are kept for clients that return. */
import { randomBytes } from 'node:crypto'
import type { Clock, Timer } from '../core/clock.ts'
import type { Instant } from '../core/state.ts'
import { thinRow } from '../sessions/session-json.ts'
import type { LiveChange, LiveSession, SessionSource } from '../sessions/session-source.ts'
import type { Notice } from '../shapes/notice-shape.ts'
import { type FeedLimits, keptEvents } from './streams/kept-events.ts'

/** Of sessions that can't be shown: ids may come and go without end. */
const mostComplaints = 20

type LoggedSession = { readonly live: LiveSession; readonly data: string; readonly isSettled: boolean }

export function feedLog(limits?: FeedLimits, complain: (sentence: string) => void = () => undefined) {
  const logged = new Map<string, LoggedSession>()
  const unshown = new Set<string>()
  const { add, clear, seq, after } = keptEvents(limits)

  /** Undefined where it can't be made: that must not hold up the others. */
  function rowOf(live: LiveSession, now: Instant, epoch: number): ReturnType<typeof thinRow> | undefined {
    try {
      return thinRow(live, now, epoch)
    } catch (error) {
      const { message } = error as Error
      if (unshown.has(live.id) || unshown.size >= mostComplaints) return undefined
      unshown.add(live.id)
      complain(`the API leaves out the session ${live.id}, which can't be shown: ${message}`)
      return undefined
    }
  }

  function change(live: LiveSession, now: Instant, epoch: number): void {
    const row = rowOf(live, now, epoch)
    if (!row) {
      forget(live.id, 'it cannot be shown')
      return
    }
    const data = JSON.stringify(row)
    const before = logged.get(live.id)
    logged.set(live.id, { live, data, isSettled: row.settled })
    if (before?.data === data) return
    add('session.changed', live.id, data)
    if (row.settled && before?.isSettled === false) add('session.settled', live.id, data)
  }

  function forget(id: string, why?: string, shownAs?: string): void {
    if (logged.delete(id)) add('session.gone', id, JSON.stringify({ id, why, shownAs }))
  }

  return {
    /** @param epoch ms since the epoch at the machine's monotonic 0 */
    take(update: LiveChange, now: Instant, epoch: number): void {
      if (update.type === 'changed') change(update.session, now, epoch)
      else if (update.type === 'gone') forget(update.id, update.why, update.shownAs)
      else {
        const ids = new Set(update.sessions.map(({ id }) => id))
        for (const id of [...logged.keys()]) if (!ids.has(id)) forget(id)
        for (const live of update.sessions) change(live, now, epoch)
      }
    },
    /**
     * The wall clock was set: each session comes again with times of the new one. Events that have times of the old one are not
     * kept: who has missed one gets a snapshot.
     */
    tellAgain(now: Instant, epoch: number): void {
      clear()
      for (const { live } of logged.values()) change(live, now, epoch)
    },
    seq,
    after,
    /** Thin rows as JSON: of one session, or all. */
    rows: (id?: string): readonly string[] =>
      id === undefined
        ? [...logged.values()].map(({ data }) => data)
        : [logged.get(id)].flatMap(one => (one ? [one.data] : [])),
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

/** Calls with a session that becomes settled by time alone, when it does. */
function settledLater(clock: Clock, call: (session: LiveSession) => void) {
  const timers = new Map<string, Timer>()
  function forget(id: string): void {
    timers.get(id)?.cancel()
    timers.delete(id)
  }
  function wait(live: LiveSession, now: Instant): void {
    forget(live.id)
    const { settledFrom } = live
    if (settledFrom === undefined || settledFrom <= now) return
    const settle = (): void => {
      timers.delete(live.id)
      call(live)
    }
    timers.set(live.id, clock.at(settledFrom, settle))
  }
  return {
    take(change: LiveChange, now: Instant): void {
      if (change.type === 'gone') forget(change.id)
      else for (const live of change.type === 'changed' ? [change.session] : change.sessions) wait(live, now)
    },
    close(): void {
      for (const id of [...timers.keys()]) forget(id)
    },
  }
}

/** Clients are woken for the events of such a time together: a write each would cost a core. ms */
const gatherMs = 5

type FeedSubscriber = {
  /** Called where there may be more, and at the end. */
  readonly wake: () => void
  /** @returns whether it sends it */
  readonly take: (notice: Notice) => boolean
}

export type Feed = {
  /** Another one for each process: numbers of another epoch mean nothing. */
  readonly epoch: string
  readonly log: Pick<ReturnType<typeof feedLog>, 'seq' | 'rows' | 'after'>
  readonly isOver: () => boolean
  /** To be called before what is in the log is sent after a while: brings its times up to date where the wall clock was set. */
  checkClock(): void
  /** @returns what ends that */
  subscribe(subscriber: FeedSubscriber): () => void
  /** It has no number, and is not kept: who was away sees what holds by then. @returns whether a stream takes it */
  show(notice: Notice): boolean
  close(): Promise<void>
}

/** Resolves once the first snapshot is in. @param complain told why it ended before it was closed */
export async function openFeed(
  source: Pick<SessionSource, 'changes'>,
  clock: Clock,
  complain: (sentence: string) => void = () => undefined,
): Promise<Feed> {
  const log = feedLog(undefined, complain)
  const epochOf = steadyEpoch(clock)
  let epoch = epochOf()
  const subscribers = new Set<FeedSubscriber>()
  const changes = await source.changes()
  let isOver = false
  let gathering: NodeJS.Timeout | undefined
  const unsettled = settledLater(clock, session => take({ type: 'changed', session }))

  function wakeAll(): void {
    gathering = undefined
    for (const { wake } of subscribers) wake()
  }

  function tell(add: (now: Instant) => void): void {
    const before = log.seq()
    add(clock.now())
    if (log.seq() !== before) gathering ??= setTimeout(wakeAll, gatherMs)
  }

  function checkClock(): void {
    if (epochOf() === epoch) return
    epoch = epochOf()
    tell(now => log.tellAgain(now, epoch))
  }

  function take(change: LiveChange): void {
    checkClock()
    tell(now => {
      log.take(change, now, epoch)
      unsettled.take(change, now)
    })
  }

  const first = await changes.next()
  if (!first.done) take(first.value)
  const followed = (async () => {
    for await (const change of changes) take(change)
  })()
    // A rejection that nobody handles would end the host.
    .catch((error: Error) => complain(`the API tells of no more changes: ${error.message}`))
    .finally(() => {
      clearTimeout(gathering)
      unsettled.close()
      isOver = true
      wakeAll()
    })
  return {
    epoch: randomBytes(6).toString('hex'),
    log,
    isOver: () => isOver,
    checkClock,
    subscribe(subscriber) {
      subscribers.add(subscriber)
      return () => subscribers.delete(subscriber)
    },
    // Each of them is asked.
    show: notice => [...subscribers].map(({ take }) => take(notice)).includes(true),
    async close() {
      await changes.return?.()
      await followed
    },
  }
}
