/** The sessions that are found, and the terminals that somebody named: shells, REPLs and what runs in them. */
import type { Clock } from '../../core/clock.ts'
import { createSubscribers } from '../../track/subscribers.ts'
import { createTrack } from '../../track/track.ts'
import type { OwnLive } from '../agents/agent-provider.ts'
import { snapshotFirst } from '../runs/run-provider.ts'
import type { LiveChange, LiveSession } from '../session-source.ts'
import { type FollowedTerminal, followTerminal } from './followed-terminal.ts'
import { type NamedTerminal, namedVersion, readNamed } from './named-terminals.ts'

const lookEveryMs = 1000
/** The first look is waited for, as long as one pane may take to stand still. */
const firstPatienceMs = 800

/** @param folder where names are kept */
export function withTerminals(live: OwnLive, folder: string, clock: Clock): OwnLive {
  const track = createTrack(clock)
  const changes = createSubscribers<LiveChange>()
  const terminals = new Map<string, FollowedTerminal>()
  let version = ''
  let isClosed = false
  let timer = clock.at(clock.now() + lookEveryMs, lookAgain)
  let looking = look(firstPatienceMs)

  function lookAgain(): void {
    if (isClosed) return
    timer = clock.at(clock.now() + lookEveryMs, lookAgain)
    looking = looking.then(() => look(0))
  }

  async function look(patience: number): Promise<void> {
    const now = namedVersion(folder)
    if (now !== version) {
      version = now
      const named = new Map(readNamed(folder).map(terminal => [keyOf(terminal), terminal]))
      for (const [key, terminal] of named)
        if (!terminals.has(key)) terminals.set(key, followTerminal(terminal, track, clock))
      for (const [key, { id }] of terminals) if (!named.has(key)) forget(key, id)
    }
    const all = [...terminals.entries()]
    if (patience > 0) await Promise.all(all.map(([, terminal]) => terminal.look(patience)))
    for (const [key, terminal] of all) {
      if (isClosed) return
      if (patience === 0) await terminal.look(0)
      if (track.get(terminal.id)?.exit) forget(key, terminal.id)
    }
  }

  function forget(key: string, id: string): void {
    terminals.delete(key)
    track.forget(id)
    changes.tell({ type: 'gone', id })
  }

  /** Of a pane with an agent in it the agent is shown, who knows more of itself. */
  const shown = (sessions: readonly LiveSession[]): LiveSession[] =>
    [...terminals.values()].flatMap(terminal => {
      const view = terminal.view()
      const isAgents = sessions.some(
        ({ pane, tmux, session }) =>
          pane === view?.pane && tmux === view?.tmux && session.verdict.state.kind !== 'exited',
      )
      return view && !isAgents ? [view] : []
    })

  async function list(): Promise<LiveSession[]> {
    await looking
    const sessions = await live.list()
    return [...sessions, ...shown(sessions)]
  }

  async function publish(): Promise<void> {
    for await (const { id } of track.changes()) {
      const view = changes.size > 0 ? shown(await live.list()).find(session => session.id === id) : undefined
      if (view) changes.tell({ type: 'changed', session: view })
    }
  }

  async function pass(): Promise<void> {
    for await (const change of await live.changes()) if (change.type !== 'snapshot') changes.tell(change)
  }

  void publish()
  void pass()

  return {
    ...live,
    list,
    async changes() {
      const rest = changes.subscribe()
      return snapshotFirst(await list(), rest)
    },
    async close() {
      isClosed = true
      timer.cancel()
      await looking
      changes.close()
      track.close()
      await live.close()
    },
  }
}

const keyOf = ({ socket, pane, pid, start, name }: NamedTerminal): string =>
  JSON.stringify([socket, pane, pid, start, name])
