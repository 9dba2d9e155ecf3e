/** A line of /proc/PID/task/TID/syscall, and what its arguments point to, as a `Call`. No I/O but through `ThreadContext`. */
import type { Call, FdWait, Timeout, Want } from '../../snapshot.ts'
import { knownCall, type Shape } from './call-table.ts'
import { decodeFutex, decodeFutexes } from './futex.ts'
import { AT_FDCWD, readTimespec, type ThreadContext, untilOf } from './thread-context.ts'

/** A list longer than this is not read: `other`. RLIMIT_NOFILE of common systems. */
const longestList = 65_536

const POLLIN = 0x1
const POLLPRI = 0x2
const POLLOUT = 0x4
const POLLRDHUP = 0x2000
const EPOLLET = 2 ** 31
const EPOLLONESHOT = 2 ** 30

/** What a mask of poll or epoll wants. An end or an error is always reported: an empty mask still reads. */
export function wantsOf(fd: number, events: number): readonly FdWait[] {
  // A member that was reported once and is off until it is armed again.
  if (events >= 0 && events & EPOLLONESHOT && !(events & (POLLIN | POLLPRI | POLLOUT | POLLRDHUP))) return []
  const reads = (events & (POLLIN | POLLPRI | POLLRDHUP)) !== 0
  const writes = (events & POLLOUT) !== 0
  // Edge-triggered programs ask for both at once, and got their "writable" long ago.
  const onEdge = Math.floor(events / EPOLLET) % 2 === 1
  const wants: readonly Want[] =
    !writes || (reads && onEdge) ? ['read'] : reads ? ['read', 'write'] : ['write']
  return wants.map(want => ({ fd, want }))
}

const int = (value: bigint | undefined): number => Number(BigInt.asIntN(32, value ?? 0n))

/** A 32-bit program has other call numbers; its stack lies below 4 GB. */
export const stackOf32 = 0x1_0000_0000n

/** @param line as the kernel writes it: `running`, `-1 SP PC`, or the number, six arguments, SP, PC */
export function decodeCall(line: string, around: ThreadContext): Call {
  const text = line.trim()
  if (text === 'running') return { type: 'running' }
  const [first, ...rest] = text.split(' ')
  const number = Number(first)
  if (first === undefined || first === '' || !Number.isInteger(number))
    return { type: 'hidden', why: 'empty' }
  if (number === -1) return { type: 'none' }
  const values = rest.map(BigInt)
  const stack = values[6]
  if (stack === undefined || stack < stackOf32 !== (around.machine === 'x86'))
    return { type: 'other', name: `32-bit call ${number}` }
  const known = knownCall(around.machine, number)
  if (!known?.shape) return { type: 'other', name: known?.name ?? `call ${number}` }
  return decodeShape(known.name, known.shape, values, around) ?? { type: 'other', name: known.name }
}

/** Undefined where the arguments can't be read. */
function decodeShape(
  name: string,
  shape: Shape,
  values: readonly bigint[],
  around: ThreadContext,
): Call | undefined {
  const arg = (index: number): bigint => values[index] ?? 0n
  const fdAt = (index: number, want: Want): FdWait => ({ fd: int(arg(index)), want })
  const one = (want: Want, timeout?: Timeout): Call => ({ type: 'fds', name, fds: [fdAt(0, want)], timeout })
  const move = (from: number, to: number): Call | undefined =>
    some([fdAt(from, 'read'), fdAt(to, 'write')], undefined)
  const some = (fds: readonly FdWait[] | undefined, timeout: Timeout): Call | undefined =>
    fds && { type: 'fds', name, fds, timeout }
  const ofSet = (timeout: Timeout): Call | undefined => {
    const set = int(arg(0))
    const fds = around.epoll(set)
    return fds && { type: 'fds', name, fds, set, timeout }
  }
  const millis = (index: number): Timeout => (int(arg(index)) < 0 ? undefined : int(arg(index)))
  const timespec = (index: number) => readTimespec(around, arg(index))

  switch (shape) {
    case 'reads':
      return one('read')
    case 'writes':
      return one('write')
    case 'connects':
      return one('connect')
    case 'moves':
      return move(0, name === 'tee' ? 1 : 2)
    case 'moves-memory':
      return move(0, 0)
    case 'sends-file':
      return move(1, 0)
    case 'receives-many':
      return one('read', timespec(4))
    case 'poll':
      return some(pollList(around, arg(0), int(arg(1))), millis(2))
    case 'ppoll':
      return some(pollList(around, arg(0), int(arg(1))), timespec(2))
    case 'select':
      return some(selectSets(around, values), selectTimeout(around, arg(4)))
    case 'pselect':
      return some(selectSets(around, values), timespec(4))
    case 'epoll':
      return ofSet(millis(3))
    case 'epoll-timespec':
      return ofSet(timespec(3))
    case 'nanosleep':
      return { type: 'sleep', name, timeout: timespec(0) ?? 'unknown' }
    case 'clock-nanosleep': {
      const isAbsolute = (int(arg(1)) & 1) === 1
      const timeout = isAbsolute ? untilOf(around, arg(2), int(arg(0))) : timespec(2)
      return { type: 'sleep', name, timeout: timeout ?? 'unknown' }
    }
    case 'restart':
      // Its arguments are those of an earlier call, and the kernel does not show which.
      return { type: 'sleep', name, timeout: 'unknown' }
    case 'signal':
      return { type: 'signal', name, timeout: undefined }
    case 'signal-timed':
      return { type: 'signal', name, timeout: timespec(2) }
    case 'wait-pid':
      return { type: 'child', name, pid: childOf(around, int(arg(0))), timeout: undefined }
    case 'wait-id':
      return { type: 'child', name, pid: waitedPid(around, int(arg(0)), int(arg(1))), timeout: undefined }
    case 'spawns':
      return { type: 'child', name, pid: -1, timeout: undefined }
    case 'futex':
      return decodeFutex(values, around)
    case 'futexes':
      return decodeFutexes(values, around)
    case 'flock':
      return { type: 'lock', name, fd: int(arg(0)), owners: around.lockOwners(int(arg(0))) }
    case 'fcntl': {
      // F_SETLKW and F_OFD_SETLKW of asm-generic/fcntl.h wait; other commands do not.
      if (![7, 38].includes(int(arg(1)))) return undefined
      return { type: 'lock', name, fd: int(arg(0)), owners: around.lockOwners(int(arg(0))) }
    }
    case 'ring':
      return { type: 'ring', fd: int(arg(0)), timeout: ringTimeout(around, values) }
    case 'opens':
      return opens(around, AT_FDCWD, values)
    case 'opens-at':
      return opens(around, int(arg(0)), values.slice(1))
    case 'shared':
      return { type: 'shared', name, timeout: undefined }
    case 'shared-timed':
      return { type: 'shared', name, timeout: timespec(3) }
    case 'shared-until':
      return { type: 'shared', name, fd: int(arg(0)), timeout: untilOf(around, arg(4), 0) }
    case 'disk':
      return { type: 'disk', name }
    case 'disk-fd':
      return { type: 'disk', name, fd: int(arg(0)) }
  }
}

const opens = (around: ThreadContext, folder: number, [address = 0n, flags = 0n]: readonly bigint[]) =>
  around.opening({ folder, address, flags: int(flags) })

/** struct pollfd: int fd, short events, short revents. A negative fd is skipped by the kernel, too. */
function pollList(around: ThreadContext, address: bigint, count: number): readonly FdWait[] | undefined {
  if (count === 0) return []
  if (count < 0 || count > longestList) return undefined
  const list = around.memory(address, 8 * count)
  if (!list) return undefined
  return Array.from({ length: count }, (_, index) => {
    const fd = list.readInt32LE(8 * index)
    return fd < 0 ? [] : wantsOf(fd, list.readUInt16LE(8 * index + 4))
  }).flat()
}

/** fd_set: a bit per fd in words of 64. The kernel keeps its own copy, and writes the result only when it returns. */
function selectSets(around: ThreadContext, values: readonly bigint[]): readonly FdWait[] | undefined {
  const count = int(values[0])
  if (count < 0 || count > longestList) return undefined
  const fds: FdWait[] = []
  for (const [index, want] of [
    [1, 'read'],
    [2, 'write'],
    [3, 'read'],
  ] as const) {
    const address = values[index]
    if (!address || count === 0) continue
    const set = around.memory(address, Math.ceil(count / 64) * 8)
    if (!set) return undefined
    for (let fd = 0; fd < count; fd++) if (((set[fd >> 3] ?? 0) >> (fd & 7)) & 1) fds.push({ fd, want })
  }
  return fds
}

/** struct timeval: seconds, microseconds. */
function selectTimeout(around: ThreadContext, address: bigint): Timeout {
  if (address === 0n) return undefined
  if (around.machine === 'x86') return 'unknown'
  const value = around.memory(address, 16)
  return value ? Number(value.readBigInt64LE(0)) * 1000 + Number(value.readBigInt64LE(8)) / 1000 : 'unknown'
}

/** Groups and any child are one to us: those of the tree are few. */
const childOf = (around: ThreadContext, number: number): number => (number > 0 ? around.child(number) : -1)

/** P_ALL 0, P_PID 1, P_PGID 2, P_PIDFD 3. */
const waitedPid = (around: ThreadContext, kind: number, id: number): number =>
  kind === 1 ? around.child(id) : kind === 3 ? (around.pidfd(id) ?? -1) : -1

/** IORING_ENTER_EXT_ARG: the fifth argument points to sigmask, its size, padding, and the address of a timespec. */
function ringTimeout(around: ThreadContext, values: readonly bigint[]): Timeout {
  if ((int(values[3]) & 8) === 0) return undefined
  const extended = around.memory(values[4] ?? 0n, 24)
  if (!extended) return 'unknown'
  return readTimespec(around, extended.readBigUInt64LE(16))
}
