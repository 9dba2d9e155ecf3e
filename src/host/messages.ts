/**
 * What comes over the host's socket, read: whatever listens there, nothing is believed before it has the shape that the
 * rest of lull relies on. Fields that are not known are passed over.
 */
import { fields, list, number, optional, text, whole } from '../core/shape.ts'
import { isRecord, type TraceEvent } from '../core/trace/trace.ts'
import { isLiveSession } from '../sessions/live-shape.ts'
import type { LiveChange, LiveSession } from '../sessions/session-source.ts'
import type { HostStatus } from './host-app.ts'

/**
 * Raised where an older lull could not read what this one sends, or would miss what it relies on: since 2 the changes come
 * with beats, since 3 facts may be lists. A host that does not tell it speaks 1.
 */
export const protocol = 3

/** What each protocol begins with, whatever else it changes. */
export type Greeting = { readonly pid: number; readonly version: string; readonly protocol: number }

const sessions = list(isLiveSession)
const counts = fields({ received: number, refused: number, unauthorised: number, unplaced: number })
const status = fields({ startedAt: number, sessions: number, hooks: counts, port: optional(number) })
const event = fields({ line: number, at: number, code: text, data: text })

export function readGreeting(value: unknown): Greeting | undefined {
  if (!isRecord(value) || !whole(value.pid) || !text(value.version)) return undefined
  return {
    pid: Number(value.pid),
    version: String(value.version).slice(0, 40),
    protocol: Number(value.protocol ?? 1),
  }
}

/** Of a host that speaks this protocol. */
export const readStatus = (value: unknown): HostStatus | undefined =>
  status(value) ? (value as HostStatus) : undefined

export const readSessions = (value: unknown): readonly LiveSession[] | undefined =>
  sessions(value) ? (value as LiveSession[]) : undefined

export function readChange(value: unknown): LiveChange | undefined {
  if (!isRecord(value)) return undefined
  const isChange =
    (value.type === 'snapshot' && sessions(value.sessions)) ||
    (value.type === 'changed' && isLiveSession(value.session)) ||
    (value.type === 'gone' && text(value.id))
  return isChange ? (value as LiveChange) : undefined
}

export const readEvent = (value: unknown): TraceEvent | undefined =>
  event(value) ? (value as TraceEvent) : undefined
