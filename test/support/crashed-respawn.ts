/** A respawn whose agent has crashed, on a fake terminal and a clock that a test moves: it waits to start the agent again. */
import type { Terminal } from '../../src/drive/open-terminal.ts'
import type { Places } from '../../src/os/file/places.ts'
import { respawn } from '../../src/respawn/respawn.ts'
import type { LiveChange, LiveSession } from '../../src/sessions/session-source.ts'
import { realClock, virtualClock } from '../../src/track/clock.ts'
import { temporaryFile } from './lull.ts'
import { liveOf } from './respawn-runner.ts'
import { hook, play } from './scenario.ts'
import { until } from './until.ts'

export const idle = liveOf(
  play('claude', [hook(1, 'SessionStart', { source: 'startup' })], { until: 2 }).session,
)
const crashed: LiveSession = {
  ...idle,
  session: {
    ...idle.session,
    verdict: { ...idle.session.verdict, state: { kind: 'exited', code: 1 }, because: [] },
  },
}
export const again: LiveSession = { ...idle, id: 'bbbbbbbb', pid: 2 }
const plan = () =>
  temporaryFile(
    'plan.yaml',
    'steps: [{ prompt: go on }]\ntimes: 9\nrelaunch: { on_crash: claude --continue }\n',
  )

export async function crashedRespawn(address: string, places: Places) {
  const clock = virtualClock(realClock().wall())
  const typed: string[] = []
  const terminal = {
    pane: { pid: 1000 },
    send: async (text: string) => void typed.push(text),
    [Symbol.asyncDispose]: async () => undefined,
  } as unknown as Terminal
  async function* changes(): AsyncGenerator<LiveChange> {
    yield { type: 'changed', session: crashed }
    await new Promise(() => undefined)
  }
  const around = {
    find: async () => idle,
    sessions: async () => [again],
    changes: () => ({ [Symbol.asyncIterator]: () => ({ ...iterator(changes()) }) }),
    terminal: async () => terminal,
  }
  const run = await respawn(address, { plan: plan(), clock }, around, places)
  await until(
    () => run.status().phase,
    phase => phase === 'sending',
  )
  return { run, clock, typed }
}

/** It does not wait for what it never yields. */
const iterator = (all: AsyncGenerator<LiveChange>): AsyncIterator<LiveChange> => ({
  next: () => all.next(),
  return: async () => ({ done: true, value: undefined }),
})
