/**
 * What the processes of an agent show: that a command runs which it asks a person about, and was allowed; that it goes on though it
 * has reported its end.
 */
import os from 'node:os'
import type { Session } from '../../core/session.ts'
import { isOurCommand } from '../../hooks/hook-command.ts'
import { readArguments } from '../../os/proc/command-line.ts'
import { tickMs } from '../../os/proc/stat.ts'
import { threadsOf } from '../../process/linux/threads.ts'
import { type Member, newMemory, walkTree } from '../../process/linux/tree.ts'
import { goesOn } from '../../track/goes-on.ts'
import { isTool } from '../../track/granted.ts'

/** The kernel's times are read in hundredths of a second, twice. ms */
const toleranceMs = 50

/**
 * A sample of the processes as a trace holds it; none while they show nothing.
 * @param now of the session's clock, ms
 */
export const sampleFor = (pid: number, session: Session, now: number): string | undefined =>
  findGrant(pid, session, now) ?? goesOn(pid, session, now)

/** Shows that a command was allowed. */
export function findGrant(pid: number, { verdict, facts }: Session, now: number): string | undefined {
  const { question } = facts
  const [asked] = verdict.because
  if (verdict.state.kind !== 'waiting' || verdict.state.for !== 'permission') return undefined
  if (question === undefined || asked?.type !== 'news') return undefined
  const uptime = os.uptime() * 1000
  const isSince = (ticks: string): boolean => Number(ticks) * tickMs - uptime > asked.at - now - toleranceMs
  const started = (walkTree(pid, newMemory(), threadsOf) ?? []).filter(
    ({ pid: one, stat }) => one !== pid && isSince(stat.startTicks),
  )
  const tools = withoutHooks(started)
    .map(({ pid: one, stat, words }) => ({ pid: one, cmd: words.join(' '), leads: stat.group === one }))
    .filter(({ cmd, leads }) => isTool(cmd, leads, question))
  return tools.length > 0 ? JSON.stringify({ procs: [{ pid }, ...tools] }) : undefined
}

/**
 * Without lull's own hooks, one of which runs as long as its dialog stands: an agent may ask for what their command lines hold (`true`).
 * @param members parents before children
 */
function withoutHooks(members: readonly Member[]): (Member & { readonly words: readonly string[] })[] {
  const hooks = new Set<number>()
  return members.flatMap(member => {
    const words = readArguments(member.pid)
    if (!hooks.has(member.stat.parent) && !words.some(isOurCommand)) return [{ ...member, words }]
    hooks.add(member.pid)
    return []
  })
}
