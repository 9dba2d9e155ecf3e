/** One pipe a pane, shared by all in this process that listen to it. */
import { openPanePipe, type PanePipe } from './pane-pipe.ts'

export type Listener = {
  readonly onBytes: (bytes: Buffer) => void
  /** Nothing is heard any more; it may be opened again. */
  readonly onLost: () => void
}

type Shared = { readonly pipe: PanePipe; readonly listeners: Set<Listener> }

const pipes = new Map<string, Shared>()

/** `close` leaves the pipe, and ends it after the last one. */
export function joinPanePipe(socket: string, pane: string, listener: Listener): PanePipe {
  const key = `${pane} ${socket}`
  const shared = pipes.get(key) ?? start(key, socket, pane)
  shared.listeners.add(listener)
  return {
    opened: shared.pipe.opened,
    flush: shared.pipe.flush,
    async close() {
      shared.listeners.delete(listener)
      if (shared.listeners.size > 0) return
      if (pipes.get(key) === shared) pipes.delete(key)
      await shared.pipe.close()
    },
  }
}

function start(key: string, socket: string, pane: string): Shared {
  const listeners = new Set<Listener>()
  const onBytes = (bytes: Buffer) => {
    for (const listener of [...listeners]) listener.onBytes(bytes)
  }
  const onLost = () => {
    if (pipes.get(key) === shared) pipes.delete(key)
    for (const listener of [...listeners]) listener.onLost()
  }
  const shared: Shared = { pipe: openPanePipe(socket, pane, onBytes, onLost), listeners }
  pipes.set(key, shared)
  return shared
}
