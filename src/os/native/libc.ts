/** Calls of the C library that Node does not have; none where koffi does not load. */
import { attempt } from '../attempt.ts'
import { loadKoffi } from './c-library.ts'

type Libc = {
  /** ioctl(2) that writes into the buffer. 0, or -1. */
  readonly ioctl: (fd: number, request: number, into: Buffer) => number
  readonly socket: (domain: number, type: number, protocol: number) => number
  readonly send: (fd: number, message: Buffer, length: number, flags: number) => number
  readonly recv: (fd: number, into: Buffer, length: number, flags: number) => number
  readonly prctl: (option: number, a: number, b: number, c: number, d: number) => number
  readonly waitpid: (pid: number, status: Buffer, options: number) => number
  readonly getsockopt: (fd: number, level: number, option: number, value: Buffer, length: Buffer) => number
  /** syscall(2) of three whole numbers, for what the C library may be too old to have. */
  readonly syscall: (number: number, a: number, b: number, c: number) => number
}

function load(): Libc {
  const c = loadKoffi().load(null)
  const ioctl = c.func('int ioctl(int, unsigned long, ...)')
  const syscall = c.func('long syscall(long, ...)')
  return {
    ioctl: (fd, request, into) => ioctl(fd, request, 'uint8_t *', into),
    socket: c.func('int socket(int, int, int)'),
    send: c.func('long send(int, uint8_t *, size_t, int)'),
    recv: c.func('long recv(int, _Out_ uint8_t *, size_t, int)'),
    prctl: c.func('int prctl(int, unsigned long, unsigned long, unsigned long, unsigned long)'),
    waitpid: c.func('int waitpid(int, _Out_ uint8_t *, int)'),
    getsockopt: c.func('int getsockopt(int, int, int, _Out_ uint8_t *, _Inout_ uint8_t *)'),
    syscall: (number, a, b, d) => Number(syscall(number, 'long', a, 'long', b, 'long', d)),
  }
}

let loaded: { readonly libc: Libc | undefined } | undefined

/** Loaded when it is needed first. */
export const libc = (): Libc | undefined => {
  loaded ??= { libc: process.platform === 'linux' ? attempt(load) : undefined }
  return loaded.libc
}
