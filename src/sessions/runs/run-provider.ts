/** The sessions that are found, and the runs that are published: where both tell of one process, its owner is believed. */
import type { Clock } from '../../core/clock.ts'
import { watchFolder } from '../../os/file/watch-file.ts'
import { createSubscribers } from '../../track/subscribers.ts'
import type { OwnLive } from '../agents/agent-provider.ts'
import type { LiveChange, LiveSession } from '../session-source.ts'
import { readRuns } from './published-runs.ts'

const lookEveryMs = 1000

export function withRuns(live: OwnLive, folder: string, clock: Clock): OwnLive {
  const changes = createSubscribers<LiveChange>()
  let runs = byId(readRuns(folder))
  let timer = clock.at(clock.now() + lookEveryMs, lookAgain)
  const watched = watchFolder(folder, look)

  function lookAgain(): void {
    timer = clock.at(clock.now() + lookEveryMs, lookAgain)
    watched.renew()
    look()
  }

  function look(): void {
    const before = runs
    runs = byId(readRuns(folder))
    for (const [id, session] of runs) {
      if (before.get(id)?.session.now !== session.session.now) changes.tell({ type: 'changed', session })
    }
    for (const id of before.keys()) if (!runs.has(id)) void ended(id)
  }

  /** The process may still be found by itself. */
  async function ended(id: string): Promise<void> {
    const session = (await live.list()).find(other => other.id === id)
    changes.tell(session ? { type: 'changed', session } : { type: 'gone', id })
  }

  async function pass(): Promise<void> {
    for await (const change of await live.changes()) {
      if (change.type === 'changed' && !runs.has(change.session.id)) changes.tell(change)
      if (change.type === 'gone' && !runs.has(change.id)) changes.tell(change)
    }
  }

  const list = async (): Promise<LiveSession[]> => [
    ...(await live.list()).filter(({ id }) => !runs.has(id)),
    ...runs.values(),
  ]
  void pass()

  return {
    ...live,
    list,
    async changes() {
      const rest = changes.subscribe()
      return snapshotFirst(await list(), rest)
    },
    async close() {
      timer.cancel()
      watched.close()
      changes.close()
      await live.close()
    },
  }
}

const byId = (sessions: readonly LiveSession[]): ReadonlyMap<string, LiveSession> =>
  new Map(sessions.map(session => [session.id, session]))

export function snapshotFirst(
  sessions: readonly LiveSession[],
  rest: AsyncIterableIterator<LiveChange>,
): AsyncIterableIterator<LiveChange> {
  let isFirst = true
  const values: AsyncIterableIterator<LiveChange> = {
    async next() {
      if (!isFirst) return rest.next()
      isFirst = false
      return { value: { type: 'snapshot', sessions }, done: false }
    },
    return: async () => (await rest.return?.()) ?? { value: undefined, done: true },
    [Symbol.asyncIterator]: () => values,
  }
  return values
}
