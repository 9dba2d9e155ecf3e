/**
 * What this process had open before it made anything of its own. Whoever starts a program that is to be judged imports
 * this before: what lull holds by then was handed down to it, what it makes later was not.
 */
import { readText } from '../../os/proc/proc-file.ts'
import { readDescriptors } from './holders.ts'
import { readTimers } from './kernel-timers.ts'

export const startedWith: ReadonlySet<string> = new Set(readDescriptors(process.pid).links.values())

/** Interval timers that were set by then, and when that was, in ticks since boot: none of them is a younger program's. */
export const timersBefore: ReadonlySet<number> = new Set(readTimers()?.interval)
export const begunTicks = Number(readText('/proc/uptime').split(' ')[0]) * 100
