/** What a thread waits for in futex(2), and who holds it where the memory around the word shows it. */
import type { Call, Timeout } from '../../snapshot.ts'
import { readTimespec, type ThreadContext, untilOf } from './thread-context.ts'

/** linux/futex.h */
const FUTEX_WAIT = 0
const FUTEX_LOCK_PI = 6
const FUTEX_WAIT_BITSET = 9
const FUTEX_LOCK_PI2 = 13
const FUTEX_PRIVATE = 128
const FUTEX_CLOCK_REALTIME = 256
const FUTEX_WAITERS = 0x8000_0000
const FUTEX_TID_MASK = 0x3fff_ffff
const FUTEX2_PRIVATE = 128
const CLOCK_REALTIME = 0
const CLOCK_MONOTONIC = 1

/** What glibc's low-level lock waits for: taken, and others wait. */
const takenAndWaited = 2

/** The largest word of pthread's `__kind`: type, robust, priority and elision bits, shared. */
const kinds = 0x3ff
const shared = 0x80

export function decodeFutex(values: readonly bigint[], around: ThreadContext): Call {
  const [address = 0n, operation = 0n, value = 0n, timeout = 0n] = values
  const flags = Number(BigInt.asUintN(32, operation))
  const command = flags & 127
  const isPrivate = (flags & FUTEX_PRIVATE) !== 0
  const expected = Number(BigInt.asUintN(32, value))
  const word = around.memory(address, 4)?.readUInt32LE(0)
  const owner = ownerOf(around, address, command, isPrivate, expected, word)
  // In a namespace of its own a thread may have the number 2: that is a lock's word, too.
  const joins =
    !isPrivate &&
    owner === undefined &&
    word === expected &&
    expected !== takenAndWaited &&
    [FUTEX_WAIT, FUTEX_WAIT_BITSET].includes(command) &&
    thread(around, word)
  return {
    type: 'futex',
    address: `0x${address.toString(16)}`,
    isPrivate,
    ...(owner && { owner }),
    ...(joins && { joins }),
    timeout: timeoutOf(around, command, flags, timeout),
  }
}

const thread = (around: ThreadContext, tid: number | undefined): number | undefined =>
  tid ? around.thread(tid) : undefined

/** Only a wait for a lock has an owner. The word counts as one only if it is a thread of this process, or of one that shares the lock's memory. */
function ownerOf(
  around: ThreadContext,
  address: bigint,
  command: number,
  isPrivate: boolean,
  expected: number,
  word: number | undefined,
): number | undefined {
  if (word === undefined) return undefined
  // Locks with priority inheritance keep their owner in the word, by contract with the kernel.
  if (command === FUTEX_LOCK_PI || command === FUTEX_LOCK_PI2) return thread(around, word & FUTEX_TID_MASK)
  if (command !== FUTEX_WAIT || word !== expected) return undefined
  // So do glibc's robust mutexes, and musl's typed ones.
  if (expected & FUTEX_WAITERS) return thread(around, expected & FUTEX_TID_MASK)
  if (expected !== takenAndWaited) return undefined
  // struct __pthread_mutex_s: lock, count, owner, users, kind (sysdeps/nptl/bits/struct_mutex.h).
  const mutex = around.memory(address, 20)
  if (!mutex || mutex.readUInt32LE(16) > kinds) return undefined
  const owner = mutex.readInt32LE(8)
  if (isPrivate) return thread(around, owner)
  // PTHREAD_MUTEX_PSHARED_BIT of nptl/pthreadP.h.
  return mutex.readUInt32LE(16) & shared
    ? (thread(around, owner) ?? around.sharer(owner, address))
    : undefined
}

/** FUTEX_WAIT takes a span; the others take a point of time. */
function timeoutOf(around: ThreadContext, command: number, flags: number, address: bigint): Timeout {
  if (command === FUTEX_WAIT) return readTimespec(around, address)
  const isRealtime = command === FUTEX_LOCK_PI || (flags & FUTEX_CLOCK_REALTIME) !== 0
  return untilOf(around, address, isRealtime ? CLOCK_REALTIME : CLOCK_MONOTONIC)
}

/** futex_waitv(waiters, count, flags, timeout, clock): the first struct futex_waitv (value, address, flags) represents all. */
export function decodeFutexes(values: readonly bigint[], around: ThreadContext): Call | undefined {
  const [waiters = 0n, count = 0n, , timeout = 0n, clock = 0n] = values
  const length = Number(BigInt.asUintN(32, count))
  const list = length > 0 && length <= 128 ? around.memory(waiters, 24 * length) : undefined
  if (!list) return undefined
  const indices = Array.from({ length }, (_, index) => index)
  return {
    type: 'futex',
    address: `0x${list.readBigUInt64LE(8).toString(16)}`,
    isPrivate: indices.every(index => (list.readUInt32LE(24 * index + 16) & FUTEX2_PRIVATE) !== 0),
    timeout: untilOf(around, timeout, Number(BigInt.asIntN(32, clock))),
  }
}
