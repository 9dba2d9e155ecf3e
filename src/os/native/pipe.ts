/**
 * Real pipes, which Node does not make: its own are sockets, which `/dev/stdout` can't open. What waits in them, and
 * moving bytes from one to another without copying them.
 */
import { libc } from './libc.ts'

/** asm-generic/fcntl.h, asm-generic/ioctls.h, linux/splice.h, poll.h: the same on x86-64 and arm64. */
const O_CLOEXEC = 0o2000000
const F_SETPIPE_SZ = 1031
const FIONREAD = 0x541b
const SPLICE_F_MOVE = 1
const SPLICE_F_NONBLOCK = 2
const POLLIN = 1
const POLLOUT = 4

const number = Buffer.alloc(4)
const polled = Buffer.alloc(8)

/** Its two ends, closed in programs that are started; none where there are no more files, or none can be made. */
export function newPipe(): { readonly read: number; readonly write: number } | undefined {
  const ends: number[] = [-1, -1]
  if (libc()?.pipe2(ends, O_CLOEXEC) !== 0) return undefined
  const [read = -1, write = -1] = ends
  return { read, write }
}

/** Lets a pipe hold more, as far as this user may. */
export const enlargePipe = (fd: number, bytes: number): void => void libc()?.fcntl(fd, F_SETPIPE_SZ, bytes)

/** Bytes that can be read from a descriptor at once; 0 where that is not known. */
export const waitingBytes = (fd: number): number =>
  libc()?.ioctl(fd, FIONREAD, number) === 0 ? Math.max(0, number.readInt32LE(0)) : 0

/** Moves what is there from a pipe; -1 where nothing can be moved now, or at all. Never waits. */
export const moveBytes = (from: number, to: number, most: number): number =>
  libc()?.splice(from, to, most, SPLICE_F_MOVE | SPLICE_F_NONBLOCK) ?? -1

/** Waits until it can be read or written. @returns false where it can't within the time, ms */
export function isReady(fd: number, how: 'read' | 'write', ms: number): boolean {
  polled.writeInt32LE(fd, 0)
  polled.writeInt16LE(how === 'read' ? POLLIN : POLLOUT, 4)
  polled.writeInt16LE(0, 6)
  return (libc()?.poll(polled, 1, ms) ?? 0) > 0
}
