/** The context of a command: what relative folders, `~` and `tmux:%3` mean. */
import { realpathSync } from 'node:fs'
import { attempt } from '../os/attempt.ts'
import { homeOf, placesOf } from '../os/file/places.ts'
import { socketAround } from '../os/tmux/socket-path.ts'
import { closedAt } from '../owned/terminals-note.ts'
import type { CallerContext, EndedTerminal } from './address.ts'
import { endedNamed } from './terminals/named-terminals.ts'

export const homeFolder = (): string => homeOf(process.env)

export function callerContext(): CallerContext {
  const tmux = socketAround(process.env)
  return {
    // A folder that was removed under our feet.
    cwd: attempt(() => process.cwd()) ?? '/',
    home: homeFolder(),
    // Asked anew each time: a wait lasts longer than a name.
    ended: endedTerminal,
    real: path => attempt(() => realpathSync(path)) ?? path,
    ...(tmux ? { tmux } : {}),
  }
}

/** A pane that was named so, or a terminal of lull's own. @throws {LullError} where the names can't be read */
function endedTerminal(name: string): EndedTerminal | undefined {
  const places = placesOf()
  const named = endedNamed(places.state, name)
  if (named) return named
  const closed = closedAt(places, name)
  return closed === undefined ? undefined : { endedAt: closed }
}
