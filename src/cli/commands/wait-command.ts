/** `lull wait SESSION…`: returns when the sessions are ready for the next step, or tells why they will not be. */
import { isTerminalGoal } from '../../drive/terminal-goals.ts'
import type { WaitFlags } from './wait-sessions.ts'

export async function waitCommand(addresses: readonly string[], flags: WaitFlags): Promise<void> {
  if (isForTerminal(flags)) await (await import('./wait-terminal.ts')).waitTerminalCommand(addresses, flags)
  else await (await import('./wait-sessions.ts')).waitForSessions(addresses, flags)
}

const isForTerminal = ({ ready, for: goals, promptPattern, strategy }: WaitFlags): boolean =>
  ready === true ||
  promptPattern !== undefined ||
  strategy !== undefined ||
  (goals !== undefined && isTerminalGoal(goals))
