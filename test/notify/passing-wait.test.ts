/** A permission that a rule or a reviewer grants at once: whoever is notified is not told of it; whoever looks sees the state. */
import { describe, expect, test } from 'vitest'
import type { Signal } from '../../src/core/evidence/signal.ts'
import { openHistory } from '../../src/history/open-history.ts'
import { runNotify } from '../../src/notify/notify-runner.ts'
import { keepPast } from '../../src/sessions/history/keep-past.ts'
import { readPast, stateKind } from '../../src/sessions/history/session-past.ts'
import { virtualClock } from '../../src/track/clock.ts'
import { newPlaces } from '../support/history.ts'
import {
  exit,
  fakeLive,
  finished,
  news,
  permission,
  prompt,
  settle,
  status,
  thinking,
} from '../support/live.ts'
import { rulesOf } from '../support/notify.ts'

const rules = 'to: {desk: {desktop: true}}\nrules: [{when: waiting, after: 0s}]'
const wall = Date.UTC(2026, 10, 24)

const asks = (at: number, lane: `ask:${string}:${string}` = 'ask:main:1') =>
  news(at, permission, { what: 'PermissionRequest', lane })
const granted = (at: number, lane: `ask:${string}:${string}` = 'ask:main:1') =>
  news(at, { kind: 'working', doing: 'tool' }, { what: 'PostToolUse', ends: [lane] })
const stop = (at: number) => news(at, finished, { what: 'Stop', ends: ['ask:*'] })
const screen = (at: number, state = permission) =>
  status(at, state, { source: 'screen', tier: 'seen', lag: 300 })

/** Plays signals at their instants, ms; what was sent and what is in the history a minute later. */
async function play(signals: readonly Signal[]) {
  const { places } = newPlaces()
  const sessions = fakeLive(virtualClock(wall))
  const { clock, live, file } = sessions
  const kept = keepPast(live, places, clock, () => undefined)
  const sent: { at: number; title: string }[] = []
  const runner = runNotify(rulesOf(rules), {
    clock,
    home: '/home/dev',
    run: 'run',
    sent: [],
    minute: () => 0,
    async deliver(_, { title, withdrawn }) {
      if (!withdrawn) sent.push({ at: clock.now(), title })
      return { is: 'done' }
    },
    personNear: async () => undefined,
    note: () => undefined,
  })
  void (async () => {
    for await (const change of await live.changes()) runner.change(change)
  })()
  await settle()
  const until = async (at: number) => {
    while (clock.now() < at) {
      clock.advance(Math.min(50, at - clock.now()))
      await settle()
    }
  }
  for (const signal of signals) {
    await until('seen' in signal ? signal.seen : signal.at)
    file('a', signal)
    await settle()
  }
  await until(60_000)
  await runner.close()
  sessions.end()
  await kept
  const history = openHistory(places, { readOnly: true })
  const past = history.entries({ kinds: [stateKind] }).map(entry => ({
    at: entry.at - wall,
    state: readPast(entry)?.state,
  }))
  history.close()
  return { sent, past, states: past.map(({ state }) => state) }
}

const work = prompt(0)

describe('is in no message and no transition', () => {
  const working = ['working']
  test.each<readonly [string, readonly Signal[], readonly string[]]>([
    ['a rule grants it within 50 ms', [work, asks(1000), granted(1050)], working],
    ['a reviewer grants it within 0.45 s', [work, asks(1000), granted(1450)], working],
    ['one after the other is granted', [work, asks(1000), granted(1200), asks(1300), granted(1500)], working],
    [
      'one of a subagent is granted',
      [work, asks(1000, 'ask:sub:7'), news(1200, thinking, { lane: 'sub:7', ends: ['ask:sub:7'] })],
      working,
    ],
    ['it is refused, and the turn ends', [work, asks(1000), stop(1200)], ['working', 'idle']],
    ['the agent is killed meanwhile', [work, asks(1000), exit(1200)], ['working', 'exited']],
    [
      'the agent itself told of it in its status file',
      [
        work,
        status(100, thinking),
        status(1000, permission),
        status(1300, { kind: 'working', doing: 'tool' }),
      ],
      working,
    ],
  ])('where %s', async (_, signals, states) => {
    const played = await play(signals)
    expect(played.sent).toEqual([])
    expect(played.states).toEqual(states)
  })
})

describe('is told', () => {
  test('once it has lasted half a second, as of when it began', async () => {
    const { sent, past } = await play([work, asks(1000)])
    expect(sent).toHaveLength(1)
    expect(sent[0]?.at).toBeLessThanOrEqual(1000 + 500 + 350)
    expect(past).toEqual([
      { at: 0, state: 'working' },
      { at: 1000, state: 'waiting' },
    ])
  })

  test('by the transitions, where it was answered after 0.6 s', async () => {
    expect((await play([work, asks(1000), granted(1600)])).states).toEqual(['working', 'waiting', 'working'])
  })

  test('at once, where the screen shows it', async () => {
    const { states } = await play([work, asks(1000), screen(1050), granted(1300), screen(1301, thinking)])
    expect(states).toEqual(['working', 'waiting', 'working'])
  })

  test('only as the second, where the first was granted at once and the second stays', async () => {
    const { sent, past } = await play([work, asks(1000), granted(1100), asks(1200, 'ask:main:2')])
    expect(sent).toHaveLength(1)
    expect(past.at(-1)).toEqual({ at: 1200, state: 'waiting' })
  })

  test('at once, where a question of a terminal is seen and no event told of it', async () => {
    const { states } = await play([screen(0, thinking), screen(1000), screen(1100, thinking)])
    expect(states).toEqual(['working', 'waiting', 'working'])
  })
})
