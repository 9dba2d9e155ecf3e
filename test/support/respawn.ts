/** Plays respawn's step: sightings and answers in, what it did out; timers fire by themselves. */
import type { Instant } from '../../src/core/state.ts'
import { type RespawnPlan, type Timers, usualTimers } from '../../src/respawn/plan/plan.ts'
import type {
  ActResult,
  RespawnEffect,
  RespawnInput,
  RespawnState,
  Sighting,
} from '../../src/respawn/step/respawn-state.ts'
import { newRespawn, step } from '../../src/respawn/step/respawn-step.ts'

export type PlanLike = Partial<Omit<RespawnPlan, 'timers'>> & { readonly timers?: Partial<Timers> }

export const planOf = ({ timers, ...rest }: PlanLike = {}): RespawnPlan => ({
  name: 'test',
  steps: [{ act: { do: 'prompt', text: 'go on' } }],
  ignoresBackground: false,
  recover: [],
  hasJudge: false,
  hasRules: false,
  ...rest,
  timers: { ...usualTimers, person: 0, ...timers },
})

const epoch = Date.UTC(2026, 10, 1)

export function player(given: PlanLike = {}) {
  let now: Instant = 0
  let state: RespawnState = newRespawn(planOf(given), { is: 'unknown', since: 0, turn: 0, why: '' }, 0)
  let timer = Infinity
  const done: { readonly at: Instant; readonly effect: RespawnEffect }[] = []
  const feed = (input: object): void => {
    const next = step(state, { ...input, now, wall: epoch + now } as RespawnInput)
    state = next.state
    timer = Infinity
    for (const effect of next.effects)
      if (effect.do === 'timer') timer = effect.at
      else done.push({ at: now, effect })
  }
  const play = {
    get state() {
      return state
    },
    epoch,
    /** Everything of one kind that was done, by its instant. */
    at: (kind: RespawnEffect['do']) => done.filter(({ effect }) => effect.do === kind).map(({ at }) => at),
    told: () => done.flatMap(({ effect }) => (effect.do === 'tell' ? [effect.event] : [])),
    tells: (type: string) => play.told().filter(event => event.type === type),
    effects: () => done.map(({ effect }) => effect),
    /** Lets time go by; timers fire at their instants. */
    until(instant: Instant) {
      for (let fired = 0; timer <= instant; fired++) {
        if (fired > 10_000) throw new Error('its timer fires without end')
        now = timer
        feed({ type: 'time' })
      }
      now = instant
      return play
    },
    sees(seen: Partial<Sighting> & Pick<Sighting, 'is'>) {
      feed({ type: 'seen', seen: { since: now, turn: state.seen.turn, why: `it is ${seen.is}`, ...seen } })
      return play
    },
    /** What came of what it does now. */
    acted: (result: ActResult) => {
      feed({ type: 'acted', attempt: state.attempt, result })
      return play
    },
    judged: (says: 'IDLE' | 'WORKING' | 'error', again: Instant | 'never' = now + 180_000) => {
      feed({ type: 'judged', attempt: state.attempt, says, why: 'it said so', again })
      return play
    },
    input: (input: object) => {
      feed(input)
      return play
    },
  }
  feed({ type: 'time' })
  return play
}

export const worked = (turn: number): Partial<Sighting> & Pick<Sighting, 'is'> => ({ is: 'working', turn })
export const ended = (by: Sighting['by'] = 'reported', more: Partial<Sighting> = {}) => ({
  is: 'idle' as const,
  by,
  after: 'turn' as const,
  ...more,
})
