/**
 * Carries out the effects of respawn's step and feeds it the results. Whatever it awaits, what is called off in the meantime is
 * pressed no more, and its result is dropped.
 */
import type { Clock, Timer } from '../core/clock.ts'
import { isLullError } from '../core/lull-error.ts'
import type { Terminal } from '../drive/open-terminal.ts'
import { zoneAt } from '../loop/time-zone.ts'
import type { LiveChange, LiveSession } from '../sessions/session-source.ts'
import { type AcceptResult, acceptDialog } from './accept/accept-dialog.ts'
import type { AcceptRule } from './accept/accept-fields.ts'
import type { Uses } from './accept/accept-step.ts'
import { type LeftOver, typeStep } from './carry-out.ts'
import type { Judgement } from './judge/judge-driver.ts'
import type { RespawnPlan } from './plan/plan.ts'
import { textIn } from './plan/step-text.ts'
import { relaunch } from './relaunch.ts'
import type { RespawnEvent } from './respawn-events.ts'
import { sightingOf } from './sighting.ts'
import type {
  ActResult,
  RespawnEffect,
  RespawnInput,
  RespawnState,
  Sighting,
  StopWhy,
} from './step/respawn-state.ts'
import { newRespawn, step } from './step/respawn-step.ts'

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

export type Runner = {
  begin(): void
  change(change: LiveChange): void
  control(what: 'pause' | 'resume' | 'skip' | 'stop'): void
  state(): RespawnState
  session(): LiveSession
  /** Resolves once nothing of it runs any more. */
  settled(): Promise<void>
}

type Happened = RespawnInput extends infer Each
  ? Each extends RespawnInput
    ? Omit<Each, 'now' | 'wall'>
    : never
  : never

/** Whether a person is at the terminal is asked so often: ms. */
const personEveryMs = 2000

export function runRespawn(plan: RespawnPlan, first: LiveSession, ports: RunnerPorts): Runner {
  const { clock } = ports
  let session = first
  let state = newRespawn(plan, seenOf(first), clock.now())
  let timer: Timer | undefined
  let personTimer: Timer | undefined
  let hand = new AbortController()
  const begun = clock.now()
  let uses: Uses = {}
  let left: LeftOver = { isOurs: false, text: '' }
  let personSeen = -Infinity
  let typed = ''
  const running = new Set<Promise<unknown>>()
  const queue: RespawnInput[] = []
  let isBusy = false

  function seenOf(live: LiveSession): Sighting {
    const wall = clock.wall()
    return sightingOf(live, { now: clock.now(), wall, zone: zoneAt(wall) }, plan.ignoresBackground)
  }

  /** One after the other: what is done may come back at once. Whole ms, and never before a timer's instant. */
  function feed(what: Happened): void {
    queue.push({ ...what, now: Math.ceil(clock.now()), wall: clock.wall() } as RespawnInput)
    if (isBusy) return
    isBusy = true
    try {
      for (let input = queue.shift(); input; input = queue.shift()) {
        const next = step(state, input)
        state = next.state
        timer?.cancel()
        for (const effect of next.effects) carryOut(effect)
      }
    } finally {
      isBusy = false
    }
  }

  function carryOut(effect: RespawnEffect): void {
    switch (effect.do) {
      case 'tell':
        tell(effect.event, effect.why)
        break
      case 'act':
        work(async signal => acted(effect.attempt, await type(effect.step, effect.isByJudge, signal)))
        break
      case 'recover':
        work(async signal => acted(effect.attempt, await press(effect.keys, signal)))
        break
      case 'relaunch':
        work(async signal => acted(effect.attempt, await start(effect.command, effect.after, signal)))
        break
      case 'judge':
        work(async signal => {
          const judgement = await ports.judge?.(session, signal)
          if (judgement) feed({ type: 'judged', attempt: effect.attempt, ...judgement })
        })
        break
      case 'abandon':
        hand.abort()
        hand = new AbortController()
        break
      case 'accept':
        if (ports.rules.length > 0) work(accept)
        break
      case 'timer':
        timer = clock.at(effect.at, () => feed({ type: 'time' }))
        break
      case 'stop':
        hand.abort()
        personTimer?.cancel()
        ports.stopped(effect.why)
        break
    }
  }

  /** The evidence as it is by now: a step is typed a while after its agent became idle. */
  function tell(event: RespawnEvent, why: string): void {
    const now = why === state.seen.why && event.type !== 'turn_ended' ? seenOf(session).why : why
    ports.emit(event, now, textFor(event))
  }

  /** What is about to be typed, as the plan has it; and what was typed, where the plan does not say it. */
  function textFor(event: RespawnEvent): string | undefined {
    if (event.type !== 'sending' && event.type !== 'sent') return undefined
    const act = plan.steps[event.step]?.act
    if (event.type === 'sending') return act && textIn(act)
    return act?.do === 'file' || act?.do === 'output' ? typed : undefined
  }

  function work(act: (signal: AbortSignal) => Promise<void>): void {
    const { signal } = hand
    const doing = act(signal).catch(error => ports.failed(error))
    running.add(doing)
    void doing.finally(() => running.delete(doing))
  }

  const acted = (attempt: number, result: ActResult): void => feed({ type: 'acted', attempt, result })

  const now = async (): Promise<LiveSession | undefined> =>
    (await ports.sessions()).find(({ id }) => id === session.id)

  async function type(at: number, isByJudge: boolean, signal: AbortSignal): Promise<ActResult> {
    const planned = plan.steps[at]
    if (!planned) return { is: 'failed', why: `there is no step ${at + 1}` }
    const { isLeftOver = false, ...result } = await typeStep(plan, planned, isByJudge, left, {
      session: now,
      terminal: ports.terminal,
      sighting: seenOf,
      now: clock.now,
      person: personNear,
      typing: text => {
        typed = text
        if (ports.isDry) ports.emit({ type: 'would_send', step: at, text }, seenOf(session).why)
      },
      folder: ports.folder,
      isDry: ports.isDry,
      signal,
    })
    left = { text: typed, isOurs: isLeftOver || (left.isOurs && result.is !== 'sent') }
    return result
  }

  async function personNear(live: LiveSession): Promise<string | undefined> {
    const at = await ports.personAt(live)
    if (at === undefined || plan.timers.person <= 0) return undefined
    const ago = clock.wall() - at
    return ago < plan.timers.person ? `a person typed there ${Math.round(ago / 1000)} s ago` : undefined
  }

  async function press(keys: readonly string[], signal: AbortSignal): Promise<ActResult> {
    if (ports.isDry) return { is: 'passed', why: 'a dry run presses nothing' }
    const live = await now()
    if (!live) return { is: 'gone', why: 'there is no such session any more' }
    if (seenOf(live).stuckSince === undefined) return { is: 'refused', why: 'it is stuck no more' }
    try {
      await using terminal = await ports.terminal(live)
      await terminal.keys(keys, { signal })
      return { is: 'sent' }
    } catch (error) {
      return { is: 'failed', why: (error as Error).message }
    }
  }

  async function start(command: string, after: number, signal: AbortSignal): Promise<ActResult> {
    if (ports.isDry) return { is: 'passed', why: 'a dry run starts nothing' }
    const { result, started } = await relaunch(session, command, after, ports, signal)
    if (!started) return result
    try {
      await ports.moved(started)
    } catch (error) {
      if (!isLullError(error)) throw error
      return { is: 'gone', why: error.message }
    }
    session = started
    return result
  }

  async function accept(signal: AbortSignal): Promise<void> {
    const live = await now()
    if (!live || ports.isDry) return
    await using terminal = await ports.terminal(live)
    const times = { begun, now: clock.now() }
    const result: AcceptResult = await acceptDialog(
      { rules: ports.rules, uses, ...times },
      now,
      terminal,
      signal,
      ports.judgePlan && (() => ports.judgePlan?.(live, signal)),
    )
    if (result.is === 'left') {
      ports.emit({ type: 'left' }, result.why)
      return
    }
    uses = { ...uses, [result.rule]: (uses[result.rule] ?? 0) + 1 }
    feed({ type: 'accepted', why: result.why, text: result.text })
  }

  function watchPerson(): void {
    personTimer = clock.at(clock.now() + personEveryMs, () => {
      work(async () => {
        const at = await ports.personAt(session)
        if (at === undefined || at <= personSeen) return
        const isNews = clock.wall() - at < plan.timers.person
        personSeen = at
        if (isNews) feed({ type: 'person', why: 'a person types there' })
      })
      if (state.phase !== 'stopped') watchPerson()
    })
  }

  return {
    begin() {
      feed({ type: 'seen', seen: seenOf(session) })
      watchPerson()
    },
    change(change) {
      const live = changed(change, session)
      if (live === undefined) return
      if (live === 'gone') feed({ type: 'seen', seen: { ...state.seen, is: 'exited', why: 'it is gone' } })
      else {
        session = live
        feed({ type: 'seen', seen: seenOf(live) })
      }
    },
    control: what => feed({ type: what }),
    state: () => state,
    session: () => session,
    settled: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

function changed(change: LiveChange, { id }: LiveSession): LiveSession | 'gone' | undefined {
  switch (change.type) {
    case 'snapshot':
      return change.sessions.find(session => session.id === id) ?? 'gone'
    case 'changed':
      return change.session.id === id ? change.session : undefined
    case 'gone':
      return change.id === id ? 'gone' : undefined
  }
}
