/** A scripted agent on a clock of its own: what idleness costs with an `idle:` block and without, and what it delays. */
import { type IdleRule, idleDefaults } from '../../src/loop/step/idle-backoff.ts'
import { type Act, hour, scripted, second } from './scripted-loop.ts'

/** docs/seeds.md#001: an iteration with work took 46.2 s, one without 12 s. */
const busy: Act = { takes: 46_200, says: 'Did it.' }
const idle: Act = { takes: 12_000, says: 'Nothing to do.\n<!-- ralph:state idle -->' }
const busyFirst = 5
const idleTime = 24 * hour
/** When the work appears after that: at any point of a wait. */
const offsets = Array.from({ length: 50 }, (_, i) => i * 7 * second)

export type Idling = {
  /** Calls of the agent in which it had nothing to do, median of the runs. */
  readonly idleCalls: number
  /** From new work to the start of the iteration that finds it, ms, sorted. */
  readonly pickups: readonly number[]
  readonly longestWait: number
}

/** @param rule none for a file without the block */
export function idling(rule?: IdleRule): Idling {
  const runs = offsets.map(offset => run(offset, rule))
  const calls = runs.map(({ idleCalls }) => idleCalls).sort((a, b) => a - b)
  return {
    idleCalls: calls[Math.floor(calls.length / 2)] ?? 0,
    pickups: runs.map(({ pickup }) => pickup).sort((a, b) => a - b),
    longestWait: rule?.maxDelay ?? 0,
  }
}

/** It may idle for longer than a day here. */
export const asDocumented: IdleRule = { ...idleDefaults, max: 2 * idleTime }

function run(offset: number, rule: IdleRule | undefined) {
  const workAt = busyFirst * (busy.takes ?? 0) + idleTime + offset
  const hasWork = (iteration: number, now: number): boolean => iteration <= busyFirst || now >= workAt
  const loop = scripted(rule ? { idle: rule } : {}, (iteration, now) =>
    hasWork(iteration, now) ? busy : idle,
  )
  loop.clock.advance(workAt + hour)
  const found = loop.calls.find(({ at }) => at >= workAt)
  if (!found) throw new Error('the loop never found the work')
  return { idleCalls: loop.calls.indexOf(found) - busyFirst, pickup: found.at - workAt }
}
