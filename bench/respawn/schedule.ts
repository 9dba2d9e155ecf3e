/** One run of respawn's step along a recording: other timers, delays and a person's words each time; what it sent, and when. */
import { heldIn, type RespawnPlan, usualTimers } from '../../src/respawn/plan/plan.ts'
import type { RespawnInput } from '../../src/respawn/step/respawn-state.ts'
import { newRespawn, step } from '../../src/respawn/step/respawn-step.ts'
import { beforeEnter, isStillIdle } from '../../src/respawn/step/step-turn.ts'
import type { Seen } from './timelines.ts'

export type Schedule = {
  readonly settled: 500 | 3000
  /** When it begins, ms. */
  readonly from: number
  /** From a step to its Enter, one after the other, ms. */
  readonly typing: readonly number[]
  /** What a person tells it. */
  readonly words: readonly { readonly at: number; readonly what: 'pause' | 'resume' | 'stop' | 'skip' }[]
}

export type Send = {
  /** When it was decided, and when Enter was pressed: ms. */
  readonly decided: number
  readonly at: number
  /** Stopped or paused by then. */
  readonly isCalledOff: boolean
}

const planOf = ({ settled }: Schedule): RespawnPlan => ({
  name: 'bench',
  steps: [{ act: { do: 'prompt', text: 'go on' } }],
  ignoresBackground: false,
  recover: [],
  hasJudge: false,
  hasRules: false,
  timers: { ...heldIn(usualTimers, settled), person: 0 },
})

/** @param seenAfter what is seen along the recording once Enter was pressed at these times, ms */
export function play(
  seenAfter: (entered: readonly number[]) => readonly Seen[],
  schedule: Schedule,
  end: number,
): readonly Send[] {
  const { from, words } = schedule
  const at = (time: number) => seenAfter([]).findLast(one => one.at <= time)?.seen ?? unknown
  let state = newRespawn(planOf(schedule), at(from), from)
  let timer = Infinity
  let typing:
    | { readonly attempt: number; readonly decided: number; readonly turn: number; readonly at: number }
    | undefined
  let typed = 0
  const sends: Send[] = []
  let seen = seenAfter([]).filter(one => one.at > from)
  let [nextSeen, nextWord] = [0, 0]

  function feed(now: number, what: object): void {
    const next = step(state, { ...what, now, wall: now } as RespawnInput)
    state = next.state
    timer = Infinity
    for (const effect of next.effects) {
      if (effect.do === 'timer') timer = effect.at
      if (effect.do === 'abandon') typing = undefined
      if (effect.do !== 'act') continue
      const delay = schedule.typing[typed++ % schedule.typing.length] ?? 0
      typing = { attempt: effect.attempt, decided: now, turn: state.seen.turn, at: now + delay }
    }
  }

  feed(from, { type: 'seen', seen: at(from) })
  for (;;) {
    const times = [timer, typing?.at, seen[nextSeen]?.at, words[nextWord]?.at].map(time => time ?? Infinity)
    const now = Math.min(...times)
    if (!(now < end)) return sends
    if (now === seen[nextSeen]?.at) feed(now, { type: 'seen', seen: seen[nextSeen++]?.seen })
    else if (now === words[nextWord]?.at) feed(now, { type: words[nextWord++]?.what })
    else if (typing && now === typing.at) {
      const { attempt, decided, turn } = typing
      typing = undefined
      // As the runner: what is seen right before Enter decides.
      const isIdle = isStillIdle(state.seen, { at: decided, turn })
      const isCalledOff = state.phase !== 'sending'
      if (isIdle) {
        sends.push({ decided, at: now, isCalledOff })
        seen = seenAfter(sends.map(send => send.at)).filter(one => one.at >= now)
        nextSeen = 0
      }
      feed(now, {
        type: 'acted',
        attempt,
        result: isIdle
          ? { is: 'sent', before: { ...beforeEnter(now, state.seen), text: 'go on' } }
          : { is: 'refused', why: 'it is not idle any more' },
      })
    } else feed(now, { type: 'time' })
    // A person who broke a turn off, and comes back to it.
    if (state.phase === 'paused' && state.pause === 'interrupted') feed(now, { type: 'resume' })
  }
}

const unknown = { is: 'unknown', since: 0, turn: 0, why: '' } as const
