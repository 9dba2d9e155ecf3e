/** Threads with a file table of their own, and processes that share their memory: what /proc/PID shows is not theirs. */
import { libc } from '../../os/native/libc.ts'
import { listFolder } from '../../os/proc/proc-file.ts'

/** kcmp(2); its numbers are of syscall_64.tbl and asm-generic/unistd.h. */
const SYS_kcmp = process.arch === 'arm64' ? 272 : 312
const KCMP_VM = 1
const KCMP_FILES = 2
/** `syscall` passes three numbers; kcmp of these two types reads no more. */
const differ = (a: number, b: number, type: number): boolean | undefined => {
  const answer = libc()?.syscall(SYS_kcmp, a, b, type) ?? -1
  return answer < 0 ? undefined : answer !== 0
}

const filesOf = (folder: string): string => {
  const names = listFolder(folder)
  return 'error' in names ? '' : names.join()
}

/** Those whose files are not their process's. Without kcmp: whose descriptors have other numbers. */
export const withOwnFiles = (pid: number, tids: readonly number[]): readonly number[] =>
  tids.filter(tid => {
    if (tid === pid) return false
    const told = differ(pid, tid, KCMP_FILES)
    return told ?? filesOf(`/proc/${pid}/task/${tid}/fd`) !== filesOf(`/proc/${pid}/fd`)
  })

/** A parent that is another process, and the same memory: its threads could wake those of the child. */
export const sharesMemory = (pid: number, parent: number): boolean => differ(pid, parent, KCMP_VM) === false
