/** `lull name SESSION NAME`: a terminal that is followed from then on; `lull ps` shows it, every command takes its name. */

import { nameTerminalAt } from '../../../connect/name-terminal.ts'
import { exitCode } from '../../../core/exit-codes.ts'
import { LullError } from '../../../core/lull-error.ts'
import { oneLine } from '../../../core/text/printable.ts'
import { connect, placesOf } from '../../../index.ts'
import { forgetClosed } from '../../../owned/forget-closed.ts'
import { forgetTerminal, readNamed } from '../../../sessions/terminals/named-terminals.ts'
import { lines, onNotice, print } from '../../ui/print.ts'

export type NameFlags = { readonly socket?: string; readonly forget?: boolean }

export async function nameCommand(
  address: string,
  name: string | undefined,
  { socket, forget }: NameFlags,
): Promise<void> {
  const places = placesOf()
  const { state } = places
  if (forget) {
    if (name !== undefined) throw new LullError('USAGE', '--forget accepts only the name')
    const [isPane, isOwn] = [await forgetTerminal(state, address), await forgetClosed(address, places)]
    if (!isPane && !isOwn)
      throw new LullError('NO_SESSION', `no terminal is named "${oneLine(address, 100)}"`, { address })
    print(lines(`forgot the name ${address}`))
    return
  }
  if (name === undefined) throw new LullError('USAGE', 'no name given; usage: lull name tmux:%3 build')
  process.exitCode = exitCode.failed
  await using lull = await connect()
  const before = readNamed(state).find(terminal => terminal.name === name)
  const named = await nameTerminalAt(address, name, {
    sessions: () => lull.sessions(),
    ...(socket === undefined ? {} : { socket }),
  })
  print(lines(`${named.place} (${named.pane}) is ${name}`))
  if (before && before.pid !== named.pid) onNotice(`${before.pane} loses the name ${name}`)
  process.exitCode = exitCode.reached
}
