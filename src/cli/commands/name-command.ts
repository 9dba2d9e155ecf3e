/** `lull name SESSION NAME`: a terminal that is followed from then on; `lull ps` shows it, every command takes its name. */

import { nameTerminalAt } from '../../connect/name-terminal.ts'
import { exitCode, LullError } from '../../core.ts'
import { connect, isAgentName, placesOf } from '../../index.ts'
import { forgetTerminal, isName } from '../../sessions/terminals/named-terminals.ts'

export type NameFlags = { readonly socket?: string; readonly forget?: boolean }

export async function nameCommand(
  address: string,
  name: string | undefined,
  { socket, forget }: NameFlags,
): Promise<void> {
  const { state } = placesOf()
  if (forget) {
    if (name !== undefined) throw new LullError('USAGE', '--forget takes the name alone')
    if (forgetTerminal(state, address)) process.stdout.write(`${address} is forgotten\n`)
    else {
      process.stderr.write(`lull: no terminal is named "${address}"\n`)
      process.exitCode = exitCode.failed
    }
    return
  }
  if (name === undefined) throw new LullError('USAGE', 'which name? lull name tmux:%3 build')
  if (!isName(name) || isAgentName(name))
    throw new LullError(
      'USAGE',
      `"${name}" is no name: letters, digits, dot, dash and underscore, a letter first, and no agent's name`,
    )
  process.exitCode = exitCode.failed
  await using lull = await connect()
  const named = await nameTerminalAt(address, name, {
    sessions: () => lull.sessions(),
    ...(socket === undefined ? {} : { socket }),
  })
  process.stdout.write(`${named.place} (${named.pane}) is ${name}\n`)
  process.exitCode = exitCode.reached
}
