import { expect, test } from 'vitest'
import type { Terminal } from '../../src/drive/open-terminal.ts'
import { placesOf } from '../../src/os/file/places.ts'
import { relaunch } from '../../src/respawn/attempts.ts'
import { controlRespawn, listRespawns } from '../../src/respawn/control/respawn-requests.ts'
import { takeLease } from '../../src/respawn/control/respawn-server.ts'
import type { LiveSession } from '../../src/sessions/session-source.ts'
import { realClock, virtualClock } from '../../src/track/clock.ts'
import { again, crashedRespawn, idle } from '../support/crashed-respawn.ts'
import { ownPlaces } from '../support/running.ts'
import { until } from '../support/until.ts'

async function crash(places: ReturnType<typeof placesOf>) {
  const { run, clock, typed } = await crashedRespawn('web', places)
  clock.advance(5000)
  await until(
    () => typed.length,
    length => length > 0,
  )
  return run
}

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

test('a stop in the gap between a crash and its relaunch: nothing is typed after it', async () => {
  const clock = virtualClock(realClock().wall())
  const typed: string[] = []
  const terminal = { send: async (text: string) => void typed.push(text) } as unknown as Terminal
  const calledOff = new AbortController()
  const ports = { clock, sessions: async () => [], place: async () => terminal }
  const started = relaunch(idle, 'claude --continue', 5000, ports, calledOff.signal)
  clock.advance(4000)
  calledOff.abort()
  expect((await started).result.is).toBe('failed')
  clock.advance(60_000)
  expect(typed).toEqual([])
})

test('what tells by then that it ended of itself is not started again', async () => {
  const clock = virtualClock(realClock().wall())
  const typed: string[] = []
  const terminal = { send: async (text: string) => void typed.push(text) } as unknown as Terminal
  const ended: LiveSession = {
    ...idle,
    session: { ...idle.session, verdict: { ...idle.session.verdict, state: { kind: 'exited', code: 0 } } },
  }
  const ports = { clock, sessions: async () => [ended], place: async () => terminal }
  const started = relaunch(idle, 'claude --continue', 5000, ports, new AbortController().signal)
  clock.advance(5000)
  expect((await started).result.is).toBe('gone')
  expect(typed).toEqual([])
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
