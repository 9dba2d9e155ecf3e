/**
 * What respawn tries: a step is typed, keys are pressed, an agent is started again, a dialog is answered. Each looks at the session
 * anew, whatever was decided, and presses nothing once it is called off.
 */
import type { Clock } from '../core/clock.ts'
import { isLullError } from '../core/lull-error.ts'
import type { Terminal } from '../drive/open-terminal.ts'
import { hasCrashed } from '../sessions/crashed.ts'
import type { LiveSession } from '../sessions/session-source.ts'
import { acceptDialog } from './accept/accept-dialog.ts'
import type { AcceptRule, Uses } from './accept/accept-fields.ts'
import { type LeftOver, typeStep } from './carry-out.ts'
import type { Judgement } from './judge/judge-driver.ts'
import type { RespawnPlan } from './plan/plan.ts'
import type { RespawnEvent } from './respawn-events.ts'
import type { ActResult, Sighting, StopWhy } from './step/respawn-state.ts'
export type RunnerPorts = {
  readonly clock: Clock
  readonly rules: readonly AcceptRule[]
  /** Where the plan's files lie. */
  readonly folder: string
  readonly isDry: boolean
  /** All sessions now. */
  sessions(): Promise<readonly LiveSession[]>
  terminal(session: LiveSession): Promise<Terminal>
  /** Where the session is, or was, whatever has the terminal now. */
  place(session: LiveSession): Promise<Terminal>
  /** When a person last pressed a key there, ms since the epoch. */
  personAt(session: LiveSession): Promise<number | undefined>
  judge?(session: LiveSession, signal: AbortSignal): Promise<Judgement | undefined>
  /** Whether its screen shows a plan. */
  judgePlan?(session: LiveSession, signal: AbortSignal): Promise<Judgement<'plan'> | undefined>
  /** It keeps this session going from now on. @throws {LullError} where another one does */
  moved(to: LiveSession): Promise<void>
  emit(event: RespawnEvent, why: string, text?: string): void
  stopped(why: StopWhy): void
  /** What no rule of lull's foresaw. */
  failed(error: unknown): void
}

/** The session that is kept going, as its runner sees it. */
export type AttemptedSession = {
  session(): LiveSession
  seenOf(live: LiveSession): Sighting
  /** A sentence where a person is at its terminal. */
  person(live: LiveSession): Promise<string | undefined>
  /** Another one is kept going from now on: the agent was started again. */
  becomes(session: LiveSession): void
}

export type Attempts = {
  type(step: number, isByJudge: boolean, signal: AbortSignal): Promise<ActResult>
  press(keys: readonly string[], signal: AbortSignal): Promise<ActResult>
  start(command: string, after: number, signal: AbortSignal): Promise<ActResult>
  /** @returns undefined where a person has to answer */
  accept(signal: AbortSignal): Promise<{ readonly why: string; readonly text: string } | undefined>
  /** What was typed last. */
  typed(): string
}

export function attemptsOf(plan: RespawnPlan, ports: RunnerPorts, kept: AttemptedSession): Attempts {
  const begun = ports.clock.now()
  let uses: Uses = {}
  let left: LeftOver = { isOurs: false, text: '' }
  let typed = ''

  const now = async (): Promise<LiveSession | undefined> =>
    (await ports.sessions()).find(({ id }) => id === kept.session().id)

  return {
    typed: () => typed,
    async type(at, isByJudge, signal) {
      const planned = plan.steps[at]
      if (!planned) return { is: 'failed', why: `there is no step ${at + 1}` }
      const { isLeftOver = false, ...result } = await typeStep(plan, planned, isByJudge, left, {
        session: now,
        terminal: ports.terminal,
        sighting: kept.seenOf,
        now: ports.clock.now,
        person: kept.person,
        typing: text => {
          typed = text
          if (ports.isDry) ports.emit({ type: 'would_send', step: at, text }, kept.seenOf(kept.session()).why)
        },
        folder: ports.folder,
        isDry: ports.isDry,
        signal,
      })
      left = { text: typed, isOurs: isLeftOver || (left.isOurs && result.is !== 'sent') }
      return result
    },
    async press(keys, signal) {
      if (ports.isDry) return { is: 'passed', why: 'a dry run presses nothing' }
      const live = await now()
      if (!live) return { is: 'gone', why: 'there is no such session any more' }
      if (kept.seenOf(live).stuckSince === undefined) return { is: 'refused', why: 'it is stuck no more' }
      try {
        await using terminal = await ports.terminal(live)
        await terminal.keys(keys, { signal })
        return { is: 'sent' }
      } catch (error) {
        return { is: 'failed', why: (error as Error).message }
      }
    },
    async start(command, after, signal) {
      if (ports.isDry) return { is: 'passed', why: 'a dry run starts nothing' }
      const { result, started } = await relaunch(kept.session(), command, after, ports, signal)
      if (!started) return result
      try {
        await ports.moved(started)
      } catch (error) {
        if (!isLullError(error)) throw error
        return { is: 'gone', why: error.message }
      }
      kept.becomes(started)
      return result
    },
    async accept(signal) {
      const live = await now()
      if (!live || ports.isDry) return undefined
      await using terminal = await ports.terminal(live)
      const result = await acceptDialog(
        { rules: ports.rules, uses, begun, now: ports.clock.now() },
        now,
        terminal,
        signal,
        ports.judgePlan && (() => ports.judgePlan?.(live, signal)),
      )
      if (result.is === 'left') {
        ports.emit({ type: 'left' }, result.why)
        return undefined
      }
      uses = { ...uses, [result.rule]: (uses[result.rule] ?? 0) + 1 }
      return { why: result.why, text: result.text }
    },
  }
}

type RelaunchPorts = {
  readonly clock: Clock
  sessions(): Promise<readonly LiveSession[]>
  place(session: LiveSession): Promise<Terminal>
}

/** An agent that was started shows up within this time, or it failed: ms. */
const startMs = 60_000
const againMs = 250

/** @param after ms: a crash that comes again and again is not answered at once */
export async function relaunch(
  before: LiveSession,
  command: string,
  after: number,
  { clock, sessions, place }: RelaunchPorts,
  signal: AbortSignal,
): Promise<{ readonly result: ActResult; readonly started?: LiveSession }> {
  await until(clock, clock.now() + after, signal)
  if (signal.aborted) return { result: { is: 'failed', why: 'called off' } }
  // A hook may tell of its end after its process is gone.
  const now = (await sessions()).find(({ id }) => id === before.id)
  if (now && !hasCrashed(now))
    return { result: { is: 'gone', why: 'it ended of itself, as it reported by now' } }
  try {
    await using terminal = await place(before)
    // Whoever started it by hand in the meantime would get the line as a prompt.
    const unless = (now: LiveSession | undefined) => now && `${now.agent} ${now.id} has the terminal`
    await terminal.send(command, { signal, unless })
  } catch (error) {
    if (!isLullError(error)) throw error
    return { result: { is: 'failed', why: error.message } }
  }
  for (const end = clock.now() + startMs; clock.now() < end && !signal.aborted; ) {
    const started = (await sessions()).find(one => isInPlaceOf(one, before))
    if (started) return { result: { is: 'sent' }, started }
    await until(clock, clock.now() + againMs, signal)
  }
  return { result: { is: 'failed', why: `no agent showed up within ${startMs / 1000} s` } }
}

const isInPlaceOf = (one: LiveSession, { id, tmux, pane, terminal, agent }: LiveSession): boolean =>
  one.id !== id &&
  one.agent === agent &&
  one.session.verdict.state.kind !== 'exited' &&
  (terminal === undefined ? one.tmux === tmux && one.pane === pane : one.terminal === terminal)

const until = (clock: Clock, at: number, signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal.aborted) return resolve()
    const timer = clock.at(at, resolve)
    signal.addEventListener(
      'abort',
      () => {
        timer.cancel()
        resolve()
      },
      { once: true },
    )
  })
