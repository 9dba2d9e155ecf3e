/** A loop on a clock of its own, with an agent that follows a script. */

import type { Instant } from '../../src/core/state.ts'
import type { Happening } from '../../src/loop/loop-events.ts'
import { type Controls, runLoop } from '../../src/loop/loop-runner.ts'
import { findMarker } from '../../src/loop/marker/marker.ts'
import type { AgentResult, Plan, Stop } from '../../src/loop/step/loop-state.ts'
import { type VirtualClock, virtualClock } from '../../src/track/clock.ts'

/** What the agent does when it is run: for how long, and how it ends; it never ends where there is no time. */
export type Act = {
  readonly takes?: number
  readonly says?: string
  readonly result?: Partial<AgentResult>
  /** How long it takes to end once told to; at once where not given, `never` until it is killed. */
  readonly dies?: number | 'never'
}

export type Script = (iteration: number, now: Instant) => Act

type TimedEvent = Happening & { readonly at: Instant }

export type Scripted = Controls & {
  readonly clock: VirtualClock
  readonly events: readonly TimedEvent[]
  /** When the agent was started, and the prompt it was given. */
  readonly calls: readonly { readonly at: Instant; readonly prompt: string }[]
  readonly ends: readonly { readonly at: Instant; readonly how: 'soft' | 'hard' }[]
  readonly stop: () => Stop | undefined
  /** Moves on until something of this type is told, or the time is over. */
  until(type: Happening['type'], within?: number): void
}

const plain: Plan = {
  ralph: 'test',
  agent: ['agent'],
  commandCount: 0,
  warnings: [],
  stopOnError: false,
  delay: 0,
}

export function scripted(
  plan: Partial<Plan>,
  script: Script,
  { commandsTake = 0, wall = 0, commandsDie = 0 } = {},
): Scripted {
  const clock = virtualClock(wall)
  const events: TimedEvent[] = []
  const calls: { at: Instant; prompt: string }[] = []
  const ends: { at: Instant; how: 'soft' | 'hard' }[] = []
  let stop: Stop | undefined

  const controls = runLoop(
    { ...plain, ...plan },
    {
      clock,
      prepare(iteration, done) {
        const results = Array.from({ length: plan.commandCount ?? 0 }, (_, i) => ({ name: `c${i}`, code: 0 }))
        const over = (): void => done(`prompt ${iteration}`, results)
        let timer = commandsTake > 0 ? clock.at(clock.now() + commandsTake, over) : undefined
        if (!timer) over()
        return {
          end(how) {
            ends.push({ at: clock.now(), how })
            timer?.cancel()
            timer = clock.at(clock.now() + commandsDie, over)
          },
        }
      },
      startAgent(iteration, prompt, listener) {
        calls.push({ at: clock.now(), prompt })
        const { takes, says, result, dies = 0 } = script(iteration, clock.now())
        const marker = says === undefined ? undefined : findMarker(says, prompt)
        const ended = {
          ...(result && ('code' in result || 'signal' in result) ? {} : { code: 0 }),
          ...(says === undefined ? {} : { resultText: says }),
          ...(marker ? { marker } : {}),
          ...result,
        }
        let timer =
          takes === undefined ? undefined : clock.at(clock.now() + takes, () => listener.onEnd(ended))
        return {
          end(how) {
            ends.push({ at: clock.now(), how })
            if (dies === 'never' && how === 'soft') return
            timer?.cancel()
            const wait = how === 'hard' || dies === 'never' ? 0 : dies
            const signal = how === 'hard' ? 'SIGKILL' : 'SIGTERM'
            timer = clock.at(clock.now() + wait, () => listener.onEnd({ signal }))
          },
        }
      },
      emit: event => events.push({ ...event, at: clock.now() }),
      stopped: how => {
        stop = how
      },
    },
  )
  return {
    ...controls,
    clock,
    events,
    calls,
    ends,
    stop: () => stop,
    until(type, within = 3_600_000) {
      const seen = events.length
      const end = clock.now() + within
      while (clock.now() < end && !events.slice(seen).some(event => event.type === type)) clock.advance(10)
    },
  }
}

export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
