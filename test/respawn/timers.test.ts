/** No setting without an effect: each timer at its usual value and at another one, and when its action comes. */
import { expect, test } from 'vitest'
import type { StepAct, Timers } from '../../src/respawn/plan/plan.ts'
import { usualTimers } from '../../src/respawn/plan/plan.ts'
import { ended, type PlanLike, player, worked } from '../support/respawn.ts'

const sent = { is: 'sent' } as const
const stuck = { is: 'working', turn: 1, stuckSince: 1000 } as const
const two: PlanLike = {
  steps: ['one', 'two'].map(text => ({ act: { do: 'prompt', text } satisfies StepAct })),
}
const start = (plan: PlanLike) => player(plan).until(1000)
type Player = ReturnType<typeof player>

/** What is awaited, and when it comes: ms after the instant from which the timer runs. */
const effects: Readonly<
  Record<keyof Timers, (plan: PlanLike) => readonly [Player, (play: Player) => boolean, number]>
> = {
  held: plan => [start(plan).sees(ended()), isTyping, 1000],
  silence: plan => [start(plan).sees(ended('shown')), isTyping, 1000],
  unknown: plan => [
    start({ ...plan, hasJudge: true }).sees({ is: 'unknown' }),
    play => play.at('judge').length > 0,
    1000,
  ],
  pause: plan => {
    // Told at once, so that the pause alone is waited for.
    const play = start({ ...two, ...plan }).sees(ended('prompted'))
    return [
      play.acted(sent).sees(worked(1)).until(9000).sees(ended('prompted')),
      play => play.at('act').length > 1,
      9000,
    ]
  },
  person: plan => [
    start(plan).input({ type: 'person', why: 'typed' }).until(1500).sees(ended('prompted')),
    isTyping,
    1000,
  ],
  begin: plan => [
    start(plan).sees(ended('prompted')).acted(sent),
    play => play.tells('no_turn').length > 0,
    1000,
  ],
  stuck: plan => [start(plan).sees(stuck), play => play.tells('stuck').length > 0, 1000],
  recovery: plan => [
    start({ ...plan, recover: [['Escape']] }).sees(stuck),
    play => play.at('recover').length > 0,
    1000,
  ],
  reset: plan => {
    const play = start(plan)
    return [
      play.sees(ended('reported', { after: 'limit', limit: { until: play.epoch + 1000 } })),
      isTyping,
      1000,
    ]
  },
  unknownReset: plan => [start(plan).sees(ended('reported', { after: 'limit', limit: {} })), isTyping, 1000],
}
const isTyping = (play: Player): boolean => play.at('act').length > 0

const names = Object.keys(usualTimers) as (keyof Timers)[]
const cases = names.flatMap(name => [1, 2].map(times => [name, usualTimers[name] * times] as const))

test.each(cases)('%s of %i ms', (name, ms) => {
  const [play, happened, from] = effects[name]({ timers: { person: 0, [name]: ms } })
  expect(happened(play)).toBe(false)
  expect(happened(play.until(from + ms - 1))).toBe(false)
  expect(happened(play.until(from + ms + 5000))).toBe(true)
})
