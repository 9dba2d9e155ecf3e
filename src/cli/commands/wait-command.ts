/** `lull wait SESSION…`: returns when the sessions are ready for the next step, or reports why they will not be. */

import { isTerminalGoal } from '../../drive/wait/terminal-goals.ts'
import { matchSessions } from '../../sessions/address.ts'
import { callerContext } from '../../sessions/caller-context.ts'
import { isOfProcess, notOfProcess, pidOf } from '../flags/process-flags.ts'
import { openLull } from '../open-lull.ts'
import { onNotice } from '../ui/print.ts'
import type { ProcessFlags } from './process-command.ts'
import type { WaitFlags } from './wait-sessions.ts'

export async function waitCommand(
  addresses: readonly string[],
  flags: WaitFlags & ProcessFlags,
): Promise<void> {
  const pid = await processOf(addresses, flags)
  const isNew = pid !== undefined && !isOfProcess(flags) && (await isAgent(pid))
  if (pid !== undefined && !isNew) await (await import('./process-command.ts')).waitForProcess(pid, flags)
  else if (isForTerminal(flags))
    await (await import('./wait-terminal.ts')).waitTerminalCommand(addresses, flags)
  else {
    const { waitForSessions } = await import('./wait-sessions.ts')
    await waitForSessions(addresses, isNew ? { ...flags, appear: true } : flags)
  }
}

/** A host finds an agent within a second of its start. */
async function isAgent(pid: number): Promise<boolean> {
  const [{ createSearch }, { keepOwnAgents }] = await Promise.all([
    import('../../sessions/discover/agent-search.ts'),
    import('../../sessions/screens/rules-now.ts'),
  ])
  return createSearch(() => performance.now(), keepOwnAgents())().some(agent => agent.pid === pid)
}

const isForTerminal = ({ ready, for: goals, promptPattern, strategy }: WaitFlags): boolean =>
  ready === true ||
  promptPattern !== undefined ||
  strategy !== undefined ||
  (goals !== undefined && isTerminalGoal(goals))

/** The process itself: its flags ask for that, or it is no session. */
async function processOf(
  [address = '', ...others]: readonly string[],
  { appear, next, ...flags }: WaitFlags & ProcessFlags,
): Promise<number | undefined> {
  const pid = flags.on === undefined ? pidOf(address) : undefined
  if (isOfProcess(flags)) {
    if (pid === undefined || others.length > 0) throw notOfProcess()
    return pid
  }
  const isOwnGoal = (flags.for ?? 'exited').split(',').every(word => /^(stuck|exited)$/.test(word.trim()))
  if (pid === undefined || others.length > 0 || !isOwnGoal || appear || next) return undefined
  await using lull = await openLull(flags, [address], { onNotice })
  const isSession = matchSessions(address, await lull.sessions(), callerContext()).length > 0
  return isSession ? undefined : pid
}
