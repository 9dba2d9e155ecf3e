/** A loop as one session for its whole life: what its agent does while one runs, and between two runs when the next begins. */
import { rmSync } from 'node:fs'
import path from 'node:path'
import type { AgentName } from '../../agents/agent-names.ts'
import { advance, startedSession } from '../../core/advance.ts'
import type { Session } from '../../core/session.ts'
import type { IdleAfter, Instant } from '../../core/state.ts'
import { attempt } from '../../os/attempt.ts'
import { makeOwnFolder } from '../../os/file/places.ts'
import { markOf } from '../../os/proc/alive.ts'
import { identify } from '../../os/proc/process-id.ts'
import type { Track } from '../../track/track.ts'
import { writePublished } from './published-runs.ts'

export type LoopRow = {
  /** A run of its agent has begun. */
  run(run: {
    readonly pid: number
    readonly agent?: AgentName
    readonly id: string
    readonly track: Track
    readonly note: string
    /** What the run's environment names it by (`LULL_LOOP`). */
    readonly loop: string
  }): void
  /** @param after how the last run ended; `until`: when the next begins */
  rest(now: Instant, note: string, after?: IdleAfter, until?: Instant): void
  close(): void
}

/** A folder that can't be written keeps it from being shown, nothing else. */
export function publishLoop(folder: string, cwd: string): LoopRow {
  const owner = markOf(process.pid)
  const id = identify(process.pid, owner.start ?? '')
  const file = path.join(folder, `${id}.json`)
  let last: { readonly agent: AgentName | 'command'; readonly pid: number } = {
    agent: 'command',
    pid: process.pid,
  }
  /** What is written of an earlier run, or rest, comes too late. */
  let current = 0

  function write(
    session: Session,
    note: string,
    more: { readonly loop?: string; readonly stands?: string },
  ): void {
    const { agent, pid } = last
    const { loop, stands } = more
    const row = {
      id,
      agent,
      pid,
      cwd,
      note,
      hooks: 'unknown',
      isSeen: true,
      session,
      ...(stands ? { stands } : {}),
    } as const
    attempt(() => {
      makeOwnFolder(folder)
      writePublished(file, { owner, process: markOf(pid), session: row, ...(loop ? { loop } : {}) })
    })
  }

  return {
    run({ pid, agent, id: name, track, note, loop }) {
      const mine = ++current
      last = { agent: agent ?? 'command', pid }
      const stands = identify(pid, markOf(pid).start ?? '')
      const show = () => {
        const session = track.get(name)
        if (session && mine === current) write(session, note, { loop, stands })
      }
      const changes = track.changes()
      show()
      void (async () => {
        for await (const _ of changes) show()
      })()
    },
    rest(now, note, after, until) {
      current++
      last = { ...last, pid: process.pid }
      write(resting(now, after, until), note, {})
    },
    close() {
      current++
      rmSync(file, { force: true })
    },
  }
}

/** Nothing runs, and the next run begins by itself. */
function resting(now: Instant, after: IdleAfter | undefined, until: Instant | undefined): Session {
  const session = advance(startedSession(now), now, {
    type: 'sign',
    source: 'process',
    what: 'no run of the loop',
    says: after === undefined ? { kind: 'idle' } : { kind: 'idle', after },
    excludes: ['working', 'waiting'],
    tier: 'proven',
    lag: 0,
    since: now,
    seen: now,
    alive: true,
  })
  const wakes = until === undefined ? [] : [{ kind: 'wakeup' as const, what: 'the next run', at: until }]
  return { ...advance(session, now, { type: 'facts', facts: { wakes }, at: now }), instant: undefined }
}
