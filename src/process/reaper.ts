/**
 * Keeps orphans of a supervised tree: on Linux lull becomes their parent when theirs ends (a sub-reaper, prctl(2)), and then
 * has to notice their ends, as nobody else does.
 */
import { attempt } from '../os/attempt.ts'
import { libc } from '../os/native/libc.ts'
import { childrenOf } from '../os/proc/stat.ts'

/** linux/prctl.h */
const PR_SET_CHILD_SUBREAPER = 36
const WNOHANG = 1

/** True where orphans of what this process starts from now on become its children. */
export const adoptOrphans = (): boolean =>
  attempt(() => libc()?.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)) === 0

/** Children of this process that it did not start. */
export const adoptedChildren = (
  isOwn: (pid: number) => boolean,
  supervisor = process.pid,
  // The kernel gives orphans to its first thread.
): readonly number[] => childrenOf(supervisor, [supervisor]).filter(pid => pid > 1 && !isOwn(pid))

/**
 * Notices the end of adopted children, each by its number and never of any child: Node waits for those that it started.
 * @param isOwn children that this process started itself
 * @returns those that had ended
 */
export function reap(isOwn: (pid: number) => boolean): readonly number[] {
  const calls = libc()
  if (!calls) return []
  const status = Buffer.alloc(4)
  return adoptedChildren(isOwn).filter(pid => calls.waitpid(pid, status, WNOHANG) === pid)
}
