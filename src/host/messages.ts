/** Readers of what a host sends over its socket. A value of another shape is refused: any program may listen there. */
import type { TraceEvent } from '../core/trace/trace.ts'
import type { AskedRequest, LiveChange, LiveSession } from '../sessions/session-source.ts'
import { isShaped } from '../shapes/wire.ts'
import type { Wire } from '../shapes/wire-shapes.ts'
import type { HostStatus } from './host-app.ts'

/**
 * Raise it when an older lull could not read what this one sends, or would miss what it relies on. Since 2 the changes
 * come with beats, since 3 facts may be lists, since 4 the state of a claim is `state`. A host that sends no protocol speaks 1.
 */
export const protocol = 4

/** The fields that every protocol has. */
export type Greeting = { readonly pid: number; readonly version: string; readonly protocol: number }

export function readGreeting(value: unknown): Greeting | undefined {
  if (!isShaped('greeting', value)) return undefined
  return { pid: value.pid, version: value.version.slice(0, 40), protocol: value.protocol ?? 1 }
}

/** The host must speak this protocol. */
export const readStatus = (value: unknown): HostStatus | undefined =>
  isShaped('status', value) ? value : undefined

export const readSessions = (value: unknown): readonly LiveSession[] | undefined =>
  isShaped('sessions', value) ? value : undefined

export const readChange = (value: unknown): LiveChange | undefined =>
  isShaped('change', value) ? value : undefined

export const readEvent = (value: unknown): TraceEvent | undefined =>
  isShaped('event', value) ? value : undefined

export const readAsked = (value: unknown): { readonly request?: AskedRequest } | undefined =>
  isShaped('asked', value) ? value : undefined

export const readReplied = (value: unknown): Wire['replied'] | undefined =>
  isShaped('replied', value) ? value : undefined
