/**
 * Two calls of the system that Node does not have: put a file in the place of another and get that one in return, in
 * one step; and learn whether any process still holds a file open to write into it.
 */
import { cFunction, errno } from '../native/c-library.ts'
import { libc } from '../native/libc.ts'

/** linux/fs.h, linux/fcntl.h, asm-generic/fcntl.h, errno.h; sys/stdio.h of macOS (that branch is not tested). */
const AT_FDCWD = -100
const RENAME_EXCHANGE = 2
const RENAME_SWAP = 2
const F_SETLEASE = 1024
const F_RDLCK = 0
const F_UNLCK = 2
const EAGAIN = 11

/** Older C libraries lack them. */
const renameat2 = cFunction<
  (fromFolder: number, from: string, toFolder: number, to: string, flags: number) => number
>('int renameat2(int, const char *, int, const char *, unsigned int)')
const renamex = cFunction<(from: string, to: string, flags: number) => number>(
  'int renamex_np(const char *, const char *, unsigned int)',
)

/** Swaps two files of one folder in one step. False where this system or file system can't. */
export const exchange = (a: string, b: string): boolean =>
  process.platform === 'darwin'
    ? renamex()?.(a, b, RENAME_SWAP) === 0
    : renameat2()?.(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE) === 0

/**
 * Whether a process holds this file open to write into it; undefined where that can't be known. A lease on reading is
 * given to its owner only while nobody has it open for writing (fcntl(2)).
 * @param fd open for reading only
 */
export function hasWriter(fd: number): boolean | undefined {
  const calls = libc()
  if (!calls) return undefined
  if (calls.fcntl(fd, F_SETLEASE, F_RDLCK) === 0) {
    calls.fcntl(fd, F_SETLEASE, F_UNLCK)
    return false
  }
  return errno() === EAGAIN ? true : undefined
}
