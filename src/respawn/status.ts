/** The status of a respawn: docs/seeds.md#003's `DetectionStatus`, and the progress of its plan. Pure. */
import { explain } from '../core/explain/explain.ts'
import type { Instant } from '../core/state.ts'
import { type DetectionStatus, detectionStatus } from '../sessions/detection-status.ts'
import type { LiveSession } from '../sessions/session-source.ts'
import { goesOnIn } from './step/guards.ts'
import type { RespawnPhase, RespawnState, RespawnTally } from './step/respawn-state.ts'

export type RespawnStatus = {
  readonly session: string
  readonly agent: string
  /** Of its terminal, as it was when this began. */
  readonly name?: string
  /** By which it was found when this began. */
  readonly address?: string
  readonly plan: string
  readonly pid: number
  readonly phase: RespawnPhase
  /** ms since the epoch. */
  readonly since: number
  readonly cycle: number
  readonly step: number
  readonly steps: number
  readonly tally: RespawnTally
  readonly detection: DetectionStatus
}

type Moment = { readonly now: Instant; readonly wall: number }

export function respawnStatus(
  live: LiveSession,
  state: RespawnState,
  moment: Moment & { readonly pid: number },
): RespawnStatus {
  const wallOf = (at: Instant): number => Math.round(moment.wall - (moment.now - at))
  return {
    session: live.id,
    agent: live.agent,
    plan: state.plan.name,
    pid: moment.pid,
    phase: state.phase,
    since: wallOf(state.since),
    cycle: state.cycle,
    step: state.next + 1,
    steps: state.plan.steps.length,
    tally: state.tally,
    detection: detectionStatus(live, moment, {
      isIdle: state.seen.is === 'idle',
      statusText: textOf(state, explain(live.session.verdict, moment.now, live.session.facts), moment.now),
    }),
  }
}

/** Nobody has to do anything for what it does next. */
export const actsByItself = ({ phase }: RespawnState): boolean =>
  phase !== 'paused' && phase !== 'blocked' && phase !== 'stopped'

/** @param why of the verdict as it is by now */
function textOf({ phase, pause, next, plan, since }: RespawnState, why: string, now: Instant): string {
  const step = `step ${next + 1} of ${plan.steps.length}`
  const held = `${Math.max(0, Math.round((now - since) / 1000))} s`
  switch (phase) {
    case 'watching':
      return `watching: ${why}`
    case 'hook_idle':
      return `an end was reported ${held} ago, confirming: ${why}`
    case 'confirming_idle':
      return `it looks idle, confirming for ${held}: ${why}`
    case 'ai_checking':
      return `the judge is asked, since ${held}`
    case 'sending':
      return `typing ${step}`
    case 'waiting':
      return `${step} is typed; its turn: ${why}`
    case 'blocked':
      return `a person is asked: ${why}`
    case 'limited':
      return `parked by the provider’s limit: ${why}`
    case 'paused':
      if (pause === 'asked') return 'paused, as asked'
      return `paused: a person is at it${pause === 'person' ? goesOnIn(plan.timers) : ''}`
    case 'stopped':
      return 'stopped'
  }
}
