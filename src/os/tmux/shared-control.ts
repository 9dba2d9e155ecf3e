/** One control client a tmux session, shared by all in this process that read one of its panes. */
import { type ControlClient, controlClient } from './control-client.ts'
import type { ControlLine } from './control-lines.ts'

type Told = (line: ControlLine) => void

type Shared = {
  readonly client: ControlClient
  readonly panes: Set<string>
  readonly users: Map<Told, string>
}

const clients = new Map<string, Shared>()

/**
 * Joins the client of a session for one of its panes, and starts one where there is none.
 * @param types it is asked to type as well
 * @param told what the pane prints; `exit` once the client has ended by itself
 * @returns the client; `close` leaves it, and ends it after the last one
 */
export function joinSession(
  { socket, session, pane, types }: { socket: string; session: string; pane: string; types: boolean },
  told: Told,
): ControlClient {
  const key = `${types ? 'types' : 'reads'} ${session} ${socket}`
  const shared = clients.get(key) ?? start(key, socket, session, types)
  shared.users.set(told, pane)
  shared.panes.add(pane)
  return {
    ...shared.client,
    async close() {
      if (!shared.users.delete(told)) return
      if (![...shared.users.values()].includes(pane)) shared.panes.delete(pane)
      if (shared.users.size > 0) return
      if (clients.get(key) === shared) clients.delete(key)
      await shared.client.close()
    },
  }
}

function start(key: string, socket: string, session: string, types: boolean): Shared {
  const panes = new Set<string>()
  const users = new Map<Told, string>()
  const tell: Told = line => {
    if (line.type === 'exit' && clients.get(key) === shared) clients.delete(key)
    for (const [told, pane] of [...users]) if (line.type !== 'output' || line.pane === pane) told(line)
  }
  const shared: Shared = { client: controlClient(socket, session, tell, { types, panes }), panes, users }
  clients.set(key, shared)
  return shared
}
