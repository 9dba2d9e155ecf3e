import { describe, expect, test } from 'vitest'
import type { Session } from '../../../src/core/session.ts'
import type { Entry, StoredEntry } from '../../../src/history/entry.ts'
import { keepChange, newPast, type PastStepState } from '../../../src/sessions/history/past-step.ts'
import { inFull } from '../../../src/sessions/history/session-past.ts'
import { whileAway } from '../../../src/sessions/history/while-away.ts'
import type { LiveChange, LiveSession } from '../../../src/sessions/session-source.ts'
import {
  background,
  exit,
  finished,
  liveSession,
  news,
  permission,
  prompt,
  sessionOf,
} from '../../support/live.ts'

const epoch = Date.UTC(2026, 10, 24)
const clean = newPast(new Map())
const asked = news(3000, permission, { facts: { question: 'npm publish' } } as never)
const worked = [prompt(1000)]
const waited = [...worked, asked]
const ended = [...waited, news(9000, finished, { what: 'Stop' })]
const changed = (session: Session, more: Partial<LiveSession> = {}): LiveChange => ({
  type: 'changed',
  session: liveSession(session, more),
})

function keep(changes: readonly LiveChange[], first: PastStepState = clean, bootedAt = 0, now = 20_000) {
  let state = first
  const entries: Entry[] = []
  for (const change of changes) {
    const step = keepChange(state, change, { now, epoch, bootedAt })
    state = step.state
    entries.push(...step.entries)
  }
  return { state, entries, states: entries.map(({ data }) => (data as { state: string }).state) }
}

test('each state that a session came to is kept once, at the time of its change', () => {
  const all = [worked, waited, waited, ended].map(signals => changed(sessionOf(signals)))
  const { entries } = keep(all)
  expect(entries.map(({ at }) => at - epoch)).toEqual([1000, 3000, 9000])
  expect(entries).toMatchObject([
    { session: 'abcd1234', agent: 'claude', cwd: '/home/dev/api', data: { state: 'working', turn: 1 } },
    { data: { state: 'waiting', for: 'permission' } },
    { data: { state: 'idle', after: 'turn' } },
  ])
})

test('what an agent does within its turn is no entry; another turn that ends is one', () => {
  const tool = news(2000, { kind: 'working', doing: 'tool' })
  const again = [...ended, prompt(12_000), news(12_100, finished, { what: 'Stop' })]
  const { states } = keep([worked, [...worked, tool], ended, again].map(one => changed(sessionOf(one))))
  expect(states).toEqual(['working', 'idle', 'idle'])
})

test('the end of a turn that leaves work in the background is an entry', () => {
  const beside = news(5000, background, { what: 'Stop' })
  const { entries } = keep([worked, [...worked, beside], ended].map(one => changed(sessionOf(one))))
  expect(entries.map(({ data }) => data)).toMatchObject([
    { state: 'working', turn: 1 },
    { state: 'working', doing: 'background', turn: 1, turnOver: true },
    { state: 'idle', turn: 1, turnOver: true },
  ])
  expect(entries[0]?.data).not.toHaveProperty('turnOver')
})

test('an unknown that does not last is no entry', () => {
  const unknown = (at: number): LiveChange => {
    const session = sessionOf(ended)
    const verdict = { ...session.verdict, state: { kind: 'unknown' }, since: at, because: [] } as const
    return changed({ ...session, verdict })
  }
  const work = (at: number) => changed(sessionOf([...ended, prompt(at)]))
  expect(keep([changed(sessionOf(ended)), unknown(10_000), work(12_000)]).states).toEqual(['idle', 'working'])
  expect(keep([changed(sessionOf(ended)), unknown(10_000), work(21_000)]).states).toEqual([
    'idle',
    'unknown',
    'working',
  ])
})

test('a host that begins anew repeats nothing, and tells what changed meanwhile', () => {
  const { state } = keep([changed(sessionOf(waited))])
  const snapshot = (session: Session): LiveChange => ({ type: 'snapshot', sessions: [liveSession(session)] })
  expect(keep([snapshot(sessionOf(waited))], state).states).toEqual([])
  expect(keep([snapshot(sessionOf(ended))], state).states).toEqual(['idle'])
})

test('what ended while no host looked is told, and whether the machine was started anew', () => {
  const { state } = keep([changed(sessionOf(waited))])
  const empty: LiveChange = { type: 'snapshot', sessions: [] }
  expect(keep([empty], state).entries).toMatchObject([
    {
      at: epoch + 20_000,
      session: 'abcd1234',
      data: { state: 'exited', lost: expect.stringContaining('no host') },
    },
  ])
  expect(keep([empty], state, epoch + 15_000).entries).toMatchObject([
    { at: epoch + 15_000, data: { state: 'exited', lost: expect.stringContaining('anew') } },
  ])
  const gone = keep([changed(sessionOf([...ended, exit(9500)]))], state)
  expect(gone.states).toEqual(['exited'])
  expect(keep([empty, empty], gone.state).states).toEqual([])
})

describe('words that come after their state', () => {
  const bare = news(3000, permission)
  const told = [...worked, bare, { type: 'facts', facts: { question: 'npm publish' }, at: 3100 }] as const
  const { entries, state } = keep([worked, [...worked, bare], told].map(one => changed(sessionOf(one))))

  test('are kept as more of it, at its time, and once', () => {
    expect(entries.map(({ at, data }) => [at - epoch, data])).toMatchObject([
      [1000, { state: 'working' }],
      [3000, { state: 'waiting', for: 'permission' }],
      [3000, { state: 'waiting', for: 'permission', question: 'npm publish', isMore: true }],
    ])
    expect(keep([changed(sessionOf([...worked, bare])), changed(sessionOf(told))], state).entries).toEqual([])
  })

  test('are read in its place: each state is one', () => {
    const stored = entries.map((entry, id) => ({ ...entry, id }))
    const other = { ...(stored[0] as StoredEntry), id: 7, session: 'other' }
    const full = inFull([stored[0] as StoredEntry, stored[1] as StoredEntry, other, stored[2] as StoredEntry])
    expect(full.map(({ id }) => id)).toEqual([0, 1, 7])
    expect(full[1]?.data).toMatchObject({ state: 'waiting', question: 'npm publish' })
    expect(full[1]?.data).not.toHaveProperty('isMore')
    // Its beginning lies before what was asked for.
    expect(inFull(stored.slice(2)).map(({ data }) => data)).toEqual([full[1]?.data])
    const [away] = whileAway(stored, epoch, epoch + 60_000)
    expect(away).toMatchObject({ waits: 1, waited: 57_000, last: { question: 'npm publish' } })
  })
})

test('a start that does not last is no entry; an unknown that began before it counts from its beginning', () => {
  const as = (kind: 'unknown' | 'starting', at: number): LiveChange => {
    const session = sessionOf([])
    return changed({ ...session, verdict: { ...session.verdict, state: { kind }, since: at, because: [] } })
  }
  const work = (at: number) => changed(sessionOf([prompt(at)]))
  expect(keep([as('starting', 0), work(5000)]).states).toEqual(['working'])
  expect(keep([as('unknown', 0), as('starting', 6000), work(12_000)]).states).toEqual(['unknown', 'working'])
})

test('a session that is gone is forgotten, and the others are not', () => {
  const unknown = sessionOf([])
  const both: PastStepState = {
    ...clean,
    kept: keep([changed(sessionOf([...ended, exit(9500)])), changed(sessionOf(worked), { id: 'other' })])
      .state.kept,
    unsettled: keep([changed(unknown), changed(unknown, { id: 'other' })]).state.unsettled,
  }
  const { state, entries } = keep([{ type: 'gone', id: 'abcd1234' }], both)
  expect(entries).toEqual([])
  expect([...state.kept.keys()]).toEqual(['other'])
  expect([...state.unsettled.keys()]).toEqual(['other'])
  expect(keep([{ type: 'gone', id: 'nobody' }], both).state).toEqual(both)
})

test('a session that is gone before anybody told its end is told as gone: nothing works for ever', () => {
  const { state, entries } = keep([
    changed(sessionOf(worked), { note: 'run make' }),
    { type: 'gone', id: 'abcd1234' },
  ])
  expect(entries.at(-1)).toMatchObject({
    at: epoch + 20_000,
    data: { state: 'exited', lost: expect.stringContaining('how it ended is not known'), note: 'run make' },
  })
  expect(keep([{ type: 'gone', id: 'abcd1234' }], state).entries).toEqual([])
})

test('a session that goes on as another one has not ended', () => {
  const before = keep([changed(sessionOf(worked))])
  const { state, entries } = keep([{ type: 'gone', id: 'abcd1234', shownAs: 'other' }], before.state)
  expect([entries, [...state.kept.keys()]]).toEqual([[], []])
})

test('a session that is gone for a known reason has ended, by that reason', () => {
  const { entries } = keep([
    changed(sessionOf(worked)),
    { type: 'gone', id: 'abcd1234', why: 'its name was taken away' },
  ])
  expect(entries.at(-1)?.data).toMatchObject({ state: 'exited', note: 'its name was taken away' })
  const stored = entries.map((entry, id) => ({ ...entry, id }))
  expect(whileAway(stored, epoch, epoch + 60_000)).toMatchObject([{ outcome: 'ended' }])
})

test.each([
  ['at rest has ended, with hooks and without', ended, undefined, ['ended', 'ended']],
  ['within its turn has died, where no hook could tell of an end, too', worked, undefined, ['died', 'died']],
  ['by a signal has died, at rest too', ended, 'SIGKILL', ['died', 'died']],
] as const)('an agent that is gone %s', (_, signals, signal, outcomes) => {
  const gone = { ...exit(9500), ...(signal === undefined ? {} : { signal }) }
  const outcomeOf = (hooks: LiveSession['hooks']) => {
    const { entries } = keep([changed(sessionOf([...signals, gone]), { hooks })])
    return whileAway(
      entries.map((entry, id) => ({ ...entry, id })),
      epoch,
      epoch + 60_000,
    )[0]?.outcome
  }
  expect([outcomeOf('heard'), outcomeOf('unknown')]).toEqual(outcomes)
})

test('what is told later is not told as earlier, where two clocks differ by a little', () => {
  const { entries } = keep([
    changed(sessionOf(waited)),
    changed(sessionOf([...worked, news(2990, finished)])),
  ])
  expect(entries.map(({ at }) => at - epoch)).toEqual([3000, 3000])
})

test('a session that is found again is the same unless it says that it changed since', () => {
  const { state } = keep([changed(sessionOf(ended))])
  const again = (at: number, more: Partial<LiveSession> = {}): LiveChange => ({
    type: 'snapshot',
    sessions: [liveSession(sessionOf([...worked, news(at, finished, { what: 'Stop' })]), more)],
  })
  expect(keep([again(13_900)], state).states).toEqual([])
  expect(keep([again(4100)], state).states).toEqual([])
  expect(keep([again(14_100)], state).states).toEqual(['idle'])
  // Since when is not known of what was so at the first look.
  expect(keep([again(19_000, { isSinceLook: true })], state).states).toEqual([])
  const said = (at: number, finalMessage: string) => {
    const stop = news(at, finished, { what: 'Stop' })
    return sessionOf([...worked, stop, { type: 'facts', facts: { finalMessage }, at }])
  }
  const over = keep([changed(said(9000, 'Done.'))]).state
  const found = (message: string): LiveChange => ({
    type: 'snapshot',
    sessions: [liveSession(said(19_000, message))],
  })
  expect(keep([found('Done.')], over).states).toEqual([])
  expect(keep([found('Done, too.')], over).states).toEqual(['idle'])
  const exited = keep([changed(sessionOf([...ended, exit(9500)]))]).state
  const late: LiveChange = { type: 'snapshot', sessions: [liveSession(sessionOf([...ended, exit(19_000)]))] }
  expect(keep([late], exited).states).toEqual([])
})

test('of what ended unseen is kept who it was, and it is told once', () => {
  const known = { name: 'web', pane: '%3', title: 'Fix the bug' }
  const { state } = keep([
    changed(sessionOf(waited), known),
    changed(sessionOf(worked), { id: 'there', name: 'api' }),
  ])
  const left: LiveChange = { type: 'snapshot', sessions: [liveSession(sessionOf(worked), { id: 'there' })] }
  const lost = keep([left], state)
  expect(lost.entries).toStrictEqual([
    {
      at: epoch + 20_000,
      kind: 'session.state',
      session: 'abcd1234',
      agent: 'claude',
      cwd: '/home/dev/api',
      data: {
        ...known,
        pid: 100,
        state: 'exited',
        turn: 1,
        lost: 'it ended while no host looked; when, nobody knows',
      },
    },
  ])
  expect([...lost.state.kept.keys()]).toEqual(['there'])
  const { cwd: _, ...nowhere } = liveSession(sessionOf(waited))
  const unplaced = keep([{ type: 'changed', session: nowhere }]).state
  expect(keep([{ type: 'snapshot', sessions: [] }], unplaced).entries[0]).not.toHaveProperty('cwd')
})
