/**
 * Calls of the C library that Node does not have: real pipes (Node's own are sockets, which `/dev/stdout` can't open), what
 * waits in a file descriptor, moving bytes without copying them. None where koffi does not load, and on other systems.
 */
import { attempt } from '../attempt.ts'
import { loadKoffi } from './c-library.ts'

/** asm-generic/fcntl.h, asm-generic/ioctls.h, linux/splice.h, poll.h, sys/resource.h: the same on x86-64 and arm64. */
const O_CLOEXEC = 0o2000000
const F_SETPIPE_SZ = 1031
const FIONREAD = 0x541b
const TCGETS = 0x5401
const TCSETS = 0x5402
const SPLICE_F_MOVE = 1
const SPLICE_F_NONBLOCK = 2
const POLLIN = 1
const POLLOUT = 4
const RLIMIT_CORE = 4

/** asm-generic/termbits.h: c_oflag is the second word of the kernel's struct termios. */
const oflagAt = 4
const OPOST = 1

export type Native = {
  /** Its two ends, closed in programs that are started; none where there are no more files. */
  pipe(): { readonly read: number; readonly write: number } | undefined
  /** Lets a pipe hold more, as far as this user may. */
  enlarge(fd: number, bytes: number): void
  /** Bytes that can be read at once; 0 where it can't be told. */
  waiting(fd: number): number
  /** Moves what is there from a pipe; -1 where nothing can be moved now, or at all. Never waits. */
  move(from: number, to: number, most: number): number
  /** Waits until it can be read or written. @returns false where it can't within the time */
  isReady(fd: number, how: 'read' | 'write', ms: number): boolean
  /** A terminal prints what it is given, without a carriage return before each line end. */
  printRaw(fd: number): void
  /** From now on this process leaves no core file. */
  leaveNoCore(): void
}

function load(): Native {
  const c = loadKoffi().load(null)
  const pipe2 = c.func('int pipe2(_Out_ int *, int)')
  const fcntl = c.func('int fcntl(int, int, ...)')
  const ioctl = c.func('int ioctl(int, unsigned long, ...)')
  const splice = c.func('long splice(int, void *, int, void *, size_t, unsigned int)')
  const poll = c.func('int poll(_Inout_ uint8_t *, unsigned long, int)')
  const setrlimit = c.func('int setrlimit(int, uint8_t *)')
  const number = Buffer.alloc(4)
  const polled = Buffer.alloc(8)
  return {
    pipe() {
      const ends: number[] = [-1, -1]
      if (pipe2(ends, O_CLOEXEC) !== 0) return undefined
      const [read = -1, write = -1] = ends
      return { read, write }
    },
    enlarge: (fd, bytes) => void fcntl(fd, F_SETPIPE_SZ, 'int', bytes),
    waiting: fd => (ioctl(fd, FIONREAD, 'uint8_t *', number) === 0 ? Math.max(0, number.readInt32LE(0)) : 0),
    move: (from, to, most) => Number(splice(from, null, to, null, most, SPLICE_F_MOVE | SPLICE_F_NONBLOCK)),
    isReady(fd, how, ms) {
      polled.writeInt32LE(fd, 0)
      polled.writeInt16LE(how === 'read' ? POLLIN : POLLOUT, 4)
      polled.writeInt16LE(0, 6)
      return poll(polled, 1, ms) > 0
    },
    printRaw(fd) {
      const settings = Buffer.alloc(64)
      if (ioctl(fd, TCGETS, 'uint8_t *', settings) !== 0) return
      settings.writeUInt32LE((settings.readUInt32LE(oflagAt) & ~OPOST) >>> 0, oflagAt)
      ioctl(fd, TCSETS, 'uint8_t *', settings)
    },
    leaveNoCore: () => void setrlimit(RLIMIT_CORE, Buffer.alloc(16)),
  }
}

let loaded: { readonly native: Native | undefined } | undefined

/** Loaded when it is needed first (some 10 ms). */
export const native = (): Native | undefined => {
  loaded ??= { native: process.platform === 'linux' ? attempt(load) : undefined }
  return loaded.native
}
