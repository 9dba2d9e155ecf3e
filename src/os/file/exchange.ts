/**
 * Two calls of the system that Node does not have: put a file in the place of another and get that one in return, in
 * one step; and learn whether any process still holds a file open to write into it.
 */
import { attempt } from '../attempt.ts'
import { loadKoffi } from '../native/c-library.ts'

type Calls = {
  /** 0, or −1 with `errno`. */
  exchange(a: string, b: string): number
  lease?(fd: number, kind: number): number
  errno(): number
}

/** linux/fs.h, linux/fcntl.h, asm-generic/fcntl.h; sys/stdio.h of macOS (that branch is not tested). */
const AT_FDCWD = -100
const RENAME_EXCHANGE = 2
const RENAME_SWAP = 2
const F_SETLEASE = 1024
const F_RDLCK = 0
const F_UNLCK = 2

/** None on other systems, with a libc that lacks them, or where koffi does not load: then files are renamed over. */
function loadCalls(): Calls | undefined {
  const koffi = loadKoffi()
  const libc = koffi.load(null)
  const errno = () => koffi.errno()
  if (process.platform === 'linux') {
    const rename = libc.func('int renameat2(int, const char *, int, const char *, unsigned int)')
    const fcntl = libc.func('int fcntl(int, int, ...)')
    return {
      exchange: (a, b) => rename(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE),
      lease: (fd, kind) => fcntl(fd, F_SETLEASE, 'int', kind),
      errno,
    }
  }
  if (process.platform === 'darwin') {
    const rename = libc.func('int renamex_np(const char *, const char *, unsigned int)')
    return { exchange: (a, b) => rename(a, b, RENAME_SWAP), errno }
  }
  return undefined
}

/** Loaded when they are needed first: looking at files does without. */
let loaded: { readonly calls: Calls | undefined } | undefined

const callsOf = (): Calls | undefined => {
  loaded ??= { calls: attempt(loadCalls) }
  return loaded.calls
}

/** Swaps two files of one folder in one step. False where this system or file system can't. */
export const exchange = (a: string, b: string): boolean => callsOf()?.exchange(a, b) === 0

/**
 * Whether a process holds this file open to write into it; undefined where that can't be known. A lease on reading is
 * given to its owner only while nobody has it open for writing (fcntl(2)).
 * @param fd open for reading only
 */
export function hasWriter(fd: number): boolean | undefined {
  const calls = callsOf()
  if (!calls?.lease) return undefined
  if (calls.lease(fd, F_RDLCK) === 0) {
    calls.lease(fd, F_UNLCK)
    return false
  }
  return calls.errno() === 11 ? true : undefined
}
