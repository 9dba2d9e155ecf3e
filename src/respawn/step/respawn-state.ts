/** What the step of respawn works on: what is seen of the agent, the state, what comes in and what is to be done. Data alone. */
import type { IdleAfter, Instant, WaitingFor } from '../../core/state.ts'
import type { RespawnPlan } from '../plan/plan.ts'

/** How often, before respawn gives up: a controller that tries for ever burns tokens (docs/respawn.md#limits). */

/** After a turn or a step that failed: ms, one after the other; then it stops. */
export const failureWaits = [60_000, 120_000, 300_000, 600_000, 1_800_000] as const
/** Steps in a row that begin no turn: the breaker of docs/seeds.md#003's field research. */
export const mostWithoutTurn = 3
export const mostRecoveries = 3
/** Between crashes and the starts after them; more of them within the window, and it is left alone. */
export const relaunchWaits = [5000, 30_000, 120_000] as const
export const relaunchWindowMs = 3_600_000
/** What was not ready after all is looked at again, where it has not worked since: ms. */
export const refusedWaitMs = 5000
/** All steps were passed over: ms. */
export const passedWaitMs = 60_000
/** A limit is a time of day: the machine may sleep. ms */
export const wallCheckMs = 30_000
/** As long as the slowest source takes to report a turn that began with Enter (terminal/paint.ts): ms. */
export const startReportMs = 3000
/** Hooks run beside the turn, and may come this much later than the transcript's report of its end. ms */
export const lateHooksMs = 3000
/** One source reports a question before another names it exactly: Claude Code's status file calls a plan a permission. ms */
export const askSettledMs = 1000

/** docs/seeds.md#003: its states, and those in which nothing may be sent. */
export const phases = [
  'watching',
  'hook_idle',
  'confirming_idle',
  'ai_checking',
  'sending',
  'waiting',
  'blocked',
  'limited',
  'paused',
  'stopped',
] as const
export type RespawnPhase = (typeof phases)[number]

/**
 * The source of an idleness. `prompted`: the agent reports that it has been idle for a minute. `reported`: it reported the end
 * of its turn. `hooks_due`: it did, and its hooks have yet to. `shown`: its screen or its processes look like it. `doubtful`: a
 * weak sign.
 */
export type IdleBy = 'prompted' | 'reported' | 'hooks_due' | 'shown' | 'doubtful'

/** A session at one moment, as far as it matters here: made of the one detector's verdict. */
export type Sighting = {
  readonly is: 'working' | 'idle' | 'waiting' | 'exited' | 'unknown'
  readonly since: Instant
  /** The number of the newest turn, and when it began, where that was reported. */
  readonly turn: number
  readonly turnAt?: Instant
  /** Only hooks reported that it began. */
  readonly isByHooksAlone?: true
  /** It is over, and no hook has reported that: there may be none, or it comes late. */
  readonly hasHooksDue?: true
  /** The first words of the newest prompt, as the agent reports them, and when it was taken. */
  readonly prompt?: { readonly at: Instant; readonly text: string }
  /** Of `idle`. */
  readonly by?: IdleBy
  readonly after?: IdleAfter
  /** Of `waiting`. */
  readonly for?: WaitingFor
  /** The turn is over, and tasks go on beside it, or will wake it. */
  readonly isBeside?: true
  /** The provider's limit holds; `until` is ms since the epoch. */
  readonly limit?: { readonly until?: number }
  /** Since when it can't go on. */
  readonly stuckSince?: Instant
  /** Of `exited`: it did not end of itself. */
  readonly isCrash?: true
  readonly cost?: number
  /** The evidence, as a sentence. */
  readonly why: string
}

export type StopWhy =
  /** `until` holds, or all cycles are done, or the time is over. */
  | 'done'
  | 'times'
  | 'time'
  | 'max_cost'
  /** The agent has ended; its session is nowhere any more. */
  | 'exited'
  | 'gone'
  /** Steps that failed, or began no turn, again and again. */
  | 'failed'
  | 'no_progress'
  /** It was asked to. */
  | 'asked'

export type PauseWhy = 'asked' | 'person' | 'interrupted'

/** A step that was typed, and is not over. */
export type InFlight = {
  readonly step: number
  readonly at: Instant
  readonly before: BeforeEnter
  readonly hasBegun: boolean
  /** A turn reported since that is not the step's: a person's, or the one before it, reported late. */
  readonly another?: number
}

/** The session right before Enter: the step's turn may begin, and end, before the typing is reported. */
export type BeforeEnter = Pick<Sighting, 'turn' | 'turnAt' | 'hasHooksDue'> & {
  readonly at: Instant
  /** What was typed, where it was text. */
  readonly text?: string
}

export type RespawnState = {
  readonly plan: RespawnPlan
  readonly phase: RespawnPhase
  /** When it took this phase. */
  readonly since: Instant
  readonly startedAt: Instant
  readonly seen: Sighting
  /** The next step, from 0, and the cycle, from 1. */
  readonly next: number
  readonly cycle: number
  /** Nothing is sent before. */
  readonly notBefore: Instant
  /** When the step before was over, where there was one: the next one waits from then on. */
  readonly overAt?: Instant
  /** The idleness that a step was decided upon last; and one on which it was refused, at that time. */
  readonly actedOn?: Instant
  readonly refused?: { readonly since: Instant; readonly at: Instant }
  readonly inFlight?: InFlight
  /** Names what is being tried: what comes of another attempt is dropped. */
  readonly attempt: number
  /** It is to be skipped while it is typed: the result shows whether that was too late. */
  readonly isCalledOff?: true
  /** It was abandoned while a step was typed: the result shows whether Enter had been pressed. */
  readonly mayBeTyped?: true
  /** When a person was last seen there. */
  readonly personAt?: Instant
  readonly pause?: PauseWhy
  readonly stop?: StopWhy
  /** ms since the epoch; of `limited`. */
  readonly limitUntil?: number
  /** The limit that was waited for. It is over, even where the agent reports nothing new. */
  readonly limitWaited?: Instant
  /** Failures, and steps that began no turn, in a row. */
  readonly failures: number
  readonly withoutTurn: number
  /** Steps passed over in a row. */
  readonly passed: number
  readonly recoveries: number
  /** It was reported as stuck since then. */
  readonly stuckReported?: Instant
  readonly relaunches: readonly Instant[]
  /** What the attempt is: a step, keys that recover, the agent's start. */
  readonly attemptIs: 'step' | 'recovery' | 'start'
  /** The question that was reported last. */
  readonly asked?: { readonly since: Instant; readonly for?: WaitingFor }
  /** The state that the judge is asked about; its last answer, and the state that this was about. */
  readonly judgingSince?: Instant
  readonly judged?: { readonly since: Instant; readonly says: 'IDLE' | 'WORKING' | 'error' }
  /** When the judge may be asked again. */
  readonly judgeAt: Instant
  readonly isJudgeOff: boolean
  /** The idleness of which it was counted that no judge was needed. */
  readonly avoidedOf?: Instant
  readonly tally: RespawnTally
}

export type RespawnTally = {
  readonly sent: number
  readonly turns: number
  readonly accepted: number
  readonly judged: number
  /** An end that was reported came before the judge had answered, or was asked. */
  readonly judgeAvoided: number
  readonly limits: number
  readonly blocked: number
  readonly recovered: number
}

/** What came of typing a step. */
export type ActResult =
  /** `before` of a step. */
  | { readonly is: 'sent'; readonly why?: string; readonly before?: BeforeEnter }
  /** Its condition does not hold. */
  | { readonly is: 'passed'; readonly why: string }
  /** `until` of the plan holds. */
  | { readonly is: 'done'; readonly why: string }
  /** Not typed: it was not ready after all, a person was there, or the session is gone. */
  | { readonly is: 'refused'; readonly why: string }
  | { readonly is: 'person'; readonly why: string }
  | { readonly is: 'gone'; readonly why: string }
  | { readonly is: 'failed'; readonly why: string }

type What =
  | { readonly type: 'seen'; readonly seen: Sighting }
  | { readonly type: 'time' }
  | { readonly type: 'acted'; readonly attempt: number; readonly result: ActResult }
  | {
      readonly type: 'judged'
      readonly attempt: number
      readonly says: 'IDLE' | 'WORKING' | 'error'
      readonly why: string
      /** By the judge's own rules: when it may be asked again; never, where it is off. */
      readonly again: Instant | 'never'
    }
  | { readonly type: 'accepted'; readonly why: string; readonly text: string }
  /** A person typed or looked there. */
  | { readonly type: 'person'; readonly why: string }
  | { readonly type: 'pause' }
  | { readonly type: 'resume' }
  | { readonly type: 'skip' }
  | { readonly type: 'stop' }

/** `now` is monotonic, `wall` is ms since the epoch. */
export type RespawnInput = What & { readonly now: Instant; readonly wall: number }

/** What the ledger keeps, and `--json` prints. */
export type PlanEvent =
  | { readonly type: 'started'; readonly steps: number }
  | { readonly type: 'phase'; readonly phase: RespawnPhase }
  | { readonly type: 'sending'; readonly step: number; readonly cycle: number }
  | { readonly type: 'sent' | 'passed' | 'skipped'; readonly step: number; readonly cycle: number }
  | { readonly type: 'refused' | 'failed'; readonly step: number }
  | { readonly type: 'turn_ended'; readonly step: number; readonly after: IdleAfter | 'unknown' }
  | { readonly type: 'no_turn'; readonly step: number }
  | { readonly type: 'blocked'; readonly for: WaitingFor }
  | { readonly type: 'accepted'; readonly text: string }
  | { readonly type: 'limited'; readonly until: number }
  | { readonly type: 'stuck' | 'recover' | 'relaunch' }
  | { readonly type: 'judging' }
  | { readonly type: 'judged'; readonly says: 'IDLE' | 'WORKING' | 'error' }
  | { readonly type: 'paused'; readonly by: PauseWhy }
  | { readonly type: 'resumed' }
  | { readonly type: 'stopped'; readonly outcome: StopWhy }

export type RespawnEffect =
  /** With the evidence that allowed it. */
  | { readonly do: 'tell'; readonly event: PlanEvent; readonly why: string }
  /** Check its conditions and type it, if the session is still idle by then: answered by `acted`. */
  | {
      readonly do: 'act'
      readonly attempt: number
      readonly step: number
      /** Only the judge found it idle. */
      readonly isByJudge: boolean
    }
  | { readonly do: 'recover'; readonly attempt: number; readonly keys: readonly string[] }
  | { readonly do: 'relaunch'; readonly attempt: number; readonly command: string; readonly after: number }
  /** Answered by `judged`. */
  | { readonly do: 'judge'; readonly attempt: number }
  /** What was asked of the judge, or is being typed, is not wanted any more: nothing is pressed after that. */
  | { readonly do: 'abandon' }
  /** Answer the dialog, where a rule of the person's allows it: answered by `accepted`, or not at all. */
  | { readonly do: 'accept' }
  | { readonly do: 'timer'; readonly at: Instant }
  | { readonly do: 'stop'; readonly why: StopWhy }

export type RespawnStep = { readonly state: RespawnState; readonly effects: readonly RespawnEffect[] }
