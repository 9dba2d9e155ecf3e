/** struct timespec in another process's memory: seconds and nanoseconds, 8 bytes each. */
import type { Timeout } from '../../snapshot.ts'
import type { Around } from './decode-call.ts'

type Memory = Pick<Around, 'memory' | 'clock'>

/** ms; undefined for a null pointer, 'unknown' where it can't be read. */
export function readTimespec(around: Memory, address: bigint): Timeout {
  if (address === 0n) return undefined
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
