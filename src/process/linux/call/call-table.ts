/**
 * The system calls in which a thread may wait, by number, and how their arguments are to be read. A number that is not
 * here may be woken by anything.
 *
 * Numbers: Linux 6.1, arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h (which arm64 uses).
 */

/** The argument that counts, and what it means; read in decode.ts. */
export type Shape =
  | 'reads'
  | 'writes'
  | 'connects'
  | 'moves'
  | 'moves-memory'
  | 'sends-file'
  | 'receives-many'
  | 'poll'
  | 'ppoll'
  | 'select'
  | 'pselect'
  | 'epoll'
  | 'epoll-timespec'
  | 'nanosleep'
  | 'clock-nanosleep'
  | 'restart'
  | 'signal'
  | 'signal-timed'
  | 'wait-pid'
  | 'wait-id'
  | 'spawns'
  | 'futex'
  | 'futexes'
  | 'flock'
  | 'fcntl'
  | 'ring'
  | 'opens'
  | 'opens-at'
  | 'shared'
  | 'shared-timed'
  | 'shared-until'
  | 'disk'
  | 'disk-fd'

type Row = readonly [name: string, x64: number | undefined, arm64: number | undefined, shape: Shape]

const calls: readonly Row[] = [
  ['read', 0, 63, 'reads'],
  ['readv', 19, 65, 'reads'],
  ['pread64', 17, 67, 'reads'],
  ['preadv', 295, 69, 'reads'],
  ['preadv2', 327, 286, 'reads'],
  ['recvfrom', 45, 207, 'reads'],
  ['recvmsg', 47, 212, 'reads'],
  ['recvmmsg', 299, 243, 'receives-many'],
  ['accept', 43, 202, 'reads'],
  ['accept4', 288, 242, 'reads'],
  ['write', 1, 64, 'writes'],
  ['writev', 20, 66, 'writes'],
  ['pwrite64', 18, 68, 'writes'],
  ['pwritev', 296, 70, 'writes'],
  ['pwritev2', 328, 287, 'writes'],
  ['sendto', 44, 206, 'writes'],
  ['sendmsg', 46, 211, 'writes'],
  ['sendmmsg', 307, 269, 'writes'],
  ['connect', 42, 203, 'connects'],
  ['splice', 275, 76, 'moves'],
  ['tee', 276, 77, 'moves'],
  ['vmsplice', 278, 75, 'moves-memory'],
  ['sendfile', 40, 71, 'sends-file'],
  ['poll', 7, undefined, 'poll'],
  ['ppoll', 271, 73, 'ppoll'],
  ['select', 23, undefined, 'select'],
  ['pselect6', 270, 72, 'pselect'],
  ['epoll_wait', 232, undefined, 'epoll'],
  ['epoll_pwait', 281, 22, 'epoll'],
  ['epoll_pwait2', 441, 441, 'epoll-timespec'],
  ['nanosleep', 35, 101, 'nanosleep'],
  ['clock_nanosleep', 230, 115, 'clock-nanosleep'],
  ['restart_syscall', 219, 128, 'restart'],
  ['pause', 34, undefined, 'signal'],
  ['rt_sigsuspend', 130, 133, 'signal'],
  ['rt_sigtimedwait', 128, 137, 'signal-timed'],
  ['wait4', 61, 260, 'wait-pid'],
  ['waitid', 247, 95, 'wait-id'],
  ['vfork', 58, undefined, 'spawns'],
  ['clone', 56, 220, 'spawns'],
  ['clone3', 435, 435, 'spawns'],
  ['futex', 202, 98, 'futex'],
  ['futex_waitv', 449, 449, 'futexes'],
  ['flock', 73, 32, 'flock'],
  ['fcntl', 72, 25, 'fcntl'],
  ['io_uring_enter', 426, 426, 'ring'],
  ['open', 2, undefined, 'opens'],
  ['openat', 257, 56, 'opens-at'],
  ['semop', 65, 193, 'shared'],
  ['semtimedop', 220, 192, 'shared-timed'],
  ['msgrcv', 70, 188, 'shared'],
  ['msgsnd', 69, 189, 'shared'],
  ['mq_timedreceive', 243, 183, 'shared-until'],
  ['mq_timedsend', 242, 182, 'shared-until'],
  ['fsync', 74, 82, 'disk-fd'],
  ['fdatasync', 75, 83, 'disk-fd'],
  ['syncfs', 306, 267, 'disk-fd'],
  ['sync_file_range', 277, 84, 'disk-fd'],
  ['fallocate', 285, 47, 'disk-fd'],
  ['ftruncate', 77, 46, 'disk-fd'],
  ['copy_file_range', 326, 285, 'disk-fd'],
  ['getdents64', 217, 61, 'disk-fd'],
  ['sync', 162, 81, 'disk'],
  ['msync', 26, 227, 'disk'],
  ['statx', 332, 291, 'disk'],
  ['newfstatat', 262, 79, 'disk'],
  ['unlinkat', 263, 35, 'disk'],
  ['renameat2', 316, 276, 'disk'],
]

/** Calls that may wait for anything: known by name only. */
const names: readonly (readonly [name: string, x64: number | undefined, arm64: number | undefined])[] = [
  ['openat2', 437, 437],
  ['ioctl', 16, 29],
  ['execve', 59, 221],
  ['sched_yield', 24, 124],
  ['getrandom', 318, 278],
  ['close', 3, 57],
  ['mmap', 9, 222],
  ['munmap', 11, 215],
  ['madvise', 28, 233],
  ['exit', 60, 93],
  ['exit_group', 231, 94],
  ['io_getevents', 208, 4],
  ['ptrace', 101, 117],
]

/**
 * The calls of 32-bit programs that wait for descriptors: arch/x86/entry/syscalls/syscall_32.tbl of Linux 6.1. Which time
 * they wait with lies otherwise in their memory, and is not read.
 */
const calls32: readonly (readonly [name: string, x86: number, shape: Shape])[] = [
  ['read', 3, 'reads'],
  ['readv', 145, 'reads'],
  ['write', 4, 'writes'],
  ['writev', 146, 'writes'],
  ['poll', 168, 'poll'],
  ['ppoll', 309, 'ppoll'],
  ['ppoll', 414, 'ppoll'],
  ['select', 142, 'select'],
  ['pselect6', 308, 'pselect'],
  ['pselect6', 413, 'pselect'],
  ['epoll_wait', 256, 'epoll'],
  ['epoll_pwait', 319, 'epoll'],
]

/** `x86`: what a 32-bit program calls on x64. */
export type Machine = 'x64' | 'arm64' | 'x86'

type KnownCall = { readonly name: string; readonly shape?: Shape }

const tableOf = (machine: Machine): ReadonlyMap<number, KnownCall> => {
  if (machine === 'x86') return new Map(calls32.map(([name, number, shape]) => [number, { name, shape }]))
  const column = machine === 'x64' ? 1 : 2
  const table = new Map<number, KnownCall>()
  for (const row of names) if (row[column] !== undefined) table.set(row[column], { name: row[0] })
  for (const row of calls)
    if (row[column] !== undefined) table.set(row[column], { name: row[0], shape: row[3] })
  return table
}

const tables: Partial<Record<Machine, ReadonlyMap<number, KnownCall>>> = {}

/** The call of this number; undefined where no table knows it. */
export const knownCall = (machine: Machine, number: number): KnownCall | undefined => {
  tables[machine] ??= tableOf(machine)
  return tables[machine].get(number)
}
