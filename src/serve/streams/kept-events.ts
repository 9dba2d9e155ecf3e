/** The last events of the API, numbered, for clients that return. Pure. */

export const eventKinds = ['session.changed', 'session.settled', 'session.gone'] as const
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

/** Characters. */
const mostAtOnce = 64 * 1024

export function keptEvents({ events: most, chars: mostChars }: FeedLimits = usualLimits) {
  let events: FeedEvent[] = []
  let seq = 0
  let chars = 0
  let given:
    | { readonly after: number; readonly seq: number; readonly events: readonly FeedEvent[] }
    | undefined

  return {
    add(kind: EventKind, session: string, data: string): void {
      events.push({ seq: ++seq, kind, session, data })
      chars += data.length
      // Half of them at once: to drop each by itself would move all the others each time.
      if (events.length <= most && chars <= mostChars) return
      events = events.slice(Math.ceil(events.length / 2))
      chars = events.reduce((sum, event) => sum + event.data.length, 0)
    },
    /** Numbers go on. */
    clear(): void {
      ;[events, chars, given] = [[], 0, undefined]
    },
    seq: () => seq,
    /**
     * The next events after that number, so many that a client can take them at once: hundreds that come back together, and read
     * slowly, must not hold a copy of all events each. Whoever asks for the same ones gets the same list. Undefined where not all of
     * them are kept, or it was never given.
     */
    after(number: number): readonly FeedEvent[] | undefined {
      if (given?.after === number && given.seq === seq) return given.events
      const first = seq - events.length
      if (number < first || number > seq) return undefined
      const from = number - first
      let [to, length] = [from, 0]
      while (to < events.length && length < mostAtOnce) length += events[to++]?.data.length ?? 0
      given = { after: number, seq, events: events.slice(from, to) }
      return given.events
    },
  }
}
