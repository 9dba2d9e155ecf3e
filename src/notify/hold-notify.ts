/** Notifications as the host holds them: as long as there are rules, by the rules as they stand now. */
import { statSync } from 'node:fs'
import type { Timer } from '../core/clock.ts'
import { attempt } from '../os/attempt.ts'
import { nextBeat } from '../track/clock.ts'
import type { FollowedNotify, FollowNotifyOptions } from './follow-notify.ts'
import { notifyFile } from './rules/read-rules.ts'

export type HeldNotify = {
  /** Some notices go to the open pages of `lull serve`, by the rules as they stand. */
  sendsToPages(): boolean
  /** The history has more. */
  kept(): void
  close(): Promise<void>
}

/** The file is looked for so often: a stat costs a few µs, and finds what a watch of a missing folder would not. ms */
const lookMs = 1000

export function holdNotify(options: FollowNotifyOptions): HeldNotify {
  const { env, clock, complain } = options
  let running: FollowedNotify | undefined
  let toPages = false
  let stamp: string | undefined
  let timer: Timer
  let last = Promise.resolve()

  /** Mistakes in the file are reported once. The rules before them stay. */
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
    const [{ readNotifyFile }, { followNotify }, { sendsToPages }] = await parts()
    const file = readNotifyFile(env)
    if (!file) {
      await running?.close()
      running = undefined
      toPages = false
    } else if ('mistakes' in file) {
      complain(`${file.mistakes.join('; ')}${running ? '; the rules before hold' : '; nothing is sent'}`)
    } else if (running) running.rules(file.rules)
    else running = await followNotify(file.rules, options)
    if (file && 'rules' in file) toPages = sendsToPages(file.rules)
  }

  function lookAgain(): void {
    last = last.then(look).catch(error => complain(`notifications: ${(error as Error).message}`))
    timer = clock.at(nextBeat(clock.now(), lookMs), lookAgain)
  }
  lookAgain()

  return {
    sendsToPages: () => toPages,
    kept: () => running?.kept(),
    async close() {
      timer.cancel()
      await last
      await running?.close()
    },
  }
}

/** Loaded only once there are rules. */
const parts = () =>
  Promise.all([
    import('./rules/read-rules.ts'),
    import('./follow-notify.ts'),
    import('./rules/notify-fields.ts'),
  ])

const stampOf = (file: string): string | undefined => {
  const stat = attempt(() => statSync(file, { throwIfNoEntry: false, bigint: true }))
  return stat && `${stat.ino},${stat.size},${stat.mtimeNs},${stat.ctimeNs}`
}
