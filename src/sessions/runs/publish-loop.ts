/** Publishes a loop as one session for its whole life, and finds loops that were killed while their agent ran. */
import { rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { AgentName } from '../../agents/agent-names.ts'
import { advance, startedSession } from '../../core/advance.ts'
import type { Session } from '../../core/session.ts'
import type { IdleAfter, Instant, State } from '../../core/state.ts'
import { attempt } from '../../os/attempt.ts'
import { makeOwnFolder } from '../../os/file/places.ts'
import { identify, markOf } from '../../os/proc/alive.ts'
import { isGroupAlive, signalGroup } from '../../os/spawn/process-group.ts'
import type { Track } from '../../track/track.ts'
import { ancestorIds } from '../discover/ancestor-ids.ts'
import type { LiveSession } from '../session-source.ts'
import { isLeftBehind, type Published, publishedIn, unpublish, writePublished } from './published-runs.ts'

export type LeftBehind = {
  readonly session: LiveSession
  /** Ends it with all that it started. False where some of it still runs then. */
  end(): Promise<boolean>
}

/** As a loop ends its own: SIGTERM, and SIGKILL so much later (docs/loop.md#keys-and-signals). */
const patienceMs = 3000
const pollMs = 50

/** @param folder where runs are published */
export const findLeftBehind = (folder: string): readonly LeftBehind[] =>
  publishedIn(folder)
    .filter(({ published }) => isLeftBehind(published))
    .map(({ file, published }) => ({
      session: published.session,
      async end() {
        const { pid } = published.process
        for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
          // Its number is another's as soon as it has ended.
          if (isLeftBehind(published)) signalGroup(pid, signal)
          await hasEnded(pid)
        }
        const isOver = !isLeftBehind(published)
        if (isOver) attempt(() => rmSync(file, { force: true }))
        return isOver
      },
    }))

async function hasEnded(group: number): Promise<void> {
  const until = performance.now() + patienceMs
  while (isGroupAlive(group) && performance.now() < until) await pause(pollMs)
}

export type LoopRow = {
  /** A run of its agent has begun. */
  run(run: {
    readonly pid: number
    readonly agent?: AgentName
    readonly id: string
    readonly track: Track
    readonly note: () => string
    /** What the run's environment names it by (`LULL_LOOP`). */
    readonly loop: string
  }): void
  /** A run is over, and the next begins, or a wait: no time in which anybody else could do something there. */
  between(now: Instant, note: string): void
  /** @param after how the last run ended; `until`: when the next begins by itself, if it does */
  rest(now: Instant, note: string, after: IdleAfter | undefined, until?: Instant): void
  /** @param code of the whole loop's end; undefined where it ended as its person wanted, or nobody knows how */
  close(now: Instant, note: string, code?: number): void
}

/** A folder that can't be written keeps it from being shown, nothing else. */
export function publishLoop(folder: string, cwd: string): LoopRow {
  const owner = markOf(process.pid)
  const id = identify(process.pid, owner.start ?? '')
  const ancestors = ancestorIds(process.pid)
  const file = path.join(folder, `${id}.json`)
  let last: { readonly agent: AgentName | 'command'; readonly pid: number } = {
    agent: 'command',
    pid: process.pid,
  }
  /** What is written of an earlier run, or rest, comes too late. */
  let current = 0

  function publishedAs(
    session: Session,
    note: string,
    { loop, identity }: { readonly loop?: string; readonly identity?: string },
  ): Published {
    const { agent, pid } = last
    const row = {
      id,
      ancestors,
      agent,
      pid,
      cwd,
      note,
      hooks: 'unknown',
      isSeen: true,
      session,
      ...(identity ? { stands: identity } : {}),
    } as const
    return { owner, process: markOf(pid), session: row, ...(loop ? { loop } : {}) }
  }

  const write = (...what: Parameters<typeof publishedAs>): void =>
    void attempt(() => {
      makeOwnFolder(folder)
      writePublished(file, publishedAs(...what))
    })

  return {
    run({ pid, agent, id: name, track, note, loop }) {
      const mine = ++current
      last = { agent: agent ?? 'command', pid }
      const identity = identify(pid, markOf(pid).start ?? '')
      const show = () => {
        const session = track.get(name)
        // The end of a run is not the loop's.
        const isOver = session?.verdict.state.kind === 'exited'
        if (session && !isOver && mine === current) write(session, note(), { loop, identity })
      }
      const changes = track.changes()
      show()
      void (async () => {
        for await (const _ of changes) show()
      })()
    },
    between(now, note) {
      current++
      last = { ...last, pid: process.pid }
      write(withoutRun(now, { kind: 'working' }), note, {})
    },
    rest(now, note, after, until) {
      current++
      last = { ...last, pid: process.pid }
      const resting = withoutRun(now, after === undefined ? { kind: 'idle' } : { kind: 'idle', after })
      const wakes =
        until === undefined ? [] : ([{ kind: 'wakeup', what: 'the next run', at: until }] as const)
      write(
        { ...advance(resting, now, { type: 'facts', facts: { wakes }, at: now }), instant: undefined },
        note,
        {},
      )
    },
    close(now, note, code) {
      current++
      unpublish(file, publishedAs(endedAt(now, code), note, {}))
    },
  }
}

const endedAt = (now: Instant, code: number | undefined): Session => ({
  ...advance(startedSession(now), now, {
    type: 'exit',
    source: 'process',
    what: 'the end of the loop',
    at: now,
    ...(code === undefined ? {} : { code }),
  }),
  instant: undefined,
})

/** Nothing runs. */
const withoutRun = (now: Instant, state: State): Session => ({
  ...advance(startedSession(now), now, {
    type: 'sign',
    source: 'process',
    what: 'no run of the loop',
    state,
    excludes: ['working', 'waiting'],
    tier: 'proven',
    lag: 0,
    since: now,
    seen: now,
    alive: true,
  }),
  instant: undefined,
})
