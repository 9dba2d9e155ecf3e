/** Feeds respawn's step, one input after the other, and holds its state and its one timer. */
import type { Clock, Timer } from '../core/clock.ts'
import type { RespawnEffect, RespawnInput, RespawnState } from './step/respawn-state.ts'
import { step } from './step/respawn-step.ts'

type Happened = RespawnInput extends infer Each
  ? Each extends RespawnInput
    ? Omit<Each, 'now' | 'wall'>
    : never
  : never

/** All but the timer, which is the player's own. */
export type OwnEffect = Exclude<RespawnEffect, { readonly do: 'timer' }>

export type StepPlayer = { state(): RespawnState; feed(what: Happened): void }

export function stepPlayer(
  clock: Clock,
  first: RespawnState,
  carryOut: (effect: OwnEffect) => void,
): StepPlayer {
  let state = first
  let timer: Timer | undefined
  const queue: RespawnInput[] = []
  let isBusy = false

  function take(input: RespawnInput): void {
    const next = step(state, input)
    state = next.state
    timer?.cancel()
    for (const effect of next.effects)
      if (effect.do === 'timer') timer = clock.at(effect.at, () => feed({ type: 'time' }))
      else carryOut(effect)
  }

  /** What is done may come back at once. Whole ms, and never before a timer's instant. */
  function feed(what: Happened): void {
    queue.push({ ...what, now: Math.ceil(clock.now()), wall: clock.wall() } as RespawnInput)
    if (isBusy) return
    isBusy = true
    try {
      for (let input = queue.shift(); input; input = queue.shift()) take(input)
    } finally {
      isBusy = false
    }
  }

  return { state: () => state, feed }
}
