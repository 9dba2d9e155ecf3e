/** `lull name SESSION NAME`: a terminal that is followed from then on; `lull ps` shows it, every command takes its name. */

import { isAgentName } from '../../agents/agent-names.ts'
import { exitCode } from '../../core/exit-codes.ts'
import { LullError } from '../../core/lull-error.ts'
import { findPane } from '../../drive/find-pane.ts'
import { makeOwnFolder, placesOf } from '../../os/file/places.ts'
import { readStat } from '../../os/proc/stat.ts'
import { placeOf } from '../../os/tmux/pane-facts.ts'
import { forgetTerminal, isName, nameTerminal } from '../../sessions/terminals/named-terminals.ts'
import { here } from '../caller-context.ts'
import { connect } from '../connect.ts'

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
  const where = { env: process.env, here: here(), sessions, ...(socket === undefined ? {} : { socket }) }
  const { socket: server, facts } = await findPane(address, where)
  const start = readStat(facts.pid)?.startTicks
  if (start === undefined) throw new Error(`the program of ${placeOf(facts)} has ended: nothing to follow`)
  makeOwnFolder(state)
  nameTerminal(state, { name, socket: server, pane: facts.id, tty: facts.tty, pid: facts.pid, start })
  process.stdout.write(`${placeOf(facts)} (${facts.id}) is ${name}\n`)
  process.exitCode = exitCode.reached
}

async function sessions() {
  const live = await connect()
  try {
    return await live.list()
  } finally {
    await live.close()
  }
}
