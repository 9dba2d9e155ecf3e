/** The sessions of several boxes as one row of changes: each box is followed by itself, and one that is away holds up none. */
import type { Clock } from '../core/clock.ts'
import { isLullError, LullError } from '../core/lull-error.ts'
import { pauseFor } from '../core/pause-for.ts'
import type { Instant } from '../core/state.ts'
import { oneLine } from '../core/text/printable.ts'
import type { LiveChange } from '../sessions/session-source.ts'
import { mostSessions } from './box-rows.ts'
import { type FleetRows, fleetRows } from './fleet-rows.ts'
import { type OpenBox, whyAway } from './open-box.ts'
import type { OpenBoxes } from './open-boxes.ts'

/** Between tries to reach a box that is away, doubled each time. ms */
const firstDelay = 1000
const longestDelay = 30_000
/** For how long the first snapshot waits for boxes that have not answered yet. ms */
const firstMs = 5000
/** A box that sends more changes a second is read no faster. A snapshot counts by its sessions: the next one has to wait. */
const mostChanges = 50
const secondMs = 1000

/** `opening`: it has not answered yet. */
type Followed = {
  readonly box: OpenBox
  is: 'opening' | 'up' | 'away'
  why: string
  /** No snapshot is taken before that. */
  nextWhole: Instant
  /** It goes. */
  readonly left: AbortController
}

export type BoxChanges = {
  /** The first is a snapshot. Undefined once closed. */
  next(): Promise<LiveChange | undefined>
  /** Why of some box nothing is known at present. */
  whyAway(): string | undefined
  close(): void
}

export function followBoxes(open: Pick<OpenBoxes, 'boxes' | 'onBox'>, clock: Clock): BoxChanges {
  const stop = new AbortController()
  const { signal } = stop
  const followed = new Map<string, Followed>()
  const rows = fleetRows(() => 2 * mostSessions * followed.size)
  const bell = wakingBell(clock)
  let failure: { readonly error: unknown } | undefined

  function begin(box: OpenBox): void {
    const why = 'it has not answered yet'
    const one: Followed = { box, is: 'opening', why, nextWhole: -Infinity, left: new AbortController() }
    followed.set(box.name, one)
    const ends = AbortSignal.any([signal, one.left.signal])
    keep(one, { rows, clock, signal: ends, ring: bell.ring }).catch(fail)
  }

  function end({ name }: OpenBox): void {
    followed.get(name)?.left.abort(new LullError('CLOSED', `${name} has left the fleet`))
    followed.delete(name)
    rows.forget(name, 'its host has left the fleet')
    bell.ring()
  }

  /** `next` tells of it. */
  function fail(error: unknown): void {
    failure ??= { error }
    stop.abort(error)
    // Nobody follows them any more: no row may keep what it was.
    for (const { box } of followed.values()) rows.lose(box.name, ourFault(error as Error), box.heardAt())
    bell.ring()
  }

  for (const box of open.boxes.values()) begin(box)
  const leaveOff = open.onBox((box, isThere) => (isThere ? begin(box) : end(box)))

  async function whole(): Promise<LiveChange> {
    const end = clock.now() + firstMs
    while (!signal.aborted && !failure && clock.now() < end && ![...followed.values()].every(isSettled))
      await bell.rung(end)
    for (const { box, is, why } of followed.values())
      if (is === 'opening' && !rows.has(box.name)) rows.lose(box.name, `${box.name}: ${why}`, clock.now())
    return rows.whole()
  }

  return {
    async next() {
      for (;;) {
        if (signal.aborted && !failure) return undefined
        const change = rows.next()
        if (change === 'whole') return whole()
        if (change) return change
        if (failure) throw failure.error
        await bell.rung(Infinity)
      }
    },
    whyAway: () => [...followed.values()].find(({ is }) => is !== 'up')?.why,
    close() {
      leaveOff()
      stop.abort(new LullError('CLOSED', 'this connection was closed'))
      bell.ring()
    },
  }
}

/** One that is connected is about to tell its sessions. */
const isSettled = ({ is, box }: Followed): boolean => is === 'up' || (is === 'away' && !box.link.isUp())

type KeepPorts = {
  readonly rows: FleetRows
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Called after each change. */
  readonly ring: () => void
}

/** Follows a box again and again, until the signal. */
async function keep(one: Followed, ports: KeepPorts): Promise<void> {
  const { box } = one
  const { rows, signal, ring } = ports
  for (let delay = firstDelay; !signal.aborted; delay = Math.min(2 * delay, longestDelay)) {
    const why = await follow(one, ports)
    if (signal.aborted) return
    if (one.is === 'up') delay = firstDelay
    if (!rows.has(box.name)) rows.take(box.name, { type: 'snapshot', sessions: await box.had() })
    ;[one.is, one.why] = ['away', why]
    rows.lose(box.name, why, box.heardAt())
    ring()
    await untilAgain(box, delay, ports)
  }
}

/** @returns why it ended */
async function follow(one: Followed, { rows, clock, signal, ring }: KeepPorts): Promise<string> {
  const { box } = one
  try {
    await box.link.open()
    const { changes } = await box.live.follow(signal)
    let [begun, count, isFirst] = [clock.now(), 0, true]
    for await (const change of changes) {
      if (change.type === 'snapshot') {
        if (clock.now() < one.nextWhole) await pauseFor(clock, one.nextWhole - clock.now(), signal)
        one.nextWhole = clock.now() + (change.sessions.length / mostChanges) * secondMs
      } else if (isFirst) throw new LullError('HOST_GONE', `${box.name} does not tell its sessions first`)
      isFirst = false
      signal.throwIfAborted()
      rows.take(box.name, change)
      ;[one.is, one.why] = ['up', '']
      ring()
      if (clock.now() - begun >= secondMs) [begun, count] = [clock.now(), 0]
      if (++count >= mostChanges) await pauseFor(clock, begun + secondMs - clock.now(), signal)
    }
    if (!box.link.isUp()) return await box.link.whyDown()
    // It sends no beats any more: the connection, or lull there, hangs.
    box.link.drop()
    return `${box.name} sends nothing any more`
  } catch (error) {
    // It may hang. Others that ask the box connect again.
    if (!signal.aborted && box.link.isUp()) box.link.drop()
    return isLullError(error) ? whyAway(error) : ourFault(error as Error)
  }
}

const ourFault = ({ message }: Error): string => `it is not followed: lull failed: ${oneLine(message, 200)}`

/** Shorter where the box is connected to meanwhile, by another question. */
async function untilAgain(box: OpenBox, ms: number, { clock, signal }: KeepPorts): Promise<void> {
  const up = new AbortController()
  const forget = box.onUp(() => up.abort())
  await pauseFor(clock, ms, AbortSignal.any([signal, up.signal]))
  forget()
}

/** Wakes the one who waits for it. */
function wakingBell(clock: Clock) {
  let ring = (): void => undefined
  return {
    ring: () => ring(),
    /** Resolves at the latest then. */
    rung: (until: Instant): Promise<void> =>
      new Promise(resolve => {
        const timer = clock.at(until, resolve)
        ring = () => {
          timer.cancel()
          resolve()
        }
      }),
  }
}
