/**
 * Signal timers that are armed on this machine. No file of a process shows alarm(2) and setitimer(2), which outlive an exec;
 * the kernel lists them all to root, without their programs (kernel/time/timer_list.c).
 */
import { readFile } from '../../os/proc/proc-file.ts'
import type { Process } from '../snapshot.ts'

export type KernelTimers = {
  /** Monotonic ms at which each interval timer of real time fires (it_real_fn of kernel/time/itimer.c): identifies the timer. */
  readonly interval: readonly number[]
  /** A POSIX timer is armed (posix_timer_fn of kernel/time/posix-timers.c). */
  readonly hasPosix: boolean
}

const row = /^ #\d+: <[0-9a-f]+>, (it_real_fn|posix_timer_fn|alarmtimer_fired), S:\d+\n # expires at (\d+)-/gm
/** The last of its first lines: a container may have put an empty file in its place, or a long list may be cut. */
const isWhole = (text: string): boolean =>
  text.startsWith('Timer List Version') && /^Tick Device:/m.test(text)

/** Undefined where the list is not whole. */
export function parseTimers(text: string): KernelTimers | undefined {
  if (!isWhole(text)) return undefined
  const rows = [...text.matchAll(row)]
  const interval = rows.flatMap(([, what, ns]) => (what === 'it_real_fn' ? [Number(ns) / 1e6] : []))
  return { interval, hasPosix: rows.length > interval.length }
}

/**
 * The kernel lets go of the list between two rows and finds the next one by its number: a timer that fires meanwhile leaves one
 * out behind it (print_active_timers of kernel/time/timer_list.c; 1 to 4 readings of 1000). An alarm that is left
 * out would make a program that it will end look stuck for certain.
 */
const readings = 2

/** All that any of the readings has: what has fired since is past, and stands for nothing. */
export function readTimers(): KernelTimers | undefined {
  const all = Array.from({ length: readings }, readOnce).filter(one => one !== undefined)
  return all.length === readings ? joinTimers(all) : undefined
}

export const joinTimers = (all: readonly KernelTimers[]): KernelTimers => ({
  interval: [...new Set(all.flatMap(({ interval }) => interval))],
  hasPosix: all.some(({ hasPosix }) => hasPosix),
})

function readOnce(): KernelTimers | undefined {
  const reading = readFile('/proc/timer_list', undefined, false)
  return reading.error === undefined ? parseTimers(reading.text) : undefined
}

/** What is known of the interval timers since the last look at a tree. */
export type TimerMemory = {
  /** How often each thread of the tree had been put on a processor. */
  readonly slices: string
  readonly timers: readonly number[]
  /** Those of other programs. */
  readonly others: ReadonlySet<number>
}

type TimerLook = {
  readonly slices: string
  /** As they were before the slices were read, and after: between two looks the tree slept, and what is new is not its own. */
  readonly first: readonly number[]
  readonly last: readonly number[]
  /** Set before the tree began. */
  readonly isBefore: (firesAt: number) => boolean
}

/** Who sleeps sets no timer: what came while no thread of the tree had a time slice is another program's. */
export function rememberTimers(before: TimerMemory | undefined, look: TimerLook): TimerMemory {
  const { slices, first, last, isBefore } = look
  const slept = before?.slices === slices ? before : undefined
  const isNew = (at: number): boolean =>
    slept !== undefined && first.includes(at) && !slept.timers.includes(at)
  const timers = [...new Set([...first, ...last])]
  const others = timers.filter(at => isBefore(at) || before?.others.has(at) || isNew(at))
  return { slices, timers, others: new Set(others) }
}

export const slicesOf = (processes: readonly Process[]): string =>
  processes
    .flatMap(({ pid, startTicks, threads }) =>
      threads.map(({ tid, slices }) => `${pid} ${startTicks} ${tid} ${slices}`),
    )
    .sort()
    .join()
