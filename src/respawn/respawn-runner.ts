/**
 * Carries out the effects of respawn's step and feeds it the results. Whatever it awaits, what is called off in the meantime is
 * pressed no more, and its result is dropped.
 */

import type { Clock, Timer } from '../core/clock.ts'
import { oneByOne } from '../core/one-by-one.ts'
import { zoneAt } from '../loop/time-zone.ts'
import type { LiveChange, LiveSession } from '../sessions/session-source.ts'
import type { RunnerPorts } from './attempts.ts'
import { type Attempts, attemptsOf } from './attempts.ts'
import type { RespawnPlan, StepAct } from './plan/plan.ts'
import type { RespawnEvent } from './respawn-events.ts'
import { sightingOf } from './sighting.ts'
import type { ActResult, RespawnEffect, RespawnInput, RespawnState, Sighting } from './step/respawn-state.ts'
import { newRespawn, step } from './step/respawn-step.ts'
import { type PersonWatch, watchPerson } from './watch-person.ts'

export type Runner = {
  begin(): void
  change(change: LiveChange): void
  control(what: 'pause' | 'resume' | 'skip' | 'stop'): void
  state(): RespawnState
  session(): LiveSession
  /** Resolves once nothing of it runs any more. */
  settled(): Promise<void>
}

export function runRespawn(plan: RespawnPlan, first: LiveSession, ports: RunnerPorts): Runner {
  const { clock } = ports
  let session = first

  function seenOf(live: LiveSession): Sighting {
    const wall = clock.wall()
    return sightingOf(live, { now: clock.now(), wall, zone: zoneAt(wall) }, plan.ignoresBackground)
  }

  const player = stepPlayer(clock, newRespawn(plan, seenOf(first), clock.now()), effect =>
    carryOut(effect, hands),
  )
  const work = abortableWork(error => ports.failed(error))
  const person = watchPerson(
    ports,
    plan.timers.person,
    () => session,
    question => work.begin(question),
    () => player.feed({ type: 'person', why: 'a person types there' }),
  )
  const attempts = attemptsOf(plan, ports, {
    session: () => session,
    seenOf,
    person: person.near,
    becomes: started => {
      session = started
    },
  })
  const hands: Hands = { plan, ports, player, work, person, attempts, session: () => session, seenOf }

  return {
    begin() {
      player.feed({ type: 'seen', seen: seenOf(session) })
      if (player.state().phase !== 'stopped') person.begin()
    },
    change(change) {
      const live = changed(change, session)
      if (live === undefined) return
      if (live === 'gone')
        player.feed({ type: 'seen', seen: { ...player.state().seen, is: 'exited', why: 'it is gone' } })
      else {
        session = live
        player.feed({ type: 'seen', seen: seenOf(live) })
      }
    },
    control: what => player.feed({ type: what }),
    state: player.state,
    session: () => session,
    settled: work.settled,
  }
}

/** All by which effects are carried out. */
type Hands = {
  readonly plan: RespawnPlan
  readonly ports: RunnerPorts
  readonly player: StepPlayer
  readonly work: AbortableWork
  readonly person: PersonWatch
  readonly attempts: Attempts
  session(): LiveSession
  seenOf(live: LiveSession): Sighting
}

function carryOut(effect: OwnEffect, hands: Hands): void {
  const { ports, player, work, attempts } = hands
  const attempt = (act: (signal: AbortSignal) => Promise<ActResult>, name: number): void =>
    work.begin(async signal => player.feed({ type: 'acted', attempt: name, result: await act(signal) }))
  switch (effect.do) {
    case 'tell':
      tell(effect.event, effect.why, hands)
      break
    case 'act':
      attempt(signal => attempts.type(effect.step, effect.isByJudge, signal), effect.attempt)
      break
    case 'recover':
      attempt(signal => attempts.press(effect.keys, signal), effect.attempt)
      break
    case 'relaunch':
      attempt(signal => attempts.start(effect.command, effect.after, signal), effect.attempt)
      break
    case 'judge':
      work.begin(async signal => {
        const judgement = await ports.judge?.(hands.session(), signal)
        if (judgement) player.feed({ type: 'judged', attempt: effect.attempt, ...judgement })
      })
      break
    case 'accept':
      if (ports.rules.length === 0) break
      work.begin(async signal => {
        const accepted = await attempts.accept(signal)
        if (accepted) player.feed({ type: 'accepted', ...accepted })
      })
      break
    case 'abandon':
      work.abandon()
      break
    case 'stop':
      work.abandon()
      hands.person.end()
      ports.stopped(effect.why)
      break
  }
}

/** The evidence as it is by now: a step is typed a while after its agent became idle. */
function tell(event: RespawnEvent, why: string, { plan, ports, player, attempts, ...hands }: Hands): void {
  const isOfNow = why === player.state().seen.why && event.type !== 'turn_ended'
  const now = isOfNow ? hands.seenOf(hands.session()).why : why
  ports.emit(event, now, textFor(event, plan, attempts.typed()))
}

/** What is about to be typed, as the plan has it; and what was typed, where the plan does not say it. */
function textFor(event: RespawnEvent, plan: RespawnPlan, typed: string): string | undefined {
  if (event.type !== 'sending' && event.type !== 'sent') return undefined
  const act = plan.steps[event.step]?.act
  if (event.type === 'sending') return act && textIn(act)
  return act?.do === 'file' || act?.do === 'output' ? typed : undefined
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

/** What a runner has under way: called off together, and waited for together. */
type AbortableWork = {
  begin(act: (signal: AbortSignal) => Promise<void>): void
  /** What has begun by now is not wanted any more. */
  abandon(): void
  /** Resolves once nothing of it runs any more. */
  settled(): Promise<void>
}

/** @param failed called with an error that no rule foresaw */
function abortableWork(failed: (error: unknown) => void): AbortableWork {
  let hand = new AbortController()
  const running = new Set<Promise<unknown>>()
  return {
    begin(act) {
      const { signal } = hand
      const doing = act(signal).catch(failed)
      running.add(doing)
      void doing.finally(() => running.delete(doing))
    },
    abandon() {
      hand.abort()
      hand = new AbortController()
    },
    async settled() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

/** What a step types, in the words of its plan. */
function textIn(act: StepAct): string {
  switch (act.do) {
    case 'prompt':
    case 'command':
      return act.text
    case 'keys':
      return act.keys.join(' ')
    case 'file':
      return `(what ${act.path} holds)`
    case 'output':
      return `(what ${act.command} prints)`
  }
}

type Happened = RespawnInput extends infer Each
  ? Each extends RespawnInput
    ? Omit<Each, 'now' | 'wall'>
    : never
  : never

/** All but the timer, which is the player's own. */
type OwnEffect = Exclude<RespawnEffect, { readonly do: 'timer' }>

type StepPlayer = { state(): RespawnState; feed(what: Happened): void }

function stepPlayer(clock: Clock, first: RespawnState, carryOut: (effect: OwnEffect) => void): StepPlayer {
  let state = first
  let timer: Timer | undefined

  const take = oneByOne<RespawnInput>(input => {
    const next = step(state, input)
    state = next.state
    timer?.cancel()
    for (const effect of next.effects)
      if (effect.do === 'timer') timer = clock.at(effect.at, () => feed({ type: 'time' }))
      else carryOut(effect)
  })

  /** Whole ms, and never before a timer's instant. */
  const feed = (what: Happened): void =>
    take({ ...what, now: Math.ceil(clock.now()), wall: clock.wall() } as RespawnInput)

  return { state: () => state, feed }
}
