/** One of the places a session source has its sessions from: the agents of this machine, runs, named terminals. */
import type { TraceEvent } from '../core/trace/trace.ts'
import type { LiveSession } from './session-source.ts'

/** A session is another than it was, or is not this provider's any more. What it is now is asked for then. */
export type SessionChanged = (id: string, what: 'changed' | 'gone') => void

export type SessionProvider = {
  /** To be called once, and before anything is asked. */
  start(onChange: SessionChanged): void
  /** Resolves once what it knows is up to date; at once where it always is. */
  ready?(): Promise<void>
  get(id: string): LiveSession | undefined
  list(): readonly LiveSession[]
  /** One of its sessions is shown in place of this one, whoever has it. */
  covers?(id: string): boolean
  /** The name that somebody gave this pane, whatever runs in it. */
  nameOfPane?(pane: string, tmux: string): string | undefined
  /** The raw input of a session, from the call on. */
  events?(id: string): AsyncIterableIterator<TraceEvent> | undefined
  /** Somebody has looked at these sessions, as far as they are its own. */
  markSeen?(ids: readonly string[]): Promise<void>
  close(): void | Promise<void>
}
