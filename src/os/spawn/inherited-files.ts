/**
 * Descriptors that this process was started with besides stdin, stdout and stderr: a jobserver's pipe, the sockets of a
 * socket activation, a file that a shell opened (`3>log`). Node closes them in programs that it starts.
 */
import { closeSync, readlinkSync } from 'node:fs'
import { attempt } from '../attempt.ts'
import { libc } from '../native/libc.ts'
import { listFolder } from '../proc/proc-file.ts'

/** asm-generic/fcntl.h */
const F_SETFD = 2
const FD_CLOEXEC = 1

type Open = { readonly fd: number; readonly link: string }

/**
 * Of all that is open when lull begins. Node opens its first epoll before anything else, at the lowest number that is
 * free: what lies below came from outside. What lies above did too, unless it is of a kind that Node opens for itself.
 */
export function inheritedAmong(open: readonly Open[], channel?: number): readonly number[] {
  const further = open.filter(({ fd }) => fd > 2 && fd !== channel)
  const first = Math.min(...further.filter(({ link }) => link.includes('[eventpoll]')).map(({ fd }) => fd))
  const ends = Map.groupBy(
    further.filter(({ fd }) => fd > first),
    ({ link }) => link,
  )
  const isNodes = ({ link }: Open): boolean =>
    link.startsWith('anon_inode:') ||
    link === '/dev/null' ||
    (link.startsWith('pipe:') && ends.get(link)?.length === 2)
  return further.filter(one => one.fd < first || !isNodes(one)).map(({ fd }) => fd)
}

/** To be asked before anything is opened. None where the system does not tell. */
export function inheritedFiles(): readonly number[] {
  const names = listFolder('/proc/self/fd')
  if ('error' in names) return []
  // The folder itself is among them, and closed by now.
  const open = names.flatMap(name => {
    const link = attempt(() => readlinkSync(`/proc/self/fd/${name}`))
    return link === undefined ? [] : [{ fd: Number(name), link }]
  })
  return inheritedAmong(open, ipcChannel())
}

/** Node's own channel to a parent that is Node as well. */
const ipcChannel = (): number | undefined => (process.channel as { readonly fd?: number } | undefined)?.fd

/** Of a descriptor that a library opened: programs that this process starts from now on do not get it. */
export const keepFromPrograms = (fd: number): void => void libc()?.fcntl(fd, F_SETFD, FD_CLOEXEC)

/** Starts a program that gets these descriptors under their own numbers. They are closed here: who waits for their end waits for the program. */
export function handingOver<T>(fds: readonly number[], start: () => T): T {
  const isKept = (kept: boolean): void => {
    for (const fd of fds) libc()?.fcntl(fd, F_SETFD, kept ? 0 : FD_CLOEXEC)
  }
  isKept(true)
  try {
    return start()
  } finally {
    for (const fd of fds) attempt(() => closeSync(fd))
  }
}
