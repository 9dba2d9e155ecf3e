/** What this process had open before it made anything of its own: that was handed down to it, what it makes later was not. */
import { readText } from '../../os/proc/proc-file.ts'
import { readDescriptors } from './holders.ts'
import { readTimers } from './kernel-timers.ts'

export type Started = {
  readonly files: ReadonlySet<string>
  /** Interval timers that were set by then: none of them is a younger program's. */
  readonly timers: ReadonlySet<number>
  /** When that was, in ticks since boot. */
  readonly ticks: number
}

let started: Started | undefined

/** Read once, at the first call: whoever starts a program that is to be judged calls it before. */
export const startedWith = (): Started =>
  (started ??= {
    files: new Set(readDescriptors(process.pid).links.values()),
    timers: new Set(readTimers()?.interval),
    ticks: Number(readText('/proc/uptime').split(' ')[0]) * 100,
  })
