/**
 * The connection to the host, and all sessions as its events report them. After a silence, whatever the cause, the link is `stale`,
 * and no row is shown as current. Ages use the host's clock.
 */
import { batch, computed, type Signal, signal } from '@preact/signals'
import type { Notice, ThinRow } from '../types.ts'
import { answerStep, beatStep, type HostClock, mostBehind } from './host-clock.ts'
import { eventsIn } from './server-events.ts'

/** `unpaired`: this browser has no token, or one that was revoked. */
export type Link = 'connecting' | 'live' | 'stale' | 'unpaired'
export const link = signal<Link>('connecting')
/** Why it is not live, if the host gave a reason. */
export const linkProblem = signal<string | undefined>(undefined)
/** So far behind is what comes, where it comes late. ms */
export const behindMs = signal<number | undefined>(undefined)
/** The host speaks for another version than this page was built for. */
export const otherVersion = signal<string | undefined>(undefined)

/** It has been silent for so long that somebody has to look after it. */
export const isAway = signal(false)
const awayMs = 8000

/** What this browser's token may do. */
export const scope = signal<'read' | 'act'>('act')
/** No token may act here. */
const isReadOnly = signal(false)
/** An action can be sent now. */
export const canAct = computed(() => link.value === 'live' && scope.value === 'act')

export type Known = {
  readonly row: Signal<ThinRow>
  /** When its state last changed before the reader's eyes, by `performance.now`. */
  readonly changedAt: Signal<number>
}
export const sessions = new Map<string, Known>()
export const ids = signal<readonly string[]>([])
/** Counts up with each change of any row. */
export const changes = signal(0)

/** The newest that notify.yaml sends to this page. */
export const notice = signal<Notice | undefined>(undefined)

/** A beat comes each second: two that are missed are a silence. ms */
const silentMs = 2500
/** From then on the connection is given up, and another one tried. ms */
const lostMs = 5000
const retryMs = 1000

/** Why nothing can be done from here, whatever the connection; undefined where something can. */
export const readOnlyBy = computed(() => {
  if (scope.value === 'act') return undefined
  const isRecorded = ids.value.length > 0 && ids.value.every(id => sessions.get(id)?.row.peek().recording)
  return isRecorded ? 'recordings' : isReadOnly.value ? 'host' : 'token'
})

/** By which a person gets a link for this browser, and whether it had a token before. */
export const unpaired = signal<{ readonly command: string; readonly wasRevoked: boolean } | undefined>(
  undefined,
)

let lastDataAt = performance.now()
let liveAt = performance.now()
let clock: HostClock = { behind: 0 }
/** Until the host has sent its own. */
const ownEpoch = Date.now() - performance.now()

/** The host's wall clock. ms since the epoch */
export const hostNow = (): number => (clock.epoch ?? ownEpoch) + performance.now()

/** Of this page: what shows an age depends on it. */
export const seconds = signal(0)

function learnClock(at: string): void {
  const hostTime = Date.parse(at)
  if (Number.isNaN(hostTime)) return
  const now = performance.now()
  clock = beatStep(clock, hostTime, now)
  if (!isLate() || now - statusAskedAt < againMs) return
  void readStatus()
}

/** While the line delays, its clock is asked for again after so long. ms */
const againMs = 5000
let statusAskedAt = -Infinity

const isLate = (): boolean => clock.behind > mostBehind

let lastId: string | undefined
let connection = new AbortController()

/** Follows the host for as long as the page is open. */
export function followHost(): void {
  setInterval(() => {
    seconds.value = Math.floor(performance.now() / 1000)
    const silence = performance.now() - lastDataAt
    if (link.value !== 'stale' || behindMs.value !== undefined) liveAt = performance.now()
    isAway.value = performance.now() - liveAt > awayMs
    if (silence > silentMs && link.value === 'live') link.value = 'stale'
    if (silence > lostMs) reconnect()
  }, 250)
  // What was shown before a tab was hidden may be hours old: it counts once the host has reported all of it again.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible') return
    lastId = undefined
    if (link.value === 'live') link.value = 'stale'
    reconnect()
  })
  addEventListener('online', reconnect)
  void keepConnected()
}

function reconnect(): void {
  lastDataAt = performance.now()
  connection.abort()
}

async function keepConnected(): Promise<void> {
  for (;;) {
    connection = new AbortController()
    const { signal } = connection
    try {
      if (!(await connectOnce(signal))) await anotherPairing()
    } catch (error) {
      if (!signal.aborted) linkProblem.value = error instanceof TypeError ? undefined : String(error)
    }
    behindMs.value = undefined
    if (link.value === 'live') link.value = 'stale'
    if (!signal.aborted) await new Promise(resolve => setTimeout(resolve, retryMs))
  }
}

const pairedPlace = 'lull.paired'

/** Until another tab of this browser has got a token, or somebody comes back to this one. */
const anotherPairing = (): Promise<void> =>
  new Promise(resolve => {
    const done = new AbortController()
    const tryAgain = (): void => {
      done.abort()
      resolve()
    }
    const { signal } = done
    addEventListener('storage', ({ key }) => key === pairedPlace && tryAgain(), { signal })
    addEventListener('focus', tryAgain, { signal })
    document.addEventListener(
      'visibilitychange',
      () => document.visibilityState === 'visible' && tryAgain(),
      { signal },
    )
  })

/** @returns false where it makes no sense to try again before there is another token */
async function connectOnce(signal: AbortSignal): Promise<boolean> {
  const headers = lastId === undefined ? undefined : { 'last-event-id': lastId }
  const response = await fetch('/v1/events?beat=1', {
    signal,
    cache: 'no-store',
    ...(headers && { headers }),
  })
  if (response.status === 401) {
    unpaired.value = unpairedBy(await response.json().catch(() => undefined))
    link.value = 'unpaired'
    return false
  }
  if (!response.ok || !response.body) throw new Error(`the host answered ${response.status}`)
  if (link.peek() === 'unpaired' || link.peek() === 'connecting')
    localStorage.setItem(pairedPlace, String(Date.now()))
  void readStatus()
  for await (const events of eventsIn(response.body)) {
    lastDataAt = performance.now()
    batch(() => {
      for (const { id, kind, data } of events) {
        take(kind, data)
        if (id !== undefined) lastId = id
      }
      link.value = isLate() ? 'stale' : 'live'
      linkProblem.value = undefined
      behindMs.value = isLate() ? clock.behind : undefined
    })
  }
  return true
}

function unpairedBy(body: unknown) {
  const { code, facts } =
    (body as { error?: { code: string; facts?: { linkCommand?: string } } })?.error ?? {}
  const command = facts?.linkCommand ?? 'lull serve token add NAME --qr --scope act'
  return { command, wasRevoked: code === 'WRONG_TOKEN' }
}

type Status = {
  readonly at: string
  readonly readOnly?: true
  readonly version: string
  readonly token: { readonly scope: 'read' | 'act' }
}

/** What it may do, and for which version it was built. An old page must not guess what a newer host means: it is loaded anew, once. */
async function readStatus(): Promise<void> {
  const askedAt = performance.now()
  statusAskedAt = askedAt
  const response = await fetch('/v1/status', { cache: 'no-store' }).catch(() => undefined)
  if (!response?.ok) return
  const { version, token, at, readOnly = false } = (await response.json()) as Status
  clock = answerStep(clock, Date.parse(at), askedAt)
  scope.value = token.scope
  isReadOnly.value = readOnly
  if (version === import.meta.env.VERSION) return
  otherVersion.value = version
  if (sessionStorage.getItem('reloaded') === version) return
  sessionStorage.setItem('reloaded', version)
  setTimeout(() => location.reload(), 1500)
}

type Snapshot = { readonly at: string; readonly sessions: readonly ThinRow[] }

/** @param data as the API has it for an event of that kind */
function take(kind: string, data: unknown): void {
  switch (kind) {
    case 'snapshot': {
      const { at, sessions: all } = data as Snapshot
      const there = new Set(all.map(({ id }) => id))
      learnClock(at)
      for (const id of [...sessions.keys()]) if (!there.has(id)) sessions.delete(id)
      for (const row of all) keep(row)
      ids.value = [...sessions.keys()]
      break
    }
    case 'beat':
      learnClock((data as Pick<Snapshot, 'at'>).at)
      return
    case 'session.changed':
      if (keep(data as ThinRow)) ids.value = [...sessions.keys()]
      break
    case 'session.gone':
      if (sessions.delete((data as Pick<ThinRow, 'id'>).id)) ids.value = [...sessions.keys()]
      break
    case 'notice':
      notice.value = data as Notice
      return
    default:
      return
  }
  changes.value++
}

/** @returns whether it is one that was not there */
function keep(row: ThinRow): boolean {
  const known = sessions.get(row.id)
  if (!known) {
    sessions.set(row.id, { row: signal(row), changedAt: signal(-Infinity) })
    return true
  }
  const before = known.row.value
  if (before.state !== row.state || before.need !== row.need) known.changedAt.value = performance.now()
  known.row.value = row
  return false
}
