/** `lull wait SESSION…`: returns when the sessions are ready for the next step, or reports why they will not be. */

import { setTimeout as pause } from 'node:timers/promises'
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
  if (pid !== undefined) await (await import('./process-command.ts')).waitForProcess(pid, flags)
  else if (isForTerminal(flags))
    await (await import('./wait-terminal.ts')).waitTerminalCommand(addresses, flags)
  else await (await import('./wait-sessions.ts')).waitForSessions(addresses, flags)
}

const isForTerminal = ({ ready, for: goals, promptPattern, strategy }: WaitFlags): boolean =>
  ready === true ||
  promptPattern !== undefined ||
  strategy !== undefined ||
  (goals !== undefined && isTerminalGoal(goals))

/** A host looks for new agents each 0.8 s (sessions/agents/agent-provider.ts). ms */
const foundWithinMs = 2000

/** The process itself: its flags ask for that, or it is no session, also once a host had the time to find an agent. */
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
  const isSession = async () => matchSessions(address, await lull.sessions(), callerContext()).length > 0
  if (await isSession()) return undefined
  const [{ createSearch }, { keepOwnAgents }] = await Promise.all([
    import('../../sessions/discover/agent-search.ts'),
    import('../../sessions/screens/rules-now.ts'),
  ])
  const search = createSearch(() => performance.now(), keepOwnAgents())
  const end = performance.now() + foundWithinMs
  while (search().some(agent => agent.pid === pid) && performance.now() < end) {
    await pause(100)
    if (await isSession()) return undefined
  }
  return pid
}
