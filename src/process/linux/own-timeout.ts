/**
 * Timeouts that are set on the file and not given to the call: SO_RCVTIMEO and SO_SNDTIMEO of a socket, VTIME of a
 * terminal. A thread that waits with one wakes by itself.
 */
import { closeSync } from 'node:fs'
import { libc } from '../../os/native/libc.ts'
import { isTerminal, readSettings } from '../../os/tty/tty.ts'
import type { Call, Thread, Timeout } from '../snapshot.ts'

/** asm-generic/unistd.h: the same number on x86-64 and arm64. */
const SYS_pidfd_open = 434
const SYS_pidfd_getfd = 438
/** asm-generic/socket.h */
const SOL_SOCKET = 1
const SO_RCVTIMEO = 20
const SO_SNDTIMEO = 21

/** Calls that wait on one file, up to the file's own timeout. */
const single = /^(?:read|write|recv|send|accept|connect|p?read|p?write)/

export const withOwnTimeout = (pid: number, thread: Thread, links: ReadonlyMap<number, string>): Thread => {
  const { call } = thread
  if (call.type !== 'fds' || call.timeout !== undefined || !single.test(call.name)) return thread
  const timeout = ownTimeout(pid, call, links)
  if (timeout === 'unseen') return { ...thread, call: { ...call, isLimitUnseen: true } }
  return timeout === undefined ? thread : { ...thread, call: { ...call, timeout } }
}

/** ms; `unseen`: the file may have one, and lull may not look. */
type OwnTimeout = Timeout | 'unseen'

function ownTimeout(
  pid: number,
  call: Call & { type: 'fds' },
  links: ReadonlyMap<number, string>,
): OwnTimeout {
  const [watched] = call.fds
  const link = watched && links.get(watched.fd)
  if (!link) return undefined
  if (link.startsWith('socket:'))
    return socketTimeout(pid, watched.fd, watched.want === 'read' ? SO_RCVTIMEO : SO_SNDTIMEO)
  if (watched.want === 'read' && isTerminal(link)) return readSettings(`/proc/${pid}/fd/${watched.fd}`)?.wait
  return undefined
}

/** Looks at the socket through a file of lull's own, which is closed at once. A kernel before 5.6 does not let it. */
function socketTimeout(pid: number, fd: number, option: number): OwnTimeout {
  const calls = libc()
  if (!calls) return 'unseen'
  const program = calls.syscall(SYS_pidfd_open, pid, 0, 0)
  if (program < 0) return 'unseen'
  const copy = calls.syscall(SYS_pidfd_getfd, program, fd, 0)
  closeSync(program)
  if (copy < 0) return 'unseen'
  try {
    // struct timeval of 64 bits: seconds, microseconds; none is zero.
    const value = Buffer.alloc(16)
    const length = Buffer.from([16, 0, 0, 0])
    if (calls.getsockopt(copy, SOL_SOCKET, option, value, length) !== 0) return 'unseen'
    return Number(value.readBigInt64LE(0)) * 1000 + Number(value.readBigInt64LE(8)) / 1000 || undefined
  } finally {
    closeSync(copy)
  }
}
