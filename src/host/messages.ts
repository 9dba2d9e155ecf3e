/** What a host sends over its socket, and its readers. A value of another shape is refused: any program may listen there. */
import { isRecord, type TraceEvent } from '../core/trace/trace.ts'
import type { HookCounts } from '../hooks/receiver.ts'
import type { AskedRequest, LiveChange, LiveSession } from '../sessions/session-source.ts'
import { isShaped, knownPart } from '../shapes/wire.ts'
import {
  epochIn,
  instantReader,
  messageIn,
  messageOf,
  withInstants,
  withIsoTimes,
} from '../shapes/wire-instants.ts'
import type { Wire } from '../shapes/wire-shapes.ts'
import type { DoorStatus } from './host-door.ts'

/**
 * Raise it when an older lull could not read what this one sends, or would miss what it relies on. Since 2 the changes
 * come with beats, since 3 facts may be lists, since 4 the state of a claim is `state`, since 5 instants are ISO times, since 6 those
 * of every sign are. A host that sends no protocol speaks 1.
 */
export const protocol = 6

export type HostStatus = {
  readonly pid: number
  readonly version: string
  /** What it speaks: `protocol` of messages.ts. */
  readonly protocol: number
  /** ISO time. */
  readonly startedAt: string
  readonly sessions: number
  /** Some notices of notify.yaml go to open pages. */
  readonly pageNotices?: boolean
  /** Hooks since its start. `unplaced`: no running agent can have sent them. */
  readonly hooks: HookCounts & { readonly unplaced: number }
  /** Where hooks are taken over loopback TCP; none where the port was not to be had. */
  readonly port?: number
  readonly portProblem?: string
  /** The API, where it is asked for (`lull serve`). */
  readonly serve?: DoorStatus
}

/** The fields that every protocol has. */
export type Greeting = { readonly pid: number; readonly version: string; readonly protocol: number }

export function readGreeting(value: unknown): Greeting | undefined {
  if (!isShaped('greeting', value)) return undefined
  return { pid: value.pid, version: value.version.slice(0, 40), protocol: value.protocol ?? 1 }
}

/** The host must speak this protocol. */
export const readStatus = (value: unknown): HostStatus | undefined =>
  isShaped('status', value) ? value : undefined

/** What is told of sessions: with the epoch that its times were written with. */
export const sessionsMessage = (sessions: readonly LiveSession[], epoch: number): object => ({
  epoch: new Date(epoch).toISOString(),
  sessions: withIsoTimes('sessions', sessions, epoch),
})

export const changeMessage = (change: LiveChange, epoch: number): object => messageOf('change', change, epoch)

export function readSessions(value: unknown): readonly LiveSession[] | undefined {
  const epoch = epochIn(value)
  if (epoch === undefined || !isRecord(value)) return undefined
  const sessions = withInstants('sessions', value.sessions, epoch)
  return isShaped('sessions', sessions) ? sessions : undefined
}

export function readChange(value: unknown): LiveChange | undefined {
  const change = messageIn('change', value)
  return isShaped('change', change) ? change : undefined
}

/**
 * The same from a host on another machine, which need not be of this version, nor mean well: what this lull does not know of it is
 * left out. A session of which it does not know enough is not shown.
 * @param by what the sender's monotonic clock is behind this machine's, ms
 */
export function readChangeThere(value: unknown, by: number): LiveChange | undefined {
  const epoch = epochIn(value)
  if (epoch === undefined) return undefined
  const known = knownPart('change', value, instantReader(epoch, by))
  if (known || !isRecord(value) || value.type !== 'changed' || !isRecord(value.session)) return known
  const { id } = value.session
  if (typeof id !== 'string') return undefined
  return { type: 'gone', id, why: 'its lull tells of it what this one does not know' }
}

export const readEvent = (value: unknown): TraceEvent | undefined =>
  isShaped('event', value) ? value : undefined

export const readAsked = (value: unknown): { readonly request?: AskedRequest } | undefined =>
  isShaped('asked', value) ? value : undefined

export const readReplied = (value: unknown): Wire['replied'] | undefined =>
  isShaped('replied', value) ? value : undefined
