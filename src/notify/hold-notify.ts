/** Notifications as the host holds them: as long as there are rules, by the rules as they stand now. */
import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import type { Clock, Timer } from '../core/clock.ts'
import { isLullError } from '../core/lull-error.ts'
import { type History, openHistory } from '../history/open-history.ts'
import { attempt } from '../os/attempt.ts'
import { homeOf, type Places } from '../os/file/places.ts'
import { personAt } from '../respawn/person-near.ts'
import type { SessionSource } from '../sessions/session-source.ts'
import { deliver } from './deliver/deliver.ts'
import { type NotifyRunner, type NotifyRunnerPorts, runNotify } from './notify-runner.ts'
import { notifyFile } from './rules/notify-place.ts'
import type { NotifyRules } from './rules/notify-rules.ts'
import { readNotifyFile } from './rules/read-rules.ts'
import { keepNote, toldBefore } from './told.ts'

export type HoldNotifyOptions = {
  readonly env: NodeJS.ProcessEnv
  readonly places: Places
  readonly sessions: SessionSource
  readonly clock: Clock
  /** Told of what is wrong, in sentences. */
  readonly complain: (sentence: string) => void
  /** For tests. */
  readonly ports?: Partial<NotifyRunnerPorts>
}

export type HeldNotify = { close(): Promise<void> }

/** The file is looked for so often: a stat costs a few µs, and finds what a watch of a missing folder would not. ms */
const lookMs = 1000

export function holdNotify(options: HoldNotifyOptions): HeldNotify {
  const { env, clock, complain } = options
  let running: Following | undefined
  let stamp: string | undefined
  let timer: Timer
  let last = Promise.resolve()

  /** What is wrong in the file is told once; the rules before it hold. */
  async function look(): Promise<void> {
    const now = stampOf(notifyFile(env))
    if (now === stamp) return
    const before = stamp
    stamp = now
    await read().catch(error => {
      // The next look tries again.
      stamp = before
      throw error
    })
  }

  async function read(): Promise<void> {
    const file = readNotifyFile(env)
    if (!file) {
      await running?.close()
      running = undefined
    } else if ('mistakes' in file) {
      complain(`${file.mistakes.join('; ')}${running ? '; the rules before hold' : '; nobody is told'}`)
    } else if (running) running.runner.rules(file.rules)
    else running = await follow(file.rules, options)
  }

  function lookAgain(): void {
    last = last.then(look).catch(error => complain(`notifications: ${(error as Error).message}`))
    timer = clock.at(clock.now() + lookMs, lookAgain)
  }
  lookAgain()

  return {
    async close() {
      timer.cancel()
      await last
      await running?.close()
    },
  }
}

const stampOf = (file: string): string | undefined => {
  const stat = attempt(() => statSync(file, { throwIfNoEntry: false, bigint: true }))
  return stat && `${stat.ino},${stat.size},${stat.mtimeNs},${stat.ctimeNs}`
}

type Following = { readonly runner: NotifyRunner; close(): Promise<void> }

async function follow(rules: NotifyRules, options: HoldNotifyOptions): Promise<Following> {
  const { env, places, sessions, clock, complain, ports } = options
  const history = historyOf(places, complain)
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
    personAt,
    note(note) {
      if (note.what === 'failed')
        complain(`${note.message.to} was not told: ${note.why ?? 'no reason is known'}`)
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
