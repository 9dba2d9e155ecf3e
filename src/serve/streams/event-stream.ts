/**
 * `GET /v1/events`: a snapshot, then each change, as Server-Sent Events. A client that returns with its last id gets what it
 * missed, or a snapshot that says that more was missed. Each stream reads the feed at its own pace: nothing is queued for it.
 */
import type { Notice } from '../../shapes/notice-shape.ts'
import type { Feed } from '../feed.ts'
import type { FeedEvent } from './kept-events.ts'

export type StreamOptions = {
  /** `EPOCH-SEQ` of the last event that the client has. */
  readonly lastId?: string | undefined
  /** Only of this session, by its id. */
  readonly session?: string | undefined
  /** Only of these kinds (`notice` too); all where there are none. Snapshots and beats come in any case. */
  readonly kinds: readonly string[]
  /** Asked at each beat and each change: a token that was revoked ends its streams. */
  readonly isAllowed: () => boolean
  readonly wall: () => number
  /** ms */
  readonly beatMs: number
}

export type StreamPorts = {
  /** Resolves once it can take more. */
  readonly write: (piece: string | Uint8Array) => Promise<unknown>
  readonly signal: AbortSignal
}

/** So many wait for a client that takes nothing. */
const mostNotices = 100

const field = (event: string, data: string, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`

const encoder = new TextEncoder()

const bytesOf = (events: readonly FeedEvent[], epoch: string): Uint8Array =>
  encoder.encode(events.map(({ kind, data, seq }) => field(kind, data, `${epoch}-${seq}`)).join(''))

/** Clients that have come as far are given the same list by the log: it is encoded once for all of them. */
const encoded = new WeakMap<readonly FeedEvent[], Uint8Array>()

function sharedBytesOf(events: readonly FeedEvent[], epoch: string): Uint8Array {
  const known = encoded.get(events)
  if (known) return known
  const bytes = bytesOf(events, epoch)
  encoded.set(events, bytes)
  return bytes
}

/** Resolves once the client has left, may not listen any more, or the feed has ended. */
export async function streamEvents(feed: Feed, options: StreamOptions, ports: StreamPorts): Promise<void> {
  const { session, kinds, isAllowed, wall, beatMs } = options
  const { signal } = ports
  const { epoch, log } = feed
  const write = (text: string) => ports.write(encoder.encode(text))
  const wantsAll = session === undefined && kinds.length === 0
  const isWanted = (event: FeedEvent): boolean =>
    (session === undefined || event.session === session) && (kinds.length === 0 || kinds.includes(event.kind))

  const notices: Notice[] = []
  const isWantedNotice = (notice: Notice): boolean =>
    (session === undefined || notice.session === session) && (kinds.length === 0 || kinds.includes('notice'))

  let wake = (): void => undefined
  const unsubscribe = feed.subscribe({
    wake: () => wake(),
    take(notice) {
      if (!isWantedNotice(notice) || !isAllowed() || notices.length >= mostNotices) return false
      notices.push(notice)
      wake()
      return true
    },
  })
  const onAbort = (): void => wake()
  signal.addEventListener('abort', onAbort)
  let beatDue = false
  feed.checkClock()
  const beats = setInterval(() => {
    beatDue = true
    feed.checkClock()
    wake()
  }, beatMs)

  const snapshot = (resumed: boolean): string => {
    const shown = log.rows(session).join(',')
    const at = JSON.stringify(new Date(wall()).toISOString())
    return field(
      'snapshot',
      `{"at":${at},"resumed":${resumed},"sessions":[${shown}]}`,
      `${epoch}-${log.seq()}`,
    )
  }

  let cursor = seqOf(options.lastId, epoch)
  try {
    // What was missed follows at once, or all that is there.
    if (cursor === undefined || log.after(cursor) === undefined) {
      cursor = log.seq()
      await write(snapshot(false))
    }
    while (!signal.aborted) {
      const events = log.after(cursor)
      if (events?.length === 0 && notices.length === 0 && !beatDue) {
        if (feed.isOver()) return
        await new Promise<void>(resolve => {
          wake = resolve
        })
        continue
      }
      if (!isAllowed()) return
      if (events === undefined) {
        cursor = log.seq()
        await write(snapshot(false))
        continue
      }
      cursor = events.at(-1)?.seq ?? cursor
      const bytes = wantsAll ? sharedBytesOf(events, epoch) : bytesOf(events.filter(isWanted), epoch)
      if (bytes.length > 0) await ports.write(bytes)
      for (const notice of notices.splice(0)) await write(field('notice', JSON.stringify(notice)))
      if (beatDue) await write(field('beat', JSON.stringify({ at: new Date(wall()).toISOString() })))
      beatDue = false
    }
  } finally {
    clearInterval(beats)
    signal.removeEventListener('abort', onAbort)
    unsubscribe()
  }
}

/** Undefined where it is of another epoch, or no id at all. */
function seqOf(id: string | undefined, epoch: string): number | undefined {
  const [, given, number] = /^([0-9a-f]+)-(\d{1,15})$/.exec(id ?? '') ?? []
  return given === epoch ? Number(number) : undefined
}
