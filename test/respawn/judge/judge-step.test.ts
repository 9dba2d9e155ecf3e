import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  answered,
  asked,
  avoided,
  type JudgePolicy,
  type JudgeQuestion,
  type JudgeResult,
  type JudgeState,
  judgeDefaults,
  mayAsk,
  newJudge,
} from '../../../src/respawn/judge/judge-step.ts'

const [second, minute, hour] = [1000, 60_000, 3_600_000]

/** Asked at once, and answered after 5 s. */
const called = (state: JudgeState, at: number, result: JudgeResult, question?: JudgeQuestion): JudgeState =>
  answered(asked(state, at, question), at + 5 * second, result)

test('the defaults are those of the table', () => {
  const { afterWorking, afterError, mostErrors, callsAnHour } = judgeDefaults
  expect(newJudge().policy).toEqual({ afterWorking, afterError, mostErrors, callsAnHour })
  expect(newJudge({ callsAnHour: 3 }).policy).toEqual({
    afterWorking,
    afterError,
    mostErrors,
    callsAnHour: 3,
  })
})

describe('a judge', () => {
  test('may be asked where nothing was asked before', () =>
    expect(mayAsk(newJudge(), 0)).toEqual({ may: true }))

  test('is not asked while it is asked', () => {
    const state = asked(newJudge(), 0)
    expect(mayAsk(state, 5)).toEqual({ may: false, why: 'the judge is being asked' })
    expect(mayAsk(state, 5, 'plan')).toEqual({ may: false, why: 'the judge is being asked' })
  })

  test('that says IDLE or PLAN may be asked again at once', () => {
    expect(mayAsk(called(newJudge(), 0, 'IDLE'), 5 * second)).toEqual({ may: true })
    expect(mayAsk(called(newJudge(), 0, 'PLAN', 'plan'), 5 * second, 'plan')).toEqual({ may: true })
  })

  test('that says WORKING is left alone for 180 s', () => {
    const state = called(newJudge(), 0, 'WORKING')
    const why = 'the judge is left alone for 3 min after WORKING'
    expect(mayAsk(state, 6 * second)).toEqual({ may: false, why, at: 185 * second })
    expect(mayAsk(state, 185 * second - 1)).toEqual({ may: false, why, at: 185 * second })
    expect(mayAsk(state, 185 * second)).toEqual({ may: true })
  })

  test('may be asked about a plan after WORKING, and about idleness after NOT_PLAN', () => {
    expect(mayAsk(called(newJudge(), 0, 'WORKING'), minute, 'plan')).toEqual({ may: true })
    const state = called(newJudge(), 0, 'NOT_PLAN', 'plan')
    expect(mayAsk(state, minute)).toEqual({ may: true })
    expect(mayAsk(state, minute, 'plan')).toEqual({
      may: false,
      why: 'the judge is left alone for 3 min after NOT_PLAN',
      at: 185 * second,
    })
  })

  test('that failed is left alone for 60 s, whatever it is asked', () => {
    const state = called(newJudge(), 0, 'error')
    const refused = { may: false, why: 'the judge is left alone for 1 min after a failure', at: 65 * second }
    expect(mayAsk(state, 65 * second - 1)).toEqual(refused)
    expect(mayAsk(state, 65 * second - 1, 'plan')).toEqual(refused)
    expect(mayAsk(state, 65 * second)).toEqual({ may: true })
  })

  test('that failed three times in a row is off, for good', () => {
    let state = newJudge()
    for (let n = 0; n < 3; n++) {
      expect(mayAsk(state, n * 2 * minute)).toEqual({ may: true })
      state = called(state, n * 2 * minute, 'error')
    }
    const off = { may: false, why: 'the judge is off: it failed 3 times in a row' }
    expect(mayAsk(state, 10 * minute)).toEqual(off)
    expect(mayAsk(state, 1000 * hour, 'plan')).toEqual(off)
    expect(mayAsk(called(newJudge({ mostErrors: 1 }), 0, 'error'), hour)).toEqual({
      may: false,
      why: 'the judge is off: it failed once in a row',
    })
  })

  test.each<[JudgeResult, JudgeQuestion]>([
    ['IDLE', 'idle'],
    ['WORKING', 'idle'],
    ['PLAN', 'plan'],
    ['NOT_PLAN', 'plan'],
  ])('that says %s between failures goes on', (word, question) => {
    let state = newJudge()
    for (const [n, result] of (['error', 'error', word, 'error', 'error'] as const).entries())
      state = called(state, n * 5 * minute, result, question)
    expect(mayAsk(state, 30 * minute)).toEqual({ may: true })
    expect(mayAsk(called(state, 30 * minute, 'error'), 40 * minute)).toMatchObject({ may: false })
  })

  test('that was cancelled has neither failed nor succeeded', () => {
    let state = called(called(newJudge(), 0, 'error'), 2 * minute, 'error')
    state = called(state, 4 * minute, 'cancelled')
    expect(mayAsk(state, 5 * minute)).toEqual({ may: true })
    expect(mayAsk(called(state, 5 * minute, 'error'), hour)).toMatchObject({ may: false })
  })

  test('is asked ten times in any hour, about whatever', () => {
    let state = newJudge()
    for (let n = 0; n < 10; n++) {
      expect(mayAsk(state, n * minute)).toEqual({ may: true })
      state = called(state, n * minute, n % 3 === 0 ? 'cancelled' : 'IDLE', n % 2 === 0 ? 'idle' : 'plan')
    }
    const why = 'the judge was asked 10 times within an hour'
    expect(mayAsk(state, 10 * minute)).toEqual({ may: false, why, at: hour })
    expect(mayAsk(state, hour)).toEqual({ may: true })
    expect(mayAsk(called(state, hour, 'IDLE'), hour + 6 * second)).toEqual({
      may: false,
      why,
      at: hour + minute,
    })
  })

  test('without a budget is never asked', () => {
    const never = { may: false, why: 'the judge may be asked 0 times an hour' }
    expect(mayAsk(newJudge({ callsAnHour: 0 }), 0)).toEqual(never)
    expect(mayAsk(newJudge({ callsAnHour: 0 }), 9 * hour)).toEqual(never)
  })

  test('tells the longest of several pauses', () => {
    const state = called(newJudge({ callsAnHour: 1, afterWorking: 2 * hour }), 0, 'WORKING')
    expect(mayAsk(state, minute)).toMatchObject({ at: 2 * hour + 5 * second })
    const spent = called(newJudge({ callsAnHour: 1 }), 0, 'WORKING')
    expect(mayAsk(spent, minute)).toEqual({
      may: false,
      why: 'the judge was asked once within an hour',
      at: hour,
    })
  })

  test('whose answer nobody waits for changes nothing', () => {
    const state = called(newJudge(), 0, 'IDLE')
    for (const late of ['WORKING', 'error', 'cancelled'] as const)
      expect(answered(state, minute, late)).toBe(state)
  })

  test('counts the calls that were made, and those that a definitive signal made needless', () => {
    const state = avoided(avoided(called(called(newJudge(), 0, 'cancelled'), minute, 'error')))
    expect(state).toMatchObject({ made: 2, avoided: 2 })
    expect(newJudge()).toMatchObject({ made: 0, avoided: 0 })
  })
})

type Move = {
  readonly wait: number
  readonly question: JudgeQuestion
  readonly result: number
  readonly takes: number
}

const moves = fc.array(
  fc.record<Move>({
    wait: fc.oneof(fc.integer({ min: 0, max: 10 * minute }), fc.constantFrom(0, 1, minute, 3 * minute, hour)),
    question: fc.constantFrom<JudgeQuestion>('idle', 'plan'),
    result: fc.nat(3),
    takes: fc.integer({ min: 0, max: 2 * minute }),
  }),
  { maxLength: 120 },
)
const policies = fc.record<JudgePolicy>({
  afterWorking: fc.integer({ min: 0, max: hour }),
  afterError: fc.integer({ min: 0, max: hour }),
  mostErrors: fc.integer({ min: 1, max: 6 }),
  callsAnHour: fc.integer({ min: 0, max: 12 }),
})
const results = {
  idle: ['IDLE', 'WORKING', 'error', 'cancelled'],
  plan: ['PLAN', 'NOT_PLAN', 'error', 'cancelled'],
} as const

type Call = {
  readonly at: number
  readonly question: JudgeQuestion
  readonly end: number
  readonly result: JudgeResult
}

/** Whoever asks whenever he may. */
function callsOf(policy: JudgePolicy, all: readonly Move[]): readonly Call[] {
  let state = newJudge(policy)
  let now = 0
  const calls: Call[] = []
  for (const { wait, question, result: n, takes } of all) {
    now += wait
    const answer = mayAsk(state, now, question)
    if (!answer.may) {
      if (answer.at === undefined) continue
      // The time that is told is the first at which it may be asked.
      expect(answer.at).toBeGreaterThan(now)
      expect(mayAsk(state, answer.at - 1, question).may).toBe(false)
      expect(mayAsk(state, answer.at, question).may).toBe(true)
      continue
    }
    const result = results[question][n] as JudgeResult
    state = asked(state, now, question)
    const end = now + takes
    state = answered(state, end, result)
    calls.push({ at: now, question, end, result })
    now = end
  }
  return calls
}

describe('whatever comes of the calls', () => {
  const forAll = (holds: (calls: readonly Call[], policy: JudgePolicy) => void) =>
    fc.assert(
      fc.property(policies, moves, (policy, all) => holds(callsOf(policy, all), policy)),
      { numRuns: 300 },
    )

  test('no hour holds more calls than the budget', () =>
    forAll((calls, { callsAnHour }) => {
      for (const { at } of calls)
        expect(calls.filter(call => call.at >= at && call.at < at + hour).length).toBeLessThanOrEqual(
          callsAnHour,
        )
    }))

  test('none is made while it is off', () =>
    forAll((calls, { mostErrors }) => {
      let inARow = 0
      for (const { result } of calls) {
        expect(inARow).toBeLessThan(mostErrors)
        if (result === 'error') inARow++
        else if (result !== 'cancelled') inARow = 0
      }
    }))

  test('the pauses are kept', () =>
    forAll((calls, { afterWorking, afterError }) => {
      for (const [n, { result, question, end }] of calls.entries())
        for (const later of calls.slice(n + 1)) {
          if (result === 'error') expect(later.at).toBeGreaterThanOrEqual(end + afterError)
          if ((result === 'WORKING' || result === 'NOT_PLAN') && later.question === question)
            expect(later.at).toBeGreaterThanOrEqual(end + afterWorking)
        }
    }))
})
