/** One ear a pane, shared by all in this process that hear it. */
import { type Ear, openEar } from './ear.ts'

export type Listener = {
  readonly heard: (bytes: Buffer) => void
  /** Nothing is heard any more; it may be opened again. */
  readonly lost: () => void
}

type Shared = { readonly ear: Ear; readonly listeners: Set<Listener> }

const ears = new Map<string, Shared>()

/** `close` leaves the ear, and ends it after the last one. */
export function hearPane(socket: string, pane: string, listener: Listener): Ear {
  const key = `${pane} ${socket}`
  const shared = ears.get(key) ?? start(key, socket, pane)
  shared.listeners.add(listener)
  return {
    opened: shared.ear.opened,
    flush: shared.ear.flush,
    async close() {
      shared.listeners.delete(listener)
      if (shared.listeners.size > 0) return
      if (ears.get(key) === shared) ears.delete(key)
      await shared.ear.close()
    },
  }
}

function start(key: string, socket: string, pane: string): Shared {
  const listeners = new Set<Listener>()
  const heard = (bytes: Buffer) => {
    for (const listener of [...listeners]) listener.heard(bytes)
  }
  const lost = () => {
    if (ears.get(key) === shared) ears.delete(key)
    for (const listener of [...listeners]) listener.lost()
  }
  const shared: Shared = { ear: openEar(socket, pane, heard, lost), listeners }
  ears.set(key, shared)
  return shared
}
