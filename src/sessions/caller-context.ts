/** Where the person stands who runs a command: what relative folders, `~` and `tmux:%3` mean. */
import { realpathSync } from 'node:fs'
import { attempt } from '../os/attempt.ts'
import { homeOf, placesOf } from '../os/file/places.ts'
import { socketAround } from '../os/tmux/socket-path.ts'
import type { CallerContext } from './address.ts'
import { endedNamed } from './terminals/named-terminals.ts'

export const homeFolder = (): string => homeOf(process.env)

export function callerContext(): CallerContext {
  const tmux = socketAround(process.env)
  return {
    // A folder that was removed under our feet.
    cwd: attempt(() => process.cwd()) ?? '/',
    home: homeFolder(),
    // Asked anew each time: a wait lasts longer than a name.
    ended: name => endedNamed(placesOf().state, name),
    real: path => attempt(() => realpathSync(path)) ?? path,
    ...(tmux ? { tmux } : {}),
  }
}
