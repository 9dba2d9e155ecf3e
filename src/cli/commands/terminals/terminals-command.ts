/** `lull terminals …`: the process that holds lull's own terminals. */
import { LullError } from '../../../core/lull-error.ts'
import { placesOf } from '../../../index.ts'
import { runningServer } from '../../../owned/start-server.ts'
import { terminalRequests } from '../../../owned/terminal-requests.ts'
import { jsonLine, lines, print } from '../../ui/print.ts'

type Flags = { readonly json?: boolean; readonly force?: boolean }

export async function terminalsStatusCommand({ json = false }: Flags): Promise<void> {
  const status = await runningServer(placesOf())
  const said = status
    ? `the terminal server runs (pid ${status.pid}), version ${status.version}: ${status.terminals} open`
    : 'no terminal server runs: lull open starts it'
  print(json ? jsonLine({ running: status !== undefined, ...status }) : lines(said))
}

/** What runs in its terminals ends with it: that has to be meant. */
export async function terminalsStopCommand({ json = false, force = false }: Flags): Promise<void> {
  const places = placesOf()
  const status = await runningServer(places)
  if (!status) {
    print(json ? jsonLine({ stopped: false }) : lines('no terminal server runs'))
    return
  }
  if (status.terminals > 0 && !force)
    throw new LullError(
      'USAGE',
      `${status.terminals} terminals are open, and their programs would end; close one with lull close, or all with lull terminals stop --force`,
    )
  await terminalRequests(places.terminals).stop()
  print(json ? jsonLine({ stopped: true }) : lines(`the terminal server (pid ${status.pid}) stops`))
}

/** The server itself, in the foreground: what `lull open` starts. */
export async function terminalsRunCommand(version: string): Promise<void> {
  const { runTerminalServer } = await import('../../../owned/run-server.ts')
  await runTerminalServer(placesOf(), version)
}
