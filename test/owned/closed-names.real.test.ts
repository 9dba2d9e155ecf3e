/** What is kept of a terminal that was closed: its name, so that it does not fall to what else is called so. */
import { describe, expect, test } from 'vitest'
import { placesOf } from '../../src/os/file/places.ts'
import { closedNames } from '../../src/owned/closed-names.ts'
import { forgetClosed } from '../../src/owned/forget-closed.ts'
import { heldTerminals } from '../../src/owned/held-terminals.ts'
import { mayEndIn } from '../../src/owned/run-server.ts'
import { closedAt, keptNames, noteTerminals, readNoted } from '../../src/owned/terminals-note.ts'
import { virtualClock } from '../../src/track/clock.ts'
import { temporaryFolder } from '../support/lull.ts'
import { until } from '../support/until.ts'

const minute = 60_000

test('the name is refused for ten minutes, each from when it was closed', () => {
  const clock = virtualClock(1000)
  const closed = closedNames(clock)
  expect(closed.keptFor()).toBe(0)
  closed.add('api')
  clock.advance(4 * minute)
  closed.add('web')
  expect(closed.keptFor()).toBe(10 * minute)
  expect(() => closed.check('api')).toThrow(
    expect.objectContaining({
      code: 'NO_SESSION',
      message: 'the terminal api was closed 4 min ago',
      facts: { address: 'api', closedAt: 1000 },
    }),
  )
  closed.check('other')
  expect(closed.list()).toEqual([
    { name: 'api', closedAt: 1000 },
    { name: 'web', closedAt: 1000 + 4 * minute },
  ])
  clock.advance(6 * minute)
  closed.check('api')
  expect(() => closed.check('web')).toThrow('6 min ago')
  expect(closed.keptFor()).toBe(4 * minute)
  expect(closed.list()).toMatchObject([{ name: 'web' }])
  closed.forget('web')
  closed.check('web')
  expect(closed.keptFor()).toBe(0)
})

describe('what its server has noted of it', () => {
  const placesIn = () => placesOf({ HOME: '/', LULL_RUNTIME_DIR: temporaryFolder() })

  test('tells when it was closed, for ten minutes, whatever that server does', () => {
    const places = placesIn()
    expect(closedAt(places, 'api')).toBeUndefined()
    const now = Date.now()
    noteTerminals(
      places,
      [],
      [
        { name: 'api', closedAt: now },
        { name: 'old', closedAt: now - 11 * minute },
        // The clock was ahead then.
        { name: 'late', closedAt: now + 24 * 60 * minute },
      ],
    )
    expect(['api', 'old', 'late', 'valueOf'].map(name => closedAt(places, name))).toEqual([
      now,
      undefined,
      undefined,
      undefined,
    ])
    expect(readNoted(places)).toEqual([])
  })

  test('is kept by the next server where that one was killed, with the names of what it held', async () => {
    const places = placesIn()
    const now = Date.now()
    const held = heldTerminals(() => undefined, virtualClock())
    await held.open(request('build', 'sleep', '60'))
    noteTerminals(places, held.list(), [{ name: 'api', closedAt: now - 4 * minute }])
    expect(keptNames(places, now)).toEqual([
      { name: 'api', closedAt: now - 4 * minute },
      { name: 'build', closedAt: now },
    ])
    const next = heldTerminals(() => undefined, virtualClock(now), keptNames(places, now))
    expect(() => next.get('build')).toThrow('the terminal build was closed')
    expect(() => next.get('api')).toThrow('the terminal api was closed 4 min ago')
    expect(next.closedKeptFor()).toBe(10 * minute)
    await held.closeAll()
  })

  test('is given up where that server was killed', async () => {
    const places = placesIn()
    noteTerminals(places, [], [{ name: 'api', closedAt: Date.now() }])
    expect(await forgetClosed('web', places)).toBe(false)
    expect(await forgetClosed('api', places)).toBe(true)
    expect(closedAt(places, 'api')).toBeUndefined()
  })
})

/** Of a program of a terminal server, in this process. */
const request = (name: string, ...words: string[]) => ({
  ...{ name, words, cwd: temporaryFolder(), columns: 80, rows: 24 },
  env: { PATH: process.env.PATH ?? '' },
})

test('its server stays until then, and as long as it holds one, though its program has ended', async () => {
  const clock = virtualClock()
  const terminals = heldTerminals(() => undefined, clock)
  expect(mayEndIn(terminals)).toBe(minute)
  await terminals.open(request('ends', 'true'))
  await terminals.open(request('api', 'sleep', '60'))
  await until(
    () => terminals.get('ends').describe(),
    ({ end }) => end !== undefined,
    'the end of the program',
  )
  await terminals.close('api', true)
  expect(mayEndIn(terminals)).toBeUndefined()
  await terminals.close('ends', false)
  expect(mayEndIn(terminals)).toBe(10 * minute)
  clock.advance(9.5 * minute)
  expect(() => terminals.get('api')).toThrow('the terminal api was closed 9 min 30 s ago')
  expect(mayEndIn(terminals)).toBe(minute)
})
