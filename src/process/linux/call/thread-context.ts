/** The process around a thread that is in a system call, and the times in its memory that calls point to. */
import type { Call, FdWait, Timeout } from '../../snapshot.ts'
import type { Machine } from './call-table.ts'

/** linux/fcntl.h: in place of a folder's descriptor, the working folder. */
export const AT_FDCWD = -100

/** The process around the thread. */
export type ThreadContext = {
  readonly machine: Machine
  /** Its memory; undefined where it can't be read. */
  readonly memory: (address: bigint, length: number) => Buffer | undefined
  /** The thread of it that it knows by this number: in a namespace of its own that is another one than here. */
  readonly thread: (number: number) => number | undefined
  /** The thread of any process with this number that shares the memory at an address. */
  readonly sharer: (number: number, address: bigint) => number | undefined
  /** Its child of this number. */
  readonly child: (number: number) => number
  /** The named pipe that it opens. */
  readonly opening: (how: {
    readonly folder: number
    readonly address: bigint
    readonly flags: number
  }) => Call | undefined
  /** ms that a clock (CLOCK_REALTIME 0, CLOCK_MONOTONIC 1, …) shows now; undefined for others. */
  readonly clock: (id: number) => number | undefined
  /** What an epoll watches; undefined where it can't be read. */
  readonly epoll: (fd: number) => readonly FdWait[] | undefined
  /** The process that a pidfd means. */
  readonly pidfd: (fd: number) => number | undefined
  /** Who holds the lock that this process waits for on this file. */
  readonly lockOwners: (fd: number) => readonly number[]
}

type Memory = Pick<ThreadContext, 'memory' | 'clock' | 'machine'>

/** struct timespec, seconds and nanoseconds of 8 bytes each, as ms; undefined for a null pointer, 'unknown' where it can't be read. */
export function readTimespec(around: Memory, address: bigint): Timeout {
  if (address === 0n) return undefined
  // Where the seconds have 4 bytes, or may have.
  if (around.machine === 'x86') return 'unknown'
  const value = around.memory(address, 16)
  return value ? Number(value.readBigInt64LE(0)) * 1000 + Number(value.readBigInt64LE(8)) / 1e6 : 'unknown'
}

/** ms that are left until a point of time on a clock: at least 0. */
export function untilOf(around: Memory, address: bigint, clock: number): Timeout {
  const at = readTimespec(around, address)
  if (typeof at !== 'number') return at
  const now = around.clock(clock)
  return now === undefined ? 'unknown' : Math.max(0, at - now)
}
