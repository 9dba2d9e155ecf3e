/**
 * What docs/seeds.md#004 concludes of a tree whose threads may not be looked into (Yama, another user, setuid): from
 * figures alone, so it is reported beside the health and moves it no further than suspicious.
 */
import type { SnapshotPair } from '../../process/snapshot.ts'
import type { Window } from './metrics-history.ts'
import { always } from './presets.ts'
import type { Fallback } from './run-verdict.ts'

/**
 * @param isStdinOpen what the supervisor gave it; where it did not start the tree, what the files tell
 * @returns none where the tree moves, or where the threads could be looked into
 */
export function fallbackOf(
  pair: SnapshotPair | undefined,
  window: Window,
  isStdinOpen: boolean | undefined,
): Fallback | undefined {
  const processes = pair?.after.processes
  const isHidden = processes?.some(({ threads }) => threads.some(({ call }) => call.type === 'hidden'))
  if (!processes || !isHidden || !window.isFull) return undefined
  if (window.cpuPercent >= always.zeroCpu || window.ioBytes >= always.zeroIo || window.isConnected)
    return undefined
  const isAsleep = processes.every(({ threads }) => threads.every(({ state }) => state === 'S'))
  if (!isAsleep) return undefined
  const isOpen = isStdinOpen ?? processes.some(({ fds }) => isSource(fds[0]?.type))
  return isOpen ? 'LIKELY_STDIN_WAITING' : 'LIKELY_HUNG'
}

const isSource = (type: string | undefined): boolean => type === 'pipe' || type === 'tty' || type === 'unix'
