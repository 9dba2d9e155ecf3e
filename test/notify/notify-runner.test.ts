/** From a session's verdict to the words that a destination gets, and from there into the history. */
import { describe, expect, test } from 'vitest'
import { openHistory } from '../../src/history/open-history.ts'
import { keepNote, lastFailures, readNote, sentBefore } from '../../src/notify/notify-history.ts'
import { type NotifyNote, type NotifyRunnerPorts, runNotify } from '../../src/notify/notify-runner.ts'
import { previewOf } from '../../src/notify/occasion.ts'
import type { Outgoing } from '../../src/notify/step/compose-step.ts'
import type { Focus } from '../../src/os/tmux/tmux-clients.ts'
import { nearIn } from '../../src/sessions/person-near.ts'
import type { LiveSession } from '../../src/sessions/session-source.ts'
import { virtualClock } from '../../src/track/clock.ts'
import { newPlaces } from '../support/history.ts'
import {
  broken,
  finished,
  limited,
  liveSession,
  news,
  permission,
  prompt,
  sessionOf,
  settle,
  withVerdict,
} from '../support/live.ts'
import { rulesOf } from '../support/notify.ts'

const yaml =
  'to: {desk: {desktop: true}}\nrules: [{when: [waiting, stuck, failed, limited, done, exited], lasted: 0s}]'

function running(ports: Partial<NotifyRunnerPorts> = {}, rules = yaml) {
  const clock = virtualClock(Date.UTC(2026, 10, 1))
  const sent: Outgoing[] = []
  const notes: NotifyNote[] = []
  const runner = runNotify(rulesOf(rules), {
    clock,
    home: '/home/dev',
    run: 'run',
    sent: [],
    minute: () => 0,
    deliver: async (_, message) => {
      sent.push(message)
      return { is: 'done' }
    },
    personNear: async () => undefined,
    note: note => void notes.push(note),
    ...ports,
  })
  const advance = async (ms: number) => {
    for (let left = ms; left > 0; left -= 500) {
      clock.advance(500)
      await settle()
    }
  }
  return { clock, sent, notes, runner, advance }
}

const tell = async (live: LiveSession, rules?: string) => {
  const world = running({}, rules)
  world.runner.change({ type: 'snapshot', sessions: [live] })
  await world.advance(12_000)
  return world.sent
}

describe('in words', () => {
  test('who waits, for what, which question, since when, and how to get there', async () => {
    const session = sessionOf([prompt(0), news(0, permission)])
    const live = liveSession(
      { ...session, facts: { question: 'npm publish' } },
      { branch: 'main', cwd: '/home/dev/api', tmux: '/tmp/t', pane: '%1' },
    )
    expect(await tell(live)).toMatchObject([
      {
        withdrawn: false,
        title: 'claude api: waiting for a permission',
        text: expect.stringMatching(/^“npm publish”\n~\/api main, for 1\d s\nlull go abcd1234$/),
        sessions: [
          { id: 'abcd1234', is: 'waiting', for: 'permission', quote: 'npm publish', folder: '~/api main' },
        ],
      },
    ])
  })

  test.each([
    [[prompt(0), news(0, broken)], 'claude api: failed: the turn ended in an error'],
    [[prompt(0), news(0, limited)], 'claude api: at the provider’s limit'],
    [[prompt(0), news(0, finished)], 'claude api: done'],
    [[prompt(0), news(0, finished, { asks: true })], 'claude api: done, and asks'],
  ] as const)('%#: %s', async (signals, title) => {
    const [message] = await tell(liveSession(sessionOf(signals)))
    expect(message?.title).toBe(title)
  })

  test('which question, though it is known a moment later than that somebody waits', async () => {
    const world = running({}, 'to: {desk: {desktop: true}}\nrules: [{when: waiting, after: 0s}]')
    const session = sessionOf([prompt(0), news(0, permission)])
    world.runner.change({ type: 'snapshot', sessions: [liveSession(session)] })
    world.clock.advance(200)
    await settle()
    const asked = liveSession({ ...session, facts: { tool: 'Bash', about: 'npm publish' } })
    world.runner.change({ type: 'changed', session: asked })
    await world.advance(2000)
    expect(world.sent.map(({ text }) => text)).toEqual([expect.stringContaining('“npm publish”')])
  })

  test('of two in one folder, which', async () => {
    const session = sessionOf([prompt(0), news(0, permission)])
    const titles = ['main:0.0', 'main:2.1'].map(
      async place => (await tell(liveSession(session, { place })))[0]?.title,
    )
    expect(await Promise.all(titles)).toEqual([
      'claude api main:0.0: waiting for a permission',
      'claude api main:2.1: waiting for a permission',
    ])
  })

  test('what is stuck, and what has exited', async () => {
    const health = { level: 'confirmed_stuck', certainty: 'high' } as const
    const stuck = withVerdict({ state: { kind: 'working', doing: 'tool' }, health })
    expect((await tell(stuck))[0]?.title).toBe('claude api: stuck (working, a tool runs)')
    const gone = withVerdict({ state: { kind: 'exited', code: 1 } })
    expect((await tell(gone))[0]?.title).toBe('claude api: gone')
  })

  test('a title, a question or a folder that is hostile is a text of one line, without secrets', async () => {
    const session = sessionOf([prompt(0), news(0, permission)])
    const nasty = '\u001b]52;c;x\u0007\u001b[2J\u202e$(rm -rf /)\n`id`'
    const live = liveSession(
      { ...session, facts: { question: `${nasty} export KEY=ghp_${'a1B2'.repeat(9)} ${'x'.repeat(5000)}` } },
      { cwd: `/home/dev/${nasty}`, branch: nasty, name: nasty },
    )
    const [message] = await tell(live)
    const all = JSON.stringify(message)
    expect(all).not.toMatch(/\\u00[01]|\u202e|ghp_/)
    expect(message?.title).not.toContain('\n')
    expect(message?.text.split('\n')).toHaveLength(3)
    expect(all.length).toBeLessThan(2500)
  })

  test('nothing of another user’s sessions, of one that was seen, of one that is taken back', async () => {
    const waiting = sessionOf([prompt(0), news(0, permission)])
    expect(await tell(liveSession(waiting, { owner: 'root' }))).toEqual([])
    expect(await tell(liveSession(sessionOf([prompt(0), news(0, finished)]), { isSeen: true }))).toEqual([])
  })
})

/** Somebody whose last sign came so many ms after the beginning. */
const near =
  (focus: Focus, ms: number): NotifyRunnerPorts['personNear'] =>
  async (_, wall) =>
    nearIn([{ pane: '%1', signAt: Date.UTC(2026, 10, 1) + ms, focus }], '%1', wall)

test('a person at the terminal is not told for a minute after the last key', async () => {
  const world = running({ personNear: near('unreported', 5000) })
  world.runner.change({
    type: 'snapshot',
    sessions: [liveSession(sessionOf([prompt(0), news(0, permission)]))],
  })
  await world.advance(64_000)
  expect(world.sent).toEqual([])
  await world.advance(2000)
  expect(world.sent).toHaveLength(1)
})

test('who has turned to another window is told at once', async () => {
  const world = running({ personNear: near('elsewhere', 5000) })
  const waiting = liveSession(sessionOf([prompt(0), news(0, permission)]))
  world.runner.change({ type: 'snapshot', sessions: [waiting] })
  await world.advance(12_000)
  expect(world.sent).toHaveLength(1)
})

test('who has seen it is not told, and who left the focus there and went away is', async () => {
  const tells = async (more: Partial<LiveSession>) => {
    const world = running()
    const done = liveSession(sessionOf([prompt(0), news(0, finished)]), more)
    world.runner.change({ type: 'snapshot', sessions: [done] })
    await world.advance(12_000)
    return world.sent.length
  }
  expect(await tells({ isSeen: true })).toBe(0)
  expect(await tells({ isSeen: true, isSeenByFocus: true })).toBe(1)
})

test('a key of the future, pressed before the clock was set back, keeps nobody from being told', async () => {
  const world = running({ personNear: near('unreported', 3_600_000) })
  world.runner.change({
    type: 'snapshot',
    sessions: [liveSession(sessionOf([prompt(0), news(0, permission)]))],
  })
  await world.advance(12_000)
  expect(world.sent).toHaveLength(1)
})

test('what throws, or hangs when it ends, keeps nothing from going on', async () => {
  const world = running({
    deliver: async (_, __, { signal }) => {
      if (world.notes.length > 0) await new Promise(resolve => signal.addEventListener('abort', resolve))
      throw new Error('broken')
    },
    personNear: async () => {
      throw new Error('no tmux')
    },
  })
  world.runner.change({
    type: 'snapshot',
    sessions: [liveSession(sessionOf([prompt(0), news(0, permission)]))],
  })
  await world.advance(20_000)
  expect(world.notes).toMatchObject([{ what: 'failed', why: 'broken', again: 1000 }])
  await world.runner.close()
})

describe('the history', () => {
  test('keeps what was told, so that the next host tells it no more, and withdraws it', async () => {
    const { places } = newPlaces()
    const history = openHistory(places)
    const live = liveSession(sessionOf([prompt(0), news(0, permission)]))
    const before = running({
      deliver: async () => ({ is: 'done', ref: '7' }),
      note: note => expect(keepNote(history, note, before.clock.wall())).toBeUndefined(),
    })
    before.runner.change({ type: 'snapshot', sessions: [live] })
    await before.advance(12_000)
    await before.runner.close()
    const { clock } = before
    const sent = sentBefore(history, clock.wall(), clock.now())
    expect(sent).toMatchObject([{ to: 'desk', is: 'delivered', ref: '7', items: [{ session: 'abcd1234' }] }])
    // A machine that was started anew has a clock of its own.
    expect(sentBefore(history, clock.wall(), 1)).toEqual([])

    const refs: (string | undefined)[] = []
    const after = running({
      clock,
      sent,
      deliver: async (_, message, { ref }) => {
        expect(message.withdrawn).toBe(true)
        refs.push(ref)
        return { is: 'done' }
      },
      note: note => void keepNote(history, note, clock.wall()),
    })
    after.runner.change({ type: 'snapshot', sessions: [live] })
    clock.advance(60_000)
    await settle()
    expect(refs).toEqual([])
    after.runner.change({ type: 'gone', id: live.id })
    await settle()
    expect(refs).toEqual(['7'])
    expect(sentBefore(history, clock.wall(), clock.now())).toEqual([])
    expect(history.entries().map(entry => readNote(entry)?.what)).toEqual(['sent', 'withdrawn'])
    history.close()
  })

  test('has the last failure of a destination until something arrives there', async () => {
    const { places } = newPlaces()
    const history = openHistory(places)
    let isDown = true
    const world = running({
      deliver: async () => (isDown ? { is: 'failed', why: 'it is down' } : { is: 'done' }),
      note: note => void keepNote(history, note, world.clock.wall()),
    })
    world.runner.change({
      type: 'snapshot',
      sessions: [liveSession(sessionOf([prompt(0), news(0, permission)]))],
    })
    await world.advance(12_000)
    expect(lastFailures(history, world.clock.wall())).toMatchObject([{ to: 'desk', why: 'it is down' }])
    isDown = false
    await world.advance(10_000)
    expect(lastFailures(history, world.clock.wall())).toEqual([])
    history.close()
  })
})

test('a preview has what is due now, and what will be', () => {
  const live = liveSession(sessionOf([prompt(0), news(0, permission)]))
  const rules = rulesOf(
    'to: {desk: {desktop: true}, b: {terminal: bell}}\nrules: [{when: waiting, to: desk}, {when: waiting, after: 1m, to: b}]',
  )
  expect(previewOf(rules, [live], 20_000, '/home/dev')).toMatchObject([
    { to: 'desk', in: 0, title: 'claude api: waiting for a permission' },
    { to: 'b', in: 40_000 },
  ])
})
