/** Whose turn it is that is told of after a step was typed. */
import { expect, test } from 'vitest'
import type { InFlight, Sighting } from '../../src/respawn/step/respawn-state.ts'
import { beforeEnter, followed, isStillIdle } from '../../src/respawn/step/step-turn.ts'
import { ended, player, worked } from '../support/respawn.ts'

const seen = (more: Partial<Sighting>): Sighting => ({
  is: 'working',
  since: 11_000,
  turn: 4,
  why: '',
  ...more,
})
/** Typed at 10 s, after the third turn. */
const typed = (more: Partial<Sighting> = {}): InFlight => ({
  step: 0,
  at: 10_000,
  before: {
    ...beforeEnter(10_000, seen({ is: 'idle', since: 5000, turn: 3, turnAt: 2000, ...more })),
    text: 'go on\nwith it',
  },
  hasBegun: false,
})
const byHooks = { isByHooksAlone: true, turnAt: 11_000 } as const

test.each([
  ['a turn more, after Enter', typed(), seen({ turnAt: 10_100 }), true],
  ['a turn more, of which nobody tells when it began', typed(), seen({}), true],
  ['an end alone is told, of no beginning', typed(), seen({ is: 'idle', turnAt: 2000 }), true],
  ['a turn more that began before Enter: a person’s', typed(), seen({ turnAt: 9900 }), false],
  ['no turn more', typed(), seen({ turn: 3, since: 9000 }), false],
  ['hooks alone, which owed nothing', typed(), seen(byHooks), true],
  ['hooks alone, which owed the end before', typed({ hasHooksDue: true }), seen(byHooks), false],
  [
    'others too, though hooks owed the end before',
    typed({ hasHooksDue: true }),
    seen({ turnAt: 11_000 }),
    true,
  ],
  [
    'hooks alone, with what was typed',
    typed(),
    seen({ ...byHooks, prompt: { at: 10_100, text: 'go  on with it, please' } }),
    true,
  ],
  [
    'hooks alone, with another prompt',
    typed(),
    seen({ ...byHooks, prompt: { at: 10_100, text: 'make tea' } }),
    false,
  ],
  [
    'hooks alone, and their prompt is still that of the turn before',
    typed(),
    seen({ ...byHooks, prompt: { at: 2000, text: 'make tea' } }),
    false,
  ],
  [
    'the same, and it is over',
    typed(),
    seen({ ...byHooks, is: 'idle', prompt: { at: 2000, text: 'make tea' } }),
    true,
  ],
  [
    'others too, with another prompt: a CLI may write its own',
    typed(),
    seen({ turnAt: 11_000, prompt: { at: 10_100, text: 'make tea' } }),
    true,
  ],
] as const)('%s', (_, step, sighting, hasBegun) =>
  expect(followed(step, sighting, 11_000).hasBegun).toBe(hasBegun),
)

test('the turn that was owed is passed over once: the one behind it is the step’s', () => {
  const owed = followed(typed({ hasHooksDue: true }), seen(byHooks), 11_000)
  expect(owed).toMatchObject({ hasBegun: false, another: 4 })
  expect(followed(owed, seen({ ...byHooks, is: 'idle' }), 12_000).hasBegun).toBe(false)
  expect(followed(owed, seen({ ...byHooks, turn: 5 }), 13_000).hasBegun).toBe(true)
})

test('work without a turn of its own is the step’s after 3 s, but not in the turn of another', () => {
  const works = seen({ turn: 3, since: 10_500 })
  expect(followed(typed(), works, 13_499).hasBegun).toBe(false)
  expect(followed(typed(), works, 13_500).hasBegun).toBe(true)
  const owed = followed(typed({ hasHooksDue: true }), seen(byHooks), 11_000)
  expect(followed(owed, seen(byHooks), 60_000).hasBegun).toBe(false)
})

test.each([
  ['the idleness that was decided upon', { is: 'idle', since: 5000, turn: 3 }, true],
  ['one that began later, whatever turns are counted', { is: 'idle', since: 9500, turn: 3 }, false],
  ['one after another turn', { is: 'idle', since: 5000, turn: 4 }, false],
  ['no idleness', { is: 'working', since: 5000, turn: 3 }, false],
] as const)('right before Enter: %s', (_, now, is) =>
  expect(isStillIdle(seen(now), { at: 9000, turn: 3 })).toBe(is),
)

test('hooks that come late end no step: it waits for its own turn', () => {
  const play = player()
    .until(1000)
    .sees(worked(1))
    .until(5000)
    .sees(ended('hooks_due', { hasHooksDue: true }))
    .until(8000)
  play.acted({ is: 'sent', before: { at: 8000, turn: 1, hasHooksDue: true } })
  play.until(9000).sees({ ...worked(2), isByHooksAlone: true })
  play
    .until(9100)
    .sees(ended('reported', { turn: 2, isByHooksAlone: true }))
    .until(37_000)
  expect(play.tells('turn_ended')).toEqual([])
  expect(play.at('act')).toEqual([8000])
})

test('refused, because it worked again: its next end counts like any other, without 5 s more', () => {
  const play = player({ timers: { held: 500 } })
    .until(1000)
    .sees(worked(1))
    .until(5000)
    .sees(ended())
    .until(5500)
  play.sees(worked(2)).acted({ is: 'refused', why: 'it is not idle any more' })
  expect(
    play
      .until(6000)
      .sees(ended('reported', { turn: 2 }))
      .until(6600)
      .at('act'),
  ).toEqual([5500, 6500])
  const same = player({ timers: { held: 500 } })
    .until(1000)
    .sees(worked(1))
    .until(5000)
    .sees(ended())
    .until(5500)
  expect(same.acted({ is: 'refused', why: 'its line holds text' }).until(12_000).at('act')).toEqual([
    5500, 10_500,
  ])
})
