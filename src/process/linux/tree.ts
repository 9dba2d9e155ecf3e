/** Which processes belong to a root: its descendants, and those that once were and lost their parent. */
import { signalled } from '../../os/proc/alive.ts'
import { childrenOf, readStat, type Stat } from '../../os/proc/stat.ts'
import type { TimerMemory } from './kernel-timers.ts'

export type Member = {
  readonly pid: number
  readonly stat: Stat
  /** Thread ids; its first thread alone where it has no other. */
  readonly tids: readonly number[]
}

/** A child that is out of sight (hidepid) but there: the kernel refuses to signal it, and does not deny it. */
function unseenStat(pid: number): Stat | undefined {
  return signalled(pid) === 'refused' ? { ...unseen, pid } : undefined
}

const unseen: Omit<Stat, 'pid'> = {
  name: '?',
  state: '?',
  parent: 0,
  group: 0,
  session: 0,
  tty: 0,
  foreground: -1,
  flags: 0,
  majorFaults: 0,
  threads: 1,
  startTicks: '',
  residentPages: 0,
  codeStart: '0',
  stackStart: '0',
}

/** What is remembered of a root between scans. */
export type TreeMemory = {
  /** pid → start, as the last scan saw them alive. */
  alive: Map<number, string>
  /** pid → start of all that were ever seen, the oldest dropped first. */
  readonly ever: Map<number, string>
  timers?: TimerMemory
}

export const newMemory = (): TreeMemory => ({ alive: new Map(), ever: new Map() })

/** A build starts a hundred thousand programs; only those that were adopted are asked for. */
const mostRemembered = 65_536

/** A tree larger than this is not walked to its end; its root then hides `children`. */
export const mostProcesses = 20_000

/**
 * The root first. Undefined where the root is gone.
 * @param tidsOf thread ids of a process
 * @param adopted further pids that are known to descend from the root
 */
export function walkTree(
  root: number,
  memory: TreeMemory,
  tidsOf: (pid: number, stat: Stat) => readonly number[],
  adopted: readonly number[] = [],
): readonly Member[] | undefined {
  const members = new Map<number, Member>()
  const visit = (first: number, start?: string) => {
    const queue = [first]
    // Breadth first: what is cut of a large tree is what is farthest from the root.
    for (const pid of queue) {
      if (members.has(pid) || members.size >= mostProcesses) continue
      const stat = readStat(pid) ?? (pid === first ? undefined : unseenStat(pid))
      if (!stat || (start !== undefined && pid === first && stat.startTicks !== start)) continue
      const tids = tidsOf(pid, stat)
      members.set(pid, { pid, stat, tids })
      queue.push(...childrenOf(pid, tids))
    }
  }
  visit(root, memory.ever.get(root))
  if (!members.has(root)) return undefined
  for (const pid of adopted) visit(pid)
  for (const [pid, start] of memory.alive) if (!members.has(pid)) visit(pid, start)
  remember(memory, members)
  return [...members.values()]
}

function remember(memory: TreeMemory, members: ReadonlyMap<number, Member>): void {
  memory.alive = new Map([...members].map(([pid, { stat }]) => [pid, stat.startTicks]))
  for (const [pid, start] of memory.alive) memory.ever.set(pid, start)
  if (memory.ever.size <= mostRemembered) return
  for (const pid of memory.ever.keys()) {
    if (memory.ever.size <= mostRemembered) break
    if (!memory.alive.has(pid)) memory.ever.delete(pid)
  }
}
