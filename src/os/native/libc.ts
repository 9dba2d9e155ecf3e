/** Calls of Linux that Node does not have; none on other systems, and where koffi does not load. */
import { attempt } from '../attempt.ts'
import { bindC } from './c-library.ts'

type Libc = {
  /** ioctl(2) with a buffer, which it reads or writes. 0, or -1. */
  readonly ioctl: (fd: number, request: number, buffer: Buffer) => number
  readonly fcntl: (fd: number, command: number, value: number) => number
  readonly pipe2: (ends: number[], flags: number) => number
  /** At most `length` bytes from a pipe or into one, at their positions. */
  readonly splice: (from: number, to: number, length: number, flags: number) => number
  readonly poll: (fds: Buffer, count: number, timeout: number) => number
  readonly socket: (domain: number, type: number, protocol: number) => number
  readonly send: (fd: number, message: Buffer, length: number, flags: number) => number
  readonly recv: (fd: number, into: Buffer, length: number, flags: number) => number
  readonly getsockopt: (fd: number, level: number, option: number, value: Buffer, length: Buffer) => number
  readonly prctl: (option: number, a: number, b: number, c: number, d: number) => number
  readonly waitpid: (pid: number, status: Buffer, options: number) => number
  readonly setrlimit: (resource: number, limits: Buffer) => number
  /** syscall(2) of whole numbers, for what the C library may be too old to have. */
  readonly syscall: (number: number, ...values: readonly number[]) => number
}

function load(): Libc {
  type Variadic = (...values: readonly unknown[]) => number
  const ioctl: Variadic = bindC('int ioctl(int, unsigned long, ...)')
  const fcntl: Variadic = bindC('int fcntl(int, int, ...)')
  const splice: Variadic = bindC('long splice(int, void *, int, void *, size_t, unsigned int)')
  const syscall: Variadic = bindC('long syscall(long, ...)')
  return {
    ioctl: (fd, request, buffer) => ioctl(fd, request, 'uint8_t *', buffer),
    fcntl: (fd, command, value) => fcntl(fd, command, 'int', value),
    pipe2: bindC('int pipe2(_Out_ int *, int)'),
    splice: (from, to, length, flags) => Number(splice(from, null, to, null, length, flags)),
    poll: bindC('int poll(_Inout_ uint8_t *, unsigned long, int)'),
    socket: bindC('int socket(int, int, int)'),
    send: bindC('long send(int, uint8_t *, size_t, int)'),
    recv: bindC('long recv(int, _Out_ uint8_t *, size_t, int)'),
    getsockopt: bindC('int getsockopt(int, int, int, _Out_ uint8_t *, _Inout_ uint8_t *)'),
    prctl: bindC('int prctl(int, unsigned long, unsigned long, unsigned long, unsigned long)'),
    waitpid: bindC('int waitpid(int, _Out_ uint8_t *, int)'),
    setrlimit: bindC('int setrlimit(int, uint8_t *)'),
    syscall: (number, ...values) => Number(syscall(number, ...values.flatMap(value => ['long', value]))),
  }
}

let loaded: { readonly libc: Libc | undefined } | undefined

/** Loaded when it is needed first. */
export const libc = (): Libc | undefined => {
  loaded ??= { libc: process.platform === 'linux' ? attempt(load) : undefined }
  return loaded.libc
}
