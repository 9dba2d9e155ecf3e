/** Names a terminal, so that it is followed from then on. */
import { isAgentName } from '../agents/agent-names.ts'
import { LullError } from '../core/lull-error.ts'
import { oneLine } from '../core/text/printable.ts'
import { findPane } from '../drive/find-pane.ts'
import { placesOf } from '../os/file/places.ts'
import { readStat } from '../os/proc/stat.ts'
import { placeOf } from '../os/tmux/pane-facts.ts'
import { isTerminalName } from '../owned/terminal-name.ts'
import { callerContext } from '../sessions/caller-context.ts'
import type { LiveSession } from '../sessions/session-source.ts'
import { nameTerminal } from '../sessions/terminals/named-terminals.ts'

type Around = {
  /** A tmux server: the path of its socket, or its name. */
  readonly socket?: string
  readonly sessions: () => Promise<readonly LiveSession[]>
}

/**
 * @returns where it is: `name:window.pane`, and `%3`
 * @throws {LullError} USAGE where the name is not allowed, and as `findPane` does
 */
export async function nameTerminalAt(
  address: string,
  name: string,
  around: Around,
): Promise<{ readonly place: string; readonly pane: string; readonly pid: number }> {
  if (!isTerminalName(name) || isAgentName(name))
    throw new LullError(
      'USAGE',
      `"${oneLine(name, 100)}" is not a valid name; use letters, digits, dot, dash and underscore, begin with a letter or underscore, and use no agent's name`,
    )
  const { socket, facts } = await findPane(address, {
    env: process.env,
    caller: callerContext(),
    ...around,
  })
  const place = placeOf(facts)
  const start = readStat(facts.pid)?.startTicks
  if (start === undefined)
    throw new LullError('NO_PANE', `the program of ${place} has ended: nothing to follow`)
  const { state } = placesOf()
  const { id: pane, tty, pid } = facts
  await nameTerminal(state, { name, socket, pane, tty, pid, start, namedAt: Date.now() })
  return { place, pane, pid }
}
