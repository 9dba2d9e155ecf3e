/** What comes late, of something else, or of a person; which reasons are told; when it looks again. */
import { describe, expect, test } from 'vitest'
import { usualTimers } from '../../src/respawn/plan/plan.ts'
import type { RespawnEffect, RespawnInput, Sighting } from '../../src/respawn/step/respawn-state.ts'
import { step } from '../../src/respawn/step/respawn-step.ts'
import { ended, type PlanLike, planOf, player, worked } from '../support/respawn.ts'

const sent = { is: 'sent' } as const
const idleAt = (ms: number, plan: PlanLike = {}) =>
  player(plan).until(1000).sees(worked(1)).until(ms).sees(ended())
const sending = (plan: PlanLike = {}) => idleAt(10_000, plan).until(13_000)
const waiting = (plan: PlanLike = {}) => sending(plan).acted(sent)
const whyOf = (effects: readonly RespawnEffect[], type: string) =>
  effects.flatMap(one => (one.do === 'tell' && one.event.type === type ? [one.why] : []))

describe('an answer', () => {
  test('to what was dropped meanwhile changes nothing, whatever it says', () => {
    const play = sending()
    const { state } = play
    const late = { type: 'acted', attempt: state.attempt - 1, result: { is: 'gone', why: '' } }
    expect(play.input(late).state).toBe(state)
    const judged = { type: 'judged', attempt: state.attempt - 1, says: 'IDLE', why: '', again: 0 }
    expect(play.input(judged).state).toBe(state)
    expect(play.acted({ is: 'gone', why: '' }).state.phase).toBe('stopped')
  })

  test('of the judge, to a question that was dropped, changes nothing', () => {
    const play = player({ hasJudge: true }).until(1000).sees(worked(1)).until(5000).sees(ended('shown'))
    play.until(5000 + usualTimers.silence)
    expect(play.state.phase).toBe('ai_checking')
    const { attempt } = play.state
    const { state } = play.sees(worked(2))
    expect(play.input({ type: 'judged', attempt, says: 'IDLE', why: '', again: 0 }).state).toBe(state)
  })

  test.each<[RespawnInput['type'], object]>([
    ['seen', { seen: { is: 'idle', since: 0, turn: 9, by: 'prompted', why: '' } }],
    ['person', {}],
    ['resume', {}],
    ['skip', {}],
    ['time', {}],
  ])('nor does anything once it has stopped: %s', (type, more) => {
    const play = idleAt(10_000).input({ type: 'stop' })
    const { state } = play
    const count = play.effects().length
    expect(play.input({ type, ...more }).state).toBe(state)
    expect(play.effects()).toHaveLength(count)
  })
})

test('each phase is told as it begins, and the end by a word of its own', () => {
  const play = waiting().until(20_000).sees(worked(2)).until(30_000).input({ type: 'stop' })
  expect(play.tells('phase').map(event => 'phase' in event && event.phase)).toEqual([
    'hook_idle',
    'sending',
    'waiting',
  ])
  expect(play.tells('stopped')).toEqual([{ type: 'stopped', outcome: 'asked' }])
  expect(play.effects().filter(({ do: what }) => what === 'stop')).toEqual([{ do: 'stop', why: 'asked' }])
  expect(play.state).not.toHaveProperty('inFlight')
})

describe('the reason that is told', () => {
  test('is that of the answer, where it has one', () => {
    const passed = sending().acted({ is: 'passed', why: 'the file is there' })
    expect(whyOf(passed.effects(), 'passed')).toEqual(['the file is there'])
    const failed = sending().acted({ is: 'failed', why: 'no such pane' })
    expect(whyOf(failed.effects(), 'failed')).toEqual(['no such pane'])
    const person = sending().acted({ is: 'person', why: 'the pane has the focus' })
    expect(whyOf(person.effects(), 'paused')).toEqual(['the pane has the focus'])
    const judge = player({ hasJudge: true }).until(1000).sees(worked(1)).until(5000).sees(ended('shown'))
    judge.until(5000 + usualTimers.silence).judged('WORKING')
    expect(whyOf(judge.effects(), 'judged')).toEqual(['it said so'])
    expect(whyOf(sending().input({ type: 'accepted', why: 'by rule 1' }).effects(), 'accepted')).toEqual([
      'by rule 1',
    ])
  })

  test('is what was seen, where it has none', () => {
    expect(whyOf(idleAt(10_000).sees({ is: 'exited' }).effects(), 'stopped')).toEqual(['it is exited'])
  })

  test('a person who is there before anything is typed is told as one', () => {
    const play = player({ timers: { person: 60_000 } })
      .until(1000)
      .sees(worked(1))
      .input({ type: 'person' })
    play.until(10_000).sees(ended()).until(13_000)
    expect(whyOf(play.effects(), 'paused')).toEqual([
      'a person has typed there, or looks at it; it goes on by itself 1 min after the last key of a person',
    ])
  })
})

describe('a turn more than before', () => {
  const person = { timers: { person: 60_000 } }
  const pausedBy = (play: ReturnType<typeof player>) => play.state.personAt

  test('is a person’s where nothing of ours was typed', () => {
    expect(pausedBy(idleAt(10_000, person).until(11_000).sees(worked(2)))).toBe(11_000)
  })

  test.each<[string, () => ReturnType<typeof player>]>([
    ['the same turn', () => idleAt(10_000, person).until(11_000).sees(worked(1))],
    ['nothing was known before', () => player(person).until(1000).sees(worked(1))],
    [
      'its own work beside the turn woke it',
      () =>
        player(person).until(1000).sees(worked(1)).sees({ is: 'working', isBeside: true }).sees(worked(2)),
    ],
    ['a step is being typed', () => sending(person).sees(worked(2))],
    ['it is the step’s', () => waiting(person).until(14_000).sees(worked(2))],
    [
      'it is told once more',
      () => waiting(person).until(14_000).sees(worked(2)).until(15_000).sees(worked(2)),
    ],
  ])('is not where %s', (_, play) => expect(pausedBy(play())).toBeUndefined())

  test('is one beside the step’s own', () => {
    const play = waiting(person).until(14_000).sees(worked(2)).until(15_000)
    expect(pausedBy(play.sees(worked(3)))).toBe(15_000)
  })
})

describe('an idleness that is told again', () => {
  test('of the same turn began when it was told first', () => {
    const play = player().until(1000).sees(worked(1)).until(5000).sees(ended('shown'))
    play.until(7000).sees(ended('reported'))
    expect(play.state.seen).toMatchObject({ by: 'reported', since: 5000 })
    play.sees({ ...ended('reported'), since: 4000 })
    expect(play.state.seen.since).toBe(4000)
  })

  test('of another turn, or after work, began then', () => {
    const play = idleAt(5000)
      .until(7000)
      .sees({ ...ended(), turn: 2 })
    expect(play.state.seen.since).toBe(7000)
    play.sees(worked(2)).until(8000).sees(ended())
    expect(play.state.seen.since).toBe(8000)
  })
})

describe('it looks again', () => {
  const timerOf = (plan: PlanLike, seen: Partial<Sighting>, more: object, wall = 0) => {
    const { state } = player(plan).until(1000).sees(worked(1))
    const now = 5000
    const input = { type: 'time', now, wall } as const
    const { effects } = step(
      { ...state, plan: planOf(plan), seen: { ...state.seen, ...seen }, ...more },
      input,
    )
    return effects.flatMap(one => (one.do === 'timer' ? [one.at - now] : []))
  }

  test('at the end of a limit, and every half minute until then, as clocks are set', () => {
    const limited = { phase: 'limited', limitWaited: 1000 }
    expect(timerOf({}, {}, { ...limited, limitUntil: 600_000 })).toEqual([30_000])
    expect(timerOf({}, {}, { ...limited, limitUntil: 12_000 })).toEqual([12_000])
    expect(timerOf({}, {}, { ...limited, limitUntil: 12_000 }, 11_000)).toEqual([1000])
  })

  test('when a person who was there has been away for long enough', () => {
    const plan = { timers: { person: 60_000 } }
    expect(timerOf(plan, {}, { phase: 'paused', pause: 'person', personAt: 4000 })).toEqual([59_000])
  })

  test('not at all where time changes nothing', () => {
    expect(timerOf({}, { is: 'working' }, { notBefore: 0 })).toEqual([])
  })
})

test.each(['command', 'keys'] as const)(
  'a %s needs no turn: it is over after three seconds of idleness',
  kind => {
    const act = kind === 'keys' ? { do: kind, keys: ['Escape'] } : { do: kind, text: '/clear' }
    const play = sending({ steps: [{ act: act as never }], times: 2 })
    play.acted(sent).until(15_999)
    expect(play.tells('turn_ended')).toEqual([])
    expect(play.until(16_000).tells('turn_ended')).toHaveLength(1)
  },
)

test('the judge’s word holds as long as what it was said of', () => {
  const play = player({ hasJudge: true }).until(1000).sees(worked(1)).until(5000).sees(ended('shown'))
  play.until(5000 + usualTimers.silence).judged('IDLE')
  expect(play.at('act')).toHaveLength(1)
  const other = player({ hasJudge: true }).until(1000).sees(worked(1)).until(5000).sees(ended('shown'))
  other.until(5000 + usualTimers.silence).judged('WORKING')
  expect(other.at('act')).toEqual([])
})
