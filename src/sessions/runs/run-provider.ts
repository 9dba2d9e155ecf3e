/** The runs that are published, as a provider of sessions. */
import type { Clock } from '../../core/clock.ts'
import type { LiveSession, SessionChanged, SessionProvider } from '../session-source.ts'
import { followFolder } from './follow-folder.ts'
import { readRuns, takeEnded } from './published-runs.ts'

/** What has ended is shown for so much longer: ms */
const endedShownMs = 5000

/** @param folder where runs are published */
export function runProvider(folder: string, clock: Clock): SessionProvider {
  let runs: ReadonlyMap<string, LiveSession> = byId(readRuns(folder))
  /** Since when each is over. */
  const ended = new Map<string, { readonly session: LiveSession; readonly at: number }>()
  let followed: ReturnType<typeof followFolder> | undefined

  function poll(onChange: SessionChanged): void {
    const before = runs
    runs = byId(readRuns(folder))
    for (const [id, { session }] of runs)
      if (before.get(id)?.session.now !== session.now) onChange(id, 'changed')
    for (const id of before.keys()) if (!runs.has(id)) end(id, onChange)
    for (const [id, { at }] of ended) if (clock.now() - at >= endedShownMs) forget(id, onChange)
  }

  function end(id: string, onChange: SessionChanged): void {
    const session = takeEnded(folder, id)
    if (session) ended.set(id, { session, at: clock.now() })
    onChange(id, session ? 'changed' : 'gone')
  }

  function forget(id: string, onChange: SessionChanged): void {
    ended.delete(id)
    onChange(id, 'gone')
  }

  return {
    start(onChange) {
      followed = followFolder(folder, clock, () => poll(onChange))
    },
    get: id => runs.get(id) ?? ended.get(id)?.session,
    list: () => [...runs.values(), ...[...ended.values()].map(({ session }) => session)],
    close: () => followed?.close(),
  }
}

const byId = (sessions: readonly LiveSession[]): ReadonlyMap<string, LiveSession> =>
  new Map(sessions.map(session => [session.id, session]))
