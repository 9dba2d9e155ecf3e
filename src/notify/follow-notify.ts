/** Follows the sessions of a host, sends notifications, and keeps them in the history. */
import { randomUUID } from 'node:crypto'
import type { Clock } from '../core/clock.ts'
import { isLullError } from '../core/lull-error.ts'
import { type History, openHistory } from '../history/open-history.ts'
import { homeOf, type Places } from '../os/file/places.ts'
import { personNear } from '../sessions/person-near.ts'
import type { SessionSource } from '../sessions/session-source.ts'
import { deliver, type ShowNotice } from './deliver/deliver.ts'
import type { OfferAnswers } from './deliver/offered-answers.ts'
import { postTransition } from './deliver/post-transition.ts'
import { keepNote, keepQueueNote, sentBefore } from './notify-history.ts'
import { type NotifyNote, type NotifyRunnerPorts, runNotify } from './notify-runner.ts'
import type { NotifyRules } from './rules/notify-fields.ts'
import type { QueueNote } from './transitions/run-queue.ts'
import { runTransitions } from './transitions/run-transitions.ts'

export type FollowNotifyOptions = {
  readonly env: NodeJS.ProcessEnv
  readonly places: Places
  readonly sessions: SessionSource
  readonly clock: Clock
  /** Called with a sentence for each problem. */
  readonly complain: (sentence: string) => void
  readonly offer?: OfferAnswers
  readonly show?: ShowNotice
  /** For tests. */
  readonly ports?: Partial<NotifyRunnerPorts>
  readonly postTransition?: typeof postTransition
}

export type FollowedNotify = {
  rules(rules: NotifyRules): void
  /** The history has more. */
  kept(): void
  close(): Promise<void>
}

export async function followNotify(
  rules: NotifyRules,
  options: FollowNotifyOptions,
): Promise<FollowedNotify> {
  const {
    env,
    places,
    sessions,
    clock,
    complain,
    offer,
    show,
    ports,
    postTransition: post = postTransition,
  } = options
  const history = historyOf(places, complain)
  const failures = failuresOnce(complain)
  const runner = runNotify(rules, {
    clock,
    home: homeOf(env),
    run: randomUUID().slice(0, 8),
    sent: history.sent(clock),
    minute: () => {
      const now = new Date(clock.wall())
      return now.getHours() * 60 + now.getMinutes()
    },
    deliver: (to, message, { ref, ...around }) => deliver(to, message, { env, offer, show, ...around }, ref),
    personNear,
    note(note) {
      failures.note(note)
      history.keep(note, clock.wall())
    },
    ...ports,
  })
  const transitions = runTransitions(rules.transitions, {
    places,
    clock,
    complain,
    send: (to, transition, around) => post(to, transition, { env, wall: clock.wall(), ...around }),
    note(note) {
      if (note.what === 'failed') complain(`${note.to} does not get transitions: ${note.why}`)
      history.keepQueue(note, clock.wall())
    },
  })
  const changes = await sessions.changes()
  const read = async (): Promise<void> => {
    for await (const change of changes) runner.change(change)
  }
  const done = read().catch(error => complain(`notifications: ${(error as Error).message}`))
  return {
    rules(next) {
      runner.rules(next)
      transitions.change(next.transitions)
    },
    kept: transitions.kept,
    async close() {
      await changes.return?.()
      await Promise.all([done, runner.close(), transitions.close()])
      history.close()
    },
  }
}

/** Reports an unreachable destination once, until a message arrives. The history holds each message. */
export function failuresOnce(complain: (sentence: string) => void) {
  const reported = new Map<string, string>()
  return {
    note({ what, message: { to }, why = 'no reason is known' }: NotifyNote): void {
      if (what === 'sent') reported.delete(to)
      if (what !== 'failed' || reported.get(to) === why) return
      reported.set(to, why)
      complain(`${to} was not notified: ${why}`)
    },
  }
}

/** A failed write is reported once, and stops no notification. */
function historyOf(places: Places, complain: (sentence: string) => void) {
  let isReported = false
  const say = (why: string | undefined): void => {
    if (why !== undefined && !isReported) complain(`the history does not keep what was sent: ${why}`)
    isReported ||= why !== undefined
  }
  function safely<T>(act: () => T): T | undefined {
    try {
      return act()
    } catch (error) {
      if (!isLullError(error)) throw error
      say(error.message)
      return undefined
    }
  }
  const history: History | undefined = safely(() => openHistory(places))
  return {
    sent: (clock: Clock) => (history && safely(() => sentBefore(history, clock.wall(), clock.now()))) ?? [],
    keep: (note: Parameters<typeof keepNote>[1], wall: number) =>
      say(history && keepNote(history, note, wall)),
    keepQueue: (note: QueueNote, wall: number) => say(history && keepQueueNote(history, note, wall)),
    close: () => history?.close(),
  }
}
