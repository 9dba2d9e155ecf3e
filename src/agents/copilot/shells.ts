/** Commands that Copilot CLI runs beside its turn (1.0.102): what its tools and notices write of them. */
import type { Claims, Memory, Reading } from '../kit/agent.ts'
import { begunBeside, endedBeside } from '../kit/beside-turn.ts'

/** The end of such a command begins a turn: its hook has this prompt, its transcript only the notice. */
const notice = /^(?:<system_notification>\s*)?Shell command "[^\n]{0,500} \(shellId: ([\w-]{1,50})\) has /

/** Beside the ids of tool calls. */
const nameOf = (shell: string): string => `shell-${shell}`

/** @param result of a tool: a command was started, or has not ended in the time that the tool waits */
export function begunShell(
  memory: Memory,
  claim: Claims,
  result: string | undefined,
  command: string | undefined,
): Reading {
  const [, started, left] = begun.exec(result ?? '') ?? []
  const shell = started ?? left
  return shell === undefined ? { signals: [], memory } : begunBeside(memory, claim, nameOf(shell), command)
}

const begun =
  /^<command started in background with shellId: ([\w-]{1,50})>|(?:^|\n)<command with shellId: ([\w-]{1,50}) is still running after \d/

/** The shell of which a prompt or a notice reports the end. */
export const endedShell = (text: string | undefined): string | undefined => notice.exec(text ?? '')?.[1]

/** The notice begins a turn; the prompt is the turn. */
export const endShell = (memory: Memory, claim: Claims, shell: string, by: 'notice' | 'prompt'): Reading =>
  endedBeside(memory, claim, nameOf(shell), by === 'notice')
