import { expect, test } from 'vitest'
import type { Terminal } from '../../src/drive/open-terminal.ts'
import { placesOf } from '../../src/os/file/places.ts'
import { controlRespawn, listRespawns } from '../../src/respawn/control/respawn-requests.ts'
import { takeLease } from '../../src/respawn/control/respawn-server.ts'
import { relaunch } from '../../src/respawn/relaunch.ts'
import { respawn } from '../../src/respawn/respawn.ts'
import type { LiveChange, LiveSession } from '../../src/sessions/session-source.ts'
import { realClock, virtualClock } from '../../src/track/clock.ts'
import { temporaryFile } from '../support/lull.ts'
import { liveOf } from '../support/respawn-runner.ts'
import { ownPlaces } from '../support/running.ts'
import { hook, play } from '../support/scenario.ts'
import { until } from '../support/until.ts'

const idle = liveOf(play('claude', [hook(1, 'SessionStart', { source: 'startup' })], { until: 2 }).session)
const crashed: LiveSession = {
  ...idle,
  session: {
    ...idle.session,
    verdict: { ...idle.session.verdict, state: { kind: 'exited', code: 1 }, because: [] },
  },
}
const again: LiveSession = { ...idle, id: 'bbbbbbbb', pid: 2 }
const plan = () =>
  temporaryFile(
    'plan.yaml',
    'steps: [{ prompt: go on }]\ntimes: 9\nrelaunch: { on_crash: claude --continue }\n',
  )

async function crash(places: ReturnType<typeof placesOf>) {
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
  const run = await respawn('web', { plan: plan(), clock }, around, places)
  await until(
    () => run.status().phase,
    phase => phase === 'sending',
  )
  clock.advance(5000)
  await until(
    () => typed.length,
    length => length > 0,
  )
  return run
}

/** It does not wait for what it never yields. */
const iterator = (all: AsyncGenerator<LiveChange>): AsyncIterator<LiveChange> => ({
  next: () => all.next(),
  return: async () => ({ done: true, value: undefined }),
})

test('an agent that was started again is steered by its own address, and has no other controller', async () => {
  const places = placesOf(ownPlaces())
  const run = await crash(places)
  await until(
    () => run.status().session,
    session => session === again.id,
  )
  expect((await listRespawns(places)).map(({ session }) => session)).toEqual([again.id])
  expect(() => takeLease(places, again.id)).toThrow('another lull respawn')
  expect(await controlRespawn(places, again.id, 'stop')).toMatchObject({ phase: 'stopped' })
  expect(await run.outcome).toBe('asked')
  takeLease(places, again.id).release()
})

test('where another one keeps it going by then, this one ends', async () => {
  const places = placesOf(ownPlaces())
  const other = takeLease(places, again.id)
  const run = await crash(places)
  expect(await run.outcome).toBe('gone')
  other.release()
})

test('the line goes to no agent: somebody has started it by hand', async () => {
  const typed: string[] = []
  const terminal = {
    async send(text: string, { unless }: Parameters<Terminal['send']>[1] = {}) {
      const why = unless?.(again, [])
      if (why === undefined) typed.push(text)
      return { bytes: 1, isEntered: why === undefined, isRead: true }
    },
    [Symbol.asyncDispose]: async () => undefined,
  } as unknown as Terminal
  const ports = { clock: realClock(), sessions: async () => [again], place: async () => terminal }
  await relaunch(idle, 'claude --continue', 0, ports, new AbortController().signal)
  expect(typed).toEqual([])
})
