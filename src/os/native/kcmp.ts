/** Whether two processes share a table, or two descriptors are of one open file: kcmp(2), where it may be asked. */

import { readFile } from '../proc/proc-file.ts'
import { libc } from './libc.ts'

/** Of syscall_64.tbl and asm-generic/unistd.h; the types are of linux/kcmp.h. */
const SYS_kcmp = process.arch === 'arm64' ? 272 : 312
const KCMP_FILE = 0
const KCMP_VM = 1
const KCMP_FILES = 2

/**
 * 0: the same, 1 and 2: before and after it in an order of the kernel's.
 * @returns undefined where it can't be asked: another user's process, a container that forbids it, no koffi
 */
function kcmp(
  type: number,
  a: number,
  b: number,
  files: readonly [number, number] = [0, 0],
): number | undefined {
  const answer = libc()?.syscall(SYS_kcmp, a, b, type, ...files) ?? -1
  return answer < 0 ? undefined : answer
}

function differ(type: number, a: number, b: number): boolean | undefined {
  const answer = kcmp(type, a, b)
  return answer === undefined ? undefined : answer !== 0
}

/** Threads of one process may have tables of descriptors of their own. */
export const haveOtherFiles = (a: number, b: number): boolean | undefined => differ(KCMP_FILES, a, b)

export const shareMemory = (a: number, b: number): boolean => differ(KCMP_VM, a, b) === false

export type OpenFile = { readonly pid: number; readonly fd: number }

/**
 * All timers, and all epolls, have one inode: no link tells them apart. Where kcmp may not be asked, two that are not the same
 * show it by what they are set to or watch; two that show the same may be one.
 * @returns undefined where nobody can tell
 */
export function isSameFile(a: OpenFile, b: OpenFile): boolean | undefined {
  const answer = kcmp(KCMP_FILE, a.pid, b.pid, [a.fd, b.fd])
  if (answer !== undefined) return answer === 0
  const [one, other] = [a, b].map(({ pid, fd }) => readFile(`/proc/${pid}/fdinfo/${fd}`))
  // It was closed meanwhile.
  if (other?.error === 'ENOENT') return false
  const areRead =
    one !== undefined && other !== undefined && one.error === undefined && other.error === undefined
  return areRead && one.text !== other.text ? false : undefined
}

/**
 * Groups of one open file each, by sorting: of a thousand descriptors, ten thousand are compared, and not a million.
 * @returns undefined where some can't be compared
 */
export function groupFiles(files: readonly OpenFile[]): readonly (readonly OpenFile[])[] | undefined {
  let isWhole = true
  const order = (a: OpenFile, b: OpenFile): number => {
    const answer = kcmp(KCMP_FILE, a.pid, b.pid, [a.fd, b.fd])
    if (answer === undefined || answer > 2) isWhole = false
    return answer === 1 ? -1 : answer === 2 ? 1 : 0
  }
  const groups: OpenFile[][] = []
  for (const file of files.toSorted(order)) {
    const last = groups.at(-1)
    if (last?.[0] && order(last[0], file) === 0) last.push(file)
    else groups.push([file])
  }
  return isWhole ? groups : undefined
}
