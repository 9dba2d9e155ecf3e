/** A respawn on a fake terminal and a clock that a test moves: sessions of the real detector in, what was typed out. */
import type { Session } from '../../src/core/session.ts'
import type { Terminal } from '../../src/drive/open-terminal.ts'
import { refusedToType } from '../../src/drive/refusal.ts'
import type { RunnerPorts } from '../../src/respawn/attempts.ts'
import type { RespawnEvent } from '../../src/respawn/respawn-events.ts'
import { runRespawn } from '../../src/respawn/respawn-runner.ts'
import { respawnStatus } from '../../src/respawn/status.ts'
import type { LiveSession } from '../../src/sessions/session-source.ts'
import { virtualClock } from '../../src/track/clock.ts'
import { type PlanLike, planOf } from './respawn.ts'

export const liveOf = (session: Session): LiveSession => ({
  id: 'aaaaaaaa',
  agent: 'claude',
  pid: 1,
  tmux: '/tmp/x',
  pane: '%1',
  hooks: 'heard',
  isSeen: true,
  session,
})

export function respawnOn(first: Session, plan: PlanLike = {}, ports: Partial<RunnerPorts> = {}) {
  const clock = virtualClock(Date.UTC(2026, 10, 1))
  const typed: string[] = []
  const events: (RespawnEvent & { readonly why: string })[] = []
  let now = liveOf(first)
  let hasAgent = true
  /** How long typing takes: text, then Enter, each after its own. */
  const typing: { ms: readonly number[]; breaks?: Error } = { ms: [0, 0] }
  const wait = (ms: number) => new Promise<void>(resolve => clock.at(clock.now() + ms, resolve))
  const terminal = {
    async send(text: string, { signal, unless }: Parameters<Terminal['send']>[1] = {}) {
      for (const [at, ms] of typing.ms.entries()) {
        if (ms > 0) await wait(ms)
        const why = unless?.(hasAgent ? now : undefined, [])
        if (why !== undefined || signal?.aborted) throw refusedToType('failed', why ?? 'called off', at)
        typed.push(at === 0 ? text : '\r')
      }
      if (typing.breaks) throw typing.breaks
      return { bytes: text.length, isEntered: true, isRead: true }
    },
    async keys(names: readonly string[]) {
      typed.push(...names)
    },
    agent: async () => (hasAgent ? now : undefined),
    read: async () => [],
    close: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  } as unknown as Terminal
  const runner = runRespawn(planOf(plan), now, {
    clock,
    rules: [],
    folder: '/',
    isDry: false,
    sessions: async () => [now],
    terminal: async () => terminal,
    place: async () => terminal,
    personAt: async () => undefined,
    emit: (event, why) => void events.push({ ...event, why }),
    moved: async () => undefined,
    stopped: () => undefined,
    failed: error => {
      throw error
    },
    ...ports,
  })
  const settle = async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  }
  return {
    runner,
    clock,
    typed,
    typing,
    events,
    status: () =>
      respawnStatus(runner.session(), runner.state(), { now: clock.now(), wall: clock.wall(), pid: 1 }),
    /** The agent has left its terminal to something else, which nobody has told yet. */
    leaves() {
      hasAgent = false
    },
    async begin() {
      runner.begin()
      await settle()
    },
    async sees(session: Session) {
      now = liveOf(session)
      runner.change({ type: 'changed', session: now })
      await settle()
    },
    /** In small pieces: what was awaited in between goes on. */
    async advance(ms: number, piece = 50) {
      for (let left = ms; left > 0; left -= piece) {
        clock.advance(Math.min(piece, left))
        await settle()
      }
    },
  }
}
