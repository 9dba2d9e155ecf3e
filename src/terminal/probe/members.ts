/** Who may own a terminal's input: its foreground group, and who left the group but holds the terminal open. */
import { readLink } from '../../os/proc/proc-file.ts'
import { childrenOf, readStat, type Stat } from '../../os/proc/stat.ts'

/** A build of thousands of processes reads no terminal; more than this are not visited. */
const mostVisited = 256

/**
 * The leader first where it is of them, then those below it, parents before children.
 * @param isTerminal whether a link of /proc/PID/fd means this terminal
 */
export function members(leader: Stat, isTerminal: (link: string) => boolean): readonly Stat[] {
  const found = new Map<number, Stat>()
  const queue: Stat[] = [leader]
  // The group's first process may have been adopted by another: then it does not stand below the leader.
  let isFirstKnown = leader.foreground <= 0 || leader.foreground === leader.pid
  for (let index = 0; index < queue.length && index < mostVisited; index++) {
    const one = queue[index] as Stat
    if (one.pid === leader.foreground) isFirstKnown = true
    if (isMember(one, leader, isTerminal)) found.set(one.pid, one)
    for (const pid of children(one)) {
      const child = readStat(pid)
      if (child && child.state !== 'Z' && !queue.some(other => other.pid === pid)) queue.push(child)
    }
    if (index === queue.length - 1 && !isFirstKnown) {
      isFirstKnown = true
      const first = readStat(leader.foreground)
      if (first && first.tty === leader.tty && first.state !== 'Z') queue.push(first)
    }
  }
  return [...found.values()]
}

function isMember(one: Stat, leader: Stat, isTerminal: (link: string) => boolean): boolean {
  if (one.tty === leader.tty) return one.group === leader.foreground
  // `su -c`: it began a session of its own without a terminal, and still reads this one.
  return one.tty === 0 && [0, 1, 2].some(fd => holds(one.pid, fd, isTerminal))
}

function holds(pid: number, fd: number, isTerminal: (link: string) => boolean): boolean {
  const link = readLink(`/proc/${pid}/fd/${fd}`)
  return 'link' in link && isTerminal(link.link)
}

/** Most programs have one thread, whose number needs no look. */
export const children = ({ pid, threads }: Stat): readonly number[] =>
  childrenOf(pid, threads > 1 ? undefined : [pid])
