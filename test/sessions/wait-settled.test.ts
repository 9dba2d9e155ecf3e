/** A wait for `settled`: what sessions report when, the outcome and its instant out. Changes of those that one started reach it. */
import { describe, expect, test } from 'vitest'
import type { Signal } from '../../src/core/evidence/signal.ts'
import { mergedSource } from '../../src/sessions/local-sessions.ts'
import type { LiveChange, LiveSession, SessionChanged } from '../../src/sessions/session-source.ts'
import { lastingChanges } from '../../src/sessions/wait/lasting-changes.ts'
import { wait } from '../../src/sessions/wait/wait.ts'
import type { WaitRequest } from '../../src/sessions/wait/wait-step.ts'
import { virtualClock } from '../../src/track/clock.ts'
import { createTrack } from '../../src/track/track.ts'
import {
  background,
  broken,
  exit,
  finished,
  limited,
  liveSession,
  news,
  permission,
  prompt,
  settle,
} from '../support/live.ts'

const toSettled: WaitRequest = {
  for: ['settled'],
  next: false,
  mode: 'all',
  ignoreBackground: false,
  held: 0,
}

/** Which sessions each one descends from, nearest first. */
const ancestors: Readonly<Record<string, readonly string[]>> = {
  a: ['shell'],
  child: ['sh', 'a', 'shell'],
  leaf: ['sh', 'child', 'sh', 'a', 'shell'],
}

/** Sessions of one machine behind the source that hosts have. */
function sessions() {
  const clock = virtualClock()
  let onChange: SessionChanged = () => undefined
  const track = createTrack(clock, id => onChange(id, 'changed'))
  const get = (id: string): LiveSession | undefined => {
    const session = track.get(id)
    return session && liveSession(session, { id, ancestors: ancestors[id] ?? [] })
  }
  const source = mergedSource([
    {
      start: changed => {
        onChange = changed
      },
      get,
      list: () => track.ids().flatMap(id => get(id) ?? []),
      close: () => undefined,
    },
  ])
  const file = (id: string, ...signals: readonly Signal[]) => void track.file(id, signals)
  const forget = (id: string) => {
    track.forget(id)
    onChange(id, 'gone')
  }
  return { clock, source, file, forget }
}

type Machine = ReturnType<typeof sessions>
/** What happens at an instant. */
type Row = readonly [at: number, act: (machine: Machine) => void]

const reports = (at: number, id: string, ...signals: readonly Signal[]): Row => [
  at,
  ({ file }) => file(id, ...signals),
]

/** Waits for `a` from 1 s on, and plays the rows. @returns the outcome and its instant; undefined where it goes on */
async function ended(rows: readonly Row[], request: Partial<WaitRequest> = {}): Promise<string | undefined> {
  const machine = sessions()
  const { clock, source } = machine
  const play = async (until: number, to: (at: number) => boolean) => {
    for (const [at, act] of rows.filter(([at]) => to(at))) {
      clock.advance(at - clock.now())
      act(machine)
      await settle()
    }
    clock.advance(until - clock.now())
  }
  await play(1000, at => at <= 1000)
  const stop = new AbortController()
  let end: string | undefined
  const changes = await lastingChanges(source, async () => source)
  const find = (all: readonly LiveSession[]) => all.filter(({ id }) => id === 'a')
  const ports = { changes, clock, signal: stop.signal, onRegistered: () => undefined }
  const done = wait({ ...toSettled, ...request }, find, ports).then(result => {
    end = result && `${result.outcome} ${clock.now()}`
  })
  await settle()
  for (let at = 1000; at <= 100_000 && end === undefined; at += 500) {
    await play(at, when => when > at - 500 && when <= at && when > 1000)
    await settle()
  }
  stop.abort()
  await done
  await source.close()
  return end
}

const turn = (from: number, to: number, id = 'a'): readonly Row[] => [
  reports(from, id, prompt(from)),
  reports(to, id, news(to, finished)),
]

describe('a wait for settled', () => {
  test('is over 2 s after the end of the turn: what it started is found by then', async () => {
    expect(await ended(turn(100, 500))).toBe('reached 2500')
    expect(await ended(turn(100, 5000))).toBe('reached 7000')
  })

  test.each<[string, readonly Row[], string | undefined]>([
    ['works', [], undefined],
    ['ends its turn', [reports(8000, 'child', news(8000, finished))], 'reached 10000'],
    ['exits', [reports(8000, 'child', exit(8000))], 'reached 8000'],
    ['asks', [reports(8000, 'child', news(8000, permission))], undefined],
    ['is forgotten', [[8000, ({ forget }) => forget('child')]], 'reached 8000'],
  ])('goes on while a session that it started works; that one %s', async (_, rows, outcome) => {
    expect(await ended([...turn(100, 500), reports(900, 'child', prompt(900)), ...rows])).toBe(outcome)
  })

  test('sees a session that comes, and one that another one started', async () => {
    const comes = reports(2000, 'child', prompt(2000))
    const starts = reports(4000, 'leaf', prompt(4000))
    const leaves: Row = [5000, ({ forget }) => forget('child')]
    const ends = reports(9000, 'leaf', news(9000, finished))
    expect(await ended([...turn(100, 500), comes, starts, leaves, ends])).toBe('reached 11000')
  })

  test('does not see those that stand beside it', async () => {
    expect(await ended([...turn(100, 500), reports(900, 'other', prompt(900))])).toBe('reached 2500')
  })

  test('goes on while its own background work runs, and until the list of what runs is empty', async () => {
    const begun = [
      ...turn(100, 500),
      reports(600, 'a', news(600, background, { lane: 'bg:1' })),
      reports(600, 'a', { type: 'facts', facts: { background: [{ kind: 'task' }] }, at: 600 }),
    ]
    expect(await ended(begun)).toBeUndefined()
    const over = reports(5000, 'a', news(5000, finished, { lane: 'bg:1', ends: ['bg:1'] }))
    expect(await ended([...begun, over])).toBeUndefined()
    const listed = reports(9000, 'a', { type: 'facts', facts: { background: [] }, at: 9000 })
    expect(await ended([...begun, over, listed])).toBe('reached 9000')
  })

  test('goes on while a wake is pending, and 15 s longer', async () => {
    const wakes = [{ kind: 'wakeup', at: 20_000 }] as const
    const asked = reports(500, 'a', { type: 'facts', facts: { wakes }, at: 500 })
    expect(await ended([...turn(100, 500), asked])).toBe('reached 35000')
    expect(await ended([...turn(100, 500), asked, ...turn(21_000, 40_000)])).toBe('reached 42000')
  })

  test('counts --held from when all was settled', async () => {
    const child = turn(900, 6000, 'child')
    expect(await ended([...turn(100, 500), ...child], { held: 3000 })).toBe('reached 11000')
    const again = turn(10_000, 12_000, 'child')
    expect(await ended([...turn(100, 500), ...child, ...again], { held: 3000 })).toBe('reached 17000')
  })

  test('ends as a wait for idle does: failed, limited, waiting for a person, gone', async () => {
    const end = (state: typeof broken): readonly Row[] => [
      reports(100, 'a', prompt(100)),
      reports(500, 'a', news(500, state)),
    ]
    expect(await ended(end(broken))).toBe('turnFailed 2500')
    expect(await ended(end(limited))).toBe('limited 2500')
    expect(await ended([...turn(100, 5000), reports(2000, 'a', news(2000, permission))])).toBe(
      'waitsForPerson 2000',
    )
    expect(await ended([...turn(100, 5000), reports(2000, 'a', exit(2000))])).toBe('gone 2000')
  })

  test('with --next counts only a turn that begins after it', async () => {
    expect(await ended(turn(100, 500), { next: true })).toBeUndefined()
    expect(await ended([...turn(100, 500), ...turn(3000, 4000)], { next: true })).toBe('reached 6000')
  })

  test('beside waiting ends with whichever comes first', async () => {
    const request: Partial<WaitRequest> = { for: ['settled', 'waiting'] }
    expect(await ended(turn(100, 500), request)).toBe('reached 2500')
    const asks = reports(2000, 'a', news(2000, permission))
    expect(await ended([reports(100, 'a', prompt(100)), asks], request)).toBe('reached 2000')
  })
})

test('a session is told of again once one that it started unsettles it, and once more when that is over', async () => {
  const { clock, source, file } = sessions()
  file('a', prompt(0), news(0, finished))
  const heard: LiveChange[] = []
  const changes = await source.changes()
  void (async () => {
    for await (const change of changes) heard.push(change)
  })()
  clock.advance(5000)
  file('child', prompt(5000))
  file('child', news(5000, permission))
  clock.advance(5000)
  file('child', news(10_000, finished))
  await settle()
  await source.close()
  const brief = heard.flatMap(change =>
    change.type === 'changed' ? [[change.session.id, change.session.settledFrom]] : [],
  )
  expect(brief).toEqual([
    ['child', undefined],
    ['a', undefined],
    ['child', undefined],
    ['child', 12_000],
    ['a', 12_000],
  ])
})
