/** Who needs a person first, and what is done but not seen. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { advance } from '../../src/core/advance.ts'
import { heldSince } from '../../src/core/explain/explain.ts'
import { newSession } from '../../src/core/session.ts'
import type { State } from '../../src/core/state.ts'
import { byNeed, needOf, needsPerson } from '../../src/sessions/rank.ts'
import type { LiveSession } from '../../src/sessions/session-source.ts'
import {
  background,
  broken,
  finished,
  interrupted,
  limited,
  liveSession,
  news,
  permission,
  prompt,
  sessionOf,
  status,
  thinking,
  withVerdict,
} from '../support/live.ts'
import { hook, play } from '../support/scenario.ts'

const ended = (state: State, isSeen: boolean): LiveSession =>
  withVerdict({ state, turn: 1, turnOver: state.kind === 'idle' }, { isSeen })

const stuck = (
  level: 'suspicious' | 'likely_stuck' | 'confirmed_stuck',
  state: State = thinking,
): LiveSession => withVerdict({ state, turn: 1, health: { level, certainty: 'high' } })

const takenBack = withVerdict({
  state: { kind: 'idle' },
  turn: 1,
  turnOver: true,
  rule: 'overturned',
  because: [status(2000, { kind: 'idle' }), prompt(1000)],
})

describe('what a session needs', () => {
  test.each<[string, LiveSession, string]>([
    ['a permission', ended(permission, true), 'answer'],
    ['a permission of one that is stuck', stuck('confirmed_stuck', permission), 'answer'],
    ['stuck for sure', stuck('confirmed_stuck'), 'help'],
    ['perhaps stuck', stuck('likely_stuck'), 'help'],
    ['silent for long', stuck('suspicious'), 'nothing'],
    ['done, not seen', ended(finished, false), 'look'],
    ['done, seen', ended(finished, true), 'instruction'],
    ['done, and a respawn goes on with it', { ...ended(finished, false), isKept: true }, 'nothing'],
    ['failed, and a respawn goes on with it', { ...ended(broken, true), isKept: true }, 'nothing'],
    ['a permission of one that a respawn keeps', { ...ended(permission, true), isKept: true }, 'answer'],
    ['failed, not seen', ended(broken, false), 'look'],
    ['failed, seen', ended(broken, true), 'retry'],
    ['at the limit, seen', ended(limited, true), 'retry'],
    ['interrupted by the person', ended(interrupted, false), 'instruction'],
    ['idle, as a sign tells', ended({ kind: 'idle' }, false), 'look'],
    ['taken back by the person before anything came of it', takenBack, 'instruction'],
    [
      'idle since its start',
      withVerdict({ state: { kind: 'idle' }, turn: 0, turnOver: true }),
      'instruction',
    ],
    ['at work', ended(thinking, false), 'nothing'],
    ['starting', ended({ kind: 'starting' }, false), 'nothing'],
    ['unknown', ended({ kind: 'unknown' }, false), 'unclear'],
    ['gone', ended({ kind: 'exited' }, false), 'gone'],
  ])('%s: %s', (_, live, need) => {
    expect(needOf(live)).toBe(need)
    expect(needsPerson(live)).toBe(['answer', 'help', 'look'].includes(need))
  })

  test('background work that outlives a finished turn is work: nobody needs to look before it has ended', () => {
    const turn = [prompt(1), news(2, background, { lane: 'bg:1' }), news(3, finished)]
    const over = news(9, { kind: 'unknown' }, { ends: ['bg:1'] })
    expect(needOf(liveSession(sessionOf(turn)))).toBe('nothing')
    expect(needOf(liveSession(sessionOf([...turn, over])))).toBe('look')
  })
})

describe('the order', () => {
  const at = (id: string, live: LiveSession, since: number): LiveSession => ({
    ...live,
    id,
    session: { ...live.session, verdict: { ...live.session.verdict, since } },
  })
  const inOrder: readonly LiveSession[] = [
    at('waits longest', ended(permission, true), 10),
    at('waits', ended(permission, false), 20),
    at('stuck', stuck('confirmed_stuck'), 1),
    at('done longest', ended(finished, false), 5),
    at('failed unseen', ended(broken, false), 6),
    at('failed', ended(broken, true), 1),
    at('idle', ended(finished, true), 1),
    at('works', ended(thinking, false), 1),
    at('unknown', ended({ kind: 'unknown' }, false), 1),
    at('gone', ended({ kind: 'exited' }, false), 1),
    at('gone too', ended({ kind: 'exited' }, false), 1),
  ]

  test('of two that wait by their status files, whoever asked first comes first, whenever one looks', () => {
    const looked = (id: string, asked: number): LiveSession => {
      const sign = status(asked, permission, { seen: 9000 })
      return { ...liveSession(advance(newSession(0), 9000, sign)), id }
    }
    expect(byNeed([looked('a', 8000), looked('b', 2000)]).map(({ id }) => id)).toEqual(['b', 'a'])
    expect(heldSince(looked('b', 2000).session.verdict)).toBe(2000)
  })

  test('what the news told long ago is so since then, though the screen that agrees is looked at only now', () => {
    const told = play(
      'claude',
      [
        hook(1, 'UserPromptSubmit', { session_id: 's', prompt: 'go' }),
        hook(9, 'Stop', { session_id: 's', background_tasks: [] }),
        [60, 'f', { rows: ['● Done.', '', '─'.repeat(40), '❯ ', '─'.repeat(40)], isStill: true }],
      ],
      { until: 61 },
    )
    expect(told.session.verdict.rule).toBe('agreed')
    expect(heldSince(told.session.verdict)).toBe(9000)
  })

  test('is by need, then by how long; the same from whichever order they come', () => {
    const names = inOrder.map(({ id }) => id)
    fc.assert(
      fc.property(fc.shuffledSubarray([...inOrder], { minLength: inOrder.length }), shuffled => {
        expect(byNeed(shuffled).map(({ id }) => id)).toEqual(names)
      }),
    )
  })
})
