/**
 * A run as a pure step: what has happened in, the next state and what is to be done out. Nothing is done here; the runner
 * (`../supervisor.ts`) does it and comes back with what came of it. What the command prints decides nothing, so it does not come
 * here: the runner passes it to those who read it.
 */
import type { ProcessEnd } from '../../os/spawn/process-group.ts'
import type { OnStuck, StuckProgram } from '../stuck-action.ts'
import type { RunVerdict } from './run-verdict.ts'
import { type ActAt, mayAct } from './stuck-action-step.ts'

/** What was asked for. */
export type RunPlan = {
  readonly onStuck?: OnStuck
  readonly actAt: ActAt
  /** Somebody wants to know what its terminal does, and it has one. */
  readonly followsTerminal: boolean
}

export type RunState = {
  readonly plan: RunPlan
  readonly phase: 'new' | 'starting' | 'running' | 'ended'
  /** What is done about it being stuck: nothing; it is judged once more; it was done, until it is healthy again. */
  readonly action: 'none' | 'due' | 'done'
  /** `onStuck: term` has ended it. */
  readonly isActedOn: boolean
  /** Whoever started it has left: it ends as soon as it runs. */
  readonly isLeft: boolean
}

/** What is loaded once the command runs. */
export type RunPart = 'watch' | 'terminal'

export type RunInput =
  | { readonly type: 'begin' }
  | { readonly type: 'started' }
  | { readonly type: 'not_started'; readonly error: unknown }
  /** It has run long enough to be worth a look. */
  | { readonly type: 'time' }
  | { readonly type: 'loaded'; readonly part: RunPart }
  /** Why nothing can be seen of its processes on this machine. */
  | { readonly type: 'unsupported'; readonly why: string }
  /** Of a sample, about one a second. `isNews`: its health, or the cause of it, is not what it was. */
  | { readonly type: 'verdict'; readonly verdict: RunVerdict; readonly isNews: boolean }
  /** The verdict that was asked for; none where it has ended meanwhile. */
  | { readonly type: 'judged_again'; readonly verdict?: RunVerdict }
  /** Of lull's own. */
  | { readonly type: 'fault'; readonly message: string }
  | { readonly type: 'recording_failed'; readonly why: string }
  | { readonly type: 'ended'; readonly end: ProcessEnd }
  /** Nobody wants it any more. */
  | { readonly type: 'leave' }

export type RunEffect =
  /** Answered by `started` or `not_started`, and then by `ended`. */
  | { readonly do: 'start' }
  /** Answered by `time` after so many ms; nobody stays for it. */
  | { readonly do: 'timer'; readonly after: number }
  /** Answered by `loaded`. */
  | { readonly do: 'load'; readonly part: RunPart }
  /** Judge its processes: answered by a `verdict` at each sample. */
  | { readonly do: 'watch' }
  /** Judge what its terminal does. */
  | { readonly do: 'follow_terminal' }
  /** To its recording, to whom each sample goes, and, where it is news, to whoever iterates. */
  | { readonly do: 'publish'; readonly verdict: RunVerdict; readonly isNews: boolean }
  /** Not with this sample, which may be old by then: answered by `judged_again`. */
  | { readonly do: 'judge_again' }
  | { readonly do: 'start_program'; readonly program: StuckProgram; readonly verdict: RunVerdict }
  /** To its whole group. */
  | { readonly do: 'kill'; readonly signal: NodeJS.Signals }
  /** What a person should know. */
  | { readonly do: 'notice'; readonly sentence: string }
  /** Reads what it printed last, and lets go of all that was opened for it. */
  | { readonly do: 'close'; readonly end: ProcessEnd; readonly isActedOn: boolean }
  /** The same, where it never ran. */
  | { readonly do: 'reject'; readonly error: unknown }

export type RunStep = { readonly state: RunState; readonly effects: readonly RunEffect[] }

/** A command that is over sooner is not looked at, and pays for nothing. */
const loadAfterMs = 150

export const newRun = (plan: RunPlan): RunState => ({
  plan,
  phase: 'new',
  action: 'none',
  isActedOn: false,
  isLeft: false,
})

export function stepRun(state: RunState, input: RunInput): RunStep {
  const isRunning = state.phase === 'running'
  switch (input.type) {
    case 'begin':
      return { state: { ...state, phase: 'starting' }, effects: [{ do: 'start' }] }
    case 'started':
      return started({ ...state, phase: 'running' })
    case 'not_started':
      return { state: { ...state, phase: 'ended' }, effects: [{ do: 'reject', error: input.error }] }
    case 'time':
      return { state, effects: isRunning ? [{ do: 'load', part: 'watch' }] : [] }
    case 'loaded':
      return { state, effects: isRunning ? [use[input.part]] : [] }
    case 'unsupported':
      return { state, effects: [notice(input.why)] }
    case 'verdict':
      return judged(state, input.verdict, input.isNews)
    case 'judged_again':
      return actUpon(state, input.verdict)
    case 'fault':
      return unchanged(state, `a fault of lull's own, the command goes on unwatched: ${input.message}`)
    case 'recording_failed':
      return unchanged(state, `the recording ends here, it can't be written: ${input.why}`)
    case 'ended': {
      const { isActedOn } = state
      return { state: { ...state, phase: 'ended' }, effects: [{ do: 'close', end: input.end, isActedOn }] }
    }
    case 'leave':
      return { state: { ...state, isLeft: true }, effects: isRunning ? terminate : [] }
  }
}

const notice = (sentence: string): RunEffect => ({ do: 'notice', sentence })

const unchanged = (state: RunState, sentence: string): RunStep => ({ state, effects: [notice(sentence)] })

const use: Readonly<Record<RunPart, RunEffect>> = {
  watch: { do: 'watch' },
  terminal: { do: 'follow_terminal' },
}

/** Stopped threads take a signal once they go on. */
const terminate: readonly RunEffect[] = [
  { do: 'kill', signal: 'SIGTERM' },
  { do: 'kill', signal: 'SIGCONT' },
]

function started(state: RunState): RunStep {
  const { plan, isLeft } = state
  return {
    state,
    effects: [
      { do: 'timer', after: loadAfterMs },
      ...(plan.followsTerminal ? [{ do: 'load', part: 'terminal' } as const] : []),
      ...(isLeft ? terminate : []),
    ],
  }
}

/** It is acted upon once for each time that it gets stuck. */
function judged(state: RunState, verdict: RunVerdict, isNews: boolean): RunStep {
  const { plan } = state
  const action = verdict.health.level === 'healthy' ? 'none' : state.action
  const isDue = plan.onStuck !== undefined && action === 'none' && mayAct(verdict, plan.actAt)
  return {
    state: { ...state, action: isDue ? 'due' : action },
    effects: [{ do: 'publish', verdict, isNews }, ...(isDue ? [{ do: 'judge_again' } as const] : [])],
  }
}

/** Decided on the verdict of this moment. */
function actUpon(state: RunState, verdict: RunVerdict | undefined): RunStep {
  const { plan, phase, isActedOn } = state
  const { onStuck } = plan
  if (phase !== 'running' || !onStuck || !verdict || !mayAct(verdict, plan.actAt))
    return { state: { ...state, action: 'none' }, effects: [] }
  return {
    state: { ...state, action: 'done', isActedOn: isActedOn || onStuck.type === 'term' },
    effects: effectsOf(onStuck, verdict),
  }
}

function effectsOf(onStuck: OnStuck, verdict: RunVerdict): readonly RunEffect[] {
  switch (onStuck.type) {
    case 'notify':
      return [{ do: 'start_program', program: onStuck, verdict }]
    case 'exec':
      return [
        notice(`it is stuck, so this is run: ${onStuck.command}`),
        { do: 'start_program', program: onStuck, verdict },
      ]
    case 'term':
      return [
        notice(`it is stuck (${verdict.reason}), so it is sent SIGTERM, as --on-stuck term asks`),
        ...terminate,
      ]
  }
}
