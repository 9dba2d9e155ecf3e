/**
 * Carries out the effects of the loop's step and feeds it the results. Clock and actions are passed in, so that tests can
 * replace them.
 */

import type { Clock, Timer } from '../core/clock.ts'
import type { Facts } from '../core/evidence/signal.ts'
import { oneByOne } from '../core/one-by-one.ts'
import type { State } from '../core/state.ts'
import type { CommandResult, Happening } from './loop-events.ts'
import type { Ender } from './ralph/prompt-commands.ts'
import type { AgentResult, Input, LoopEffect, LoopState, Plan, Stop } from './step/loop-state.ts'
import { newLoop, step } from './step/loop-step.ts'

export type LoopPorts = {
  readonly clock: Clock
  /** Runs the commands and puts the prompt together. */
  prepare(iteration: number, done: (prompt: string, results: readonly CommandResult[]) => void): Ender
  startAgent(
    iteration: number,
    prompt: string,
    listener: { onState(state: State, facts: Facts): void; onEnd(result: AgentResult): void },
  ): Ender
  emit(event: Happening): void
  stopped(stop: Stop): void
}

/** What a person, or a program in its place, can do to a loop. */
export type Controls = {
  /** As Ctrl+C does: a wait is skipped, an iteration is the last; twice, it stops. */
  interrupt(): void
  /** Ends what runs, and stops. */
  terminate(signal?: string): void
  /** The next iteration begins now, after a wait or a pause; one that runs goes on. */
  skip(): void
  /** Before the next iteration. */
  pause(): void
  resume(): void
  status(): LoopStatus
}

/** What it does now; `isPausing`: it pauses after this iteration. */
export type LoopStatus = {
  readonly phase: 'iterating' | 'delaying' | 'paused' | 'stopped'
  readonly iteration: number
  readonly isPausing: boolean
}

function statusOf({ phase, iteration, isPauseAsked }: LoopState): LoopStatus {
  return { phase: phase.kind === 'new' ? 'iterating' : phase.kind, iteration, isPausing: isPauseAsked }
}

type Happened = Input extends infer Each ? (Each extends Input ? Omit<Each, 'now' | 'wall'> : never) : never

/** Begins at once. */
export function runLoop(plan: Plan, ports: LoopPorts): Controls {
  const { clock } = ports
  let state: LoopState = newLoop(plan)
  let timer: Timer | undefined
  let running: Ender | undefined

  const take = oneByOne<Input>(input => {
    const next = step(state, input)
    state = next.state
    for (const effect of next.effects) carryOut(effect)
  })

  /** Whole ms, and never before a timer's instant. */
  const feed = (what: Happened): void =>
    take({ ...what, now: Math.ceil(clock.now()), wall: clock.wall() } as Input)

  function carryOut(effect: LoopEffect): void {
    switch (effect.do) {
      case 'emit':
        ports.emit(effect.event)
        break
      case 'prepare':
        running = ports.prepare(effect.iteration, (prompt, results) =>
          feed({ type: 'prepared', prompt, results }),
        )
        break
      case 'start_agent':
        running = ports.startAgent(effect.iteration, effect.prompt, {
          onState: (doing, facts) => feed({ type: 'agent_state', state: doing, facts }),
          onEnd: result => feed({ type: 'agent_ended', result }),
        })
        break
      case 'end':
        running?.end(effect.how)
        break
      case 'timer':
        timer?.cancel()
        timer = clock.at(effect.at, () => feed({ type: 'time' }))
        break
      case 'no_timer':
        timer?.cancel()
        timer = undefined
        break
      case 'stop':
        ports.stopped(effect.stop)
        break
    }
  }

  feed({ type: 'begin' })
  return {
    interrupt: () => feed({ type: 'interrupt' }),
    terminate: signal => feed({ type: 'terminate', ...(signal === undefined ? {} : { signal }) }),
    skip: () => feed({ type: 'skip' }),
    pause: () => feed({ type: 'pause' }),
    resume: () => feed({ type: 'resume' }),
    status: () => statusOf(state),
  }
}
