/** The sessions of a host, those who are to be told of them, and the history that keeps it. */
import { randomUUID } from 'node:crypto'
import type { Clock } from '../core/clock.ts'
import { isLullError } from '../core/lull-error.ts'
import { type History, openHistory } from '../history/open-history.ts'
import { homeOf, type Places } from '../os/file/places.ts'
import { personNear } from '../sessions/person-near.ts'
import type { SessionSource } from '../sessions/session-source.ts'
import { deliver } from './deliver/deliver.ts'
import { keepNote, toldBefore } from './notify-history.ts'
import { type NotifyNote, type NotifyRunner, type NotifyRunnerPorts, runNotify } from './notify-runner.ts'
import type { NotifyRules } from './rules/notify-fields.ts'

export type FollowNotifyOptions = {
  readonly env: NodeJS.ProcessEnv
  readonly places: Places
  readonly sessions: SessionSource
  readonly clock: Clock
  /** Told of what is wrong, in sentences. */
  readonly complain: (sentence: string) => void
  /** For tests. */
  readonly ports?: Partial<NotifyRunnerPorts>
}

export type FollowedNotify = { readonly runner: NotifyRunner; close(): Promise<void> }

export async function followNotify(
  rules: NotifyRules,
  options: FollowNotifyOptions,
): Promise<FollowedNotify> {
  const { env, places, sessions, clock, complain, ports } = options
  const history = historyOf(places, complain)
  const failures = failuresOnce(complain)
  const runner = runNotify(rules, {
    clock,
    home: homeOf(env),
    run: randomUUID().slice(0, 8),
    told: history.told(clock),
    minute: () => {
      const now = new Date(clock.wall())
      return now.getHours() * 60 + now.getMinutes()
    },
    deliver: (to, message, { ref, ...around }) => deliver(to, message, { env, ...around }, ref),
    personNear,
    note(note) {
      failures.note(note)
      history.keep(note, clock.wall())
    },
    ...ports,
  })
  const changes = await sessions.changes()
  const read = async (): Promise<void> => {
    for await (const change of changes) runner.change(change)
  }
  const done = read().catch(error => complain(`notifications: ${(error as Error).message}`))
  return {
    runner,
    async close() {
      await changes.return?.()
      await Promise.all([done, runner.close()])
      history.close()
    },
  }
}

/** Who can't be reached is said of once, until they were: each of the messages stands in the history. */
export function failuresOnce(complain: (sentence: string) => void) {
  const said = new Map<string, string>()
  return {
    note({ what, message: { to }, why = 'no reason is known' }: NotifyNote): void {
      if (what === 'sent') said.delete(to)
      if (what !== 'failed' || said.get(to) === why) return
      said.set(to, why)
      complain(`${to} was not told: ${why}`)
    },
  }
}

/** What can't be kept is said once, and keeps nothing from being told. */
function historyOf(places: Places, complain: (sentence: string) => void) {
  let isTold = false
  const say = (why: string | undefined): void => {
    if (why !== undefined && !isTold) complain(`the history does not keep what was told: ${why}`)
    isTold ||= why !== undefined
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
    told: (clock: Clock) => (history && safely(() => toldBefore(history, clock.wall(), clock.now()))) ?? [],
    keep: (note: Parameters<typeof keepNote>[1], wall: number) =>
      say(history && keepNote(history, note, wall)),
    close: () => history?.close(),
  }
}
