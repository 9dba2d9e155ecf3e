/** What really happened at the scripted model, in memory: recorded as it happens, asked for and waited for by a bench. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Directive, Turn } from './directive.ts'
import type { Tool, Wire } from './wire.ts'

/** A request for the model's words. */
export type ModelRequest = {
  /** Counts all requests of the server from 1. */
  readonly id: number
  readonly wire: Wire['name']
  /** `side`: it offers no tools (a title, a summary). It gets a short answer and is no part of a turn. */
  readonly kind: 'main' | 'side'
  /** Counts the main requests from 1; 0 for side requests. */
  readonly nth: number
  readonly model: string
  readonly turns: readonly Turn[]
  readonly tools: readonly Tool[]
  readonly directive: Directive | undefined
  /** How many times the model has answered since the directive. */
  readonly step: number
  /** As it was sent. */
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: IncomingHttpHeaders
}

/** `at`: ms since the epoch, by `now`. */
export type ModelEvent = { readonly at: number; readonly request: ModelRequest } & (
  | { readonly type: 'request' }
  | { readonly type: 'first-byte' }
  /** The response is complete. `endsTurn`: it is a final message, so the agent's turn ends with it. */
  | { readonly type: 'end'; readonly endsTurn: boolean }
  | { readonly type: 'error'; readonly status: number }
  /** The client went away before the end: it was interrupted, or lost its patience. */
  | { readonly type: 'abort' }
)

/** ms since the epoch, by the monotonic clock: never going back. */
export const now = (): number => performance.timeOrigin + performance.now()

export const endsTurn = (event: ModelEvent): boolean => event.type === 'end' && event.endsTurn

export const isMainRequest = (event: ModelEvent): boolean =>
  event.type === 'request' && event.request.kind === 'main'

export type Truth = {
  readonly events: readonly ModelEvent[]
  /**
   * The first event that fits, from `since` on (ms, as in `at`; standard: from now on), already recorded or to come.
   * @throws Error with what has happened instead, after `timeout` ms; the script's own error where it threw
   */
  next(fits: (event: ModelEvent) => boolean, timeout: number, since?: number): Promise<ModelEvent>
  record(event: ModelEvent): void
  /** Who waits, now or later, gets this error: the first one counts. */
  fail(error: unknown): void
}

export function newTruth(): Truth {
  const events: ModelEvent[] = []
  const listeners = new Set<() => void>()
  let failure: { readonly error: unknown } | undefined
  const tell = (): void => {
    for (const listener of listeners) listener()
  }
  return {
    events,
    record(event) {
      events.push(event)
      tell()
    },
    fail(error) {
      failure ??= { error }
      tell()
    },
    next(fits, timeout, since = now()) {
      return new Promise((resolve, reject) => {
        let index = 0
        const find = (): ModelEvent | undefined => {
          while (index < events.length) {
            const event = events[index++] as ModelEvent
            if (event.at >= since && fits(event)) return event
          }
          return undefined
        }
        const look = (): void => {
          if (failure) settle(() => reject(failure?.error))
          else {
            const event = find()
            if (event) settle(() => resolve(event))
          }
        }
        const timer = setTimeout(() => {
          const message = `not seen at the model within ${timeout} ms: ${fits}\n${story(events)}`
          settle(() => reject(new Error(message)))
        }, timeout)
        const settle = (act: () => void): void => {
          clearTimeout(timer)
          listeners.delete(look)
          act()
        }
        listeners.add(look)
        look()
      })
    },
  }
}

/** The last events, a line each. */
const story = (events: readonly ModelEvent[]): string =>
  events
    .slice(-12)
    .map(({ type, request: { id, kind, directive }, ...event }) => {
      const more =
        'status' in event ? event.status : 'endsTurn' in event && event.endsTurn ? 'of the turn' : ''
      return `  #${id} ${kind} ${directive?.name ?? '-'}: ${type} ${more}`
    })
    .join('\n') || '  no request came'
