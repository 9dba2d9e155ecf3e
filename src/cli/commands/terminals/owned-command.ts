/** `lull open NAME`, `lull attach NAME`, `lull close NAME`: terminals of lull's own. */
import { exitCode } from '../../../core/exit-codes.ts'
import { LullError } from '../../../core/lull-error.ts'
import { oneLine } from '../../../core/text/printable.ts'
import { placesOf } from '../../../index.ts'
import { attach, usualDetachKey } from '../../../owned/attach.ts'
import { closeOwned } from '../../../owned/close-owned.ts'
import { openOwned } from '../../../owned/open-owned.ts'
import { runningServer } from '../../../owned/start-server.ts'
import { terminalRequests } from '../../../owned/terminal-requests.ts'
import { jsonLine, lines, print } from '../../ui/print.ts'

type Flags = { readonly json?: boolean; readonly force?: boolean }

export async function terminalsStatusCommand({ json = false }: Flags): Promise<void> {
  const status = await runningServer(placesOf())
  const sentence = status
    ? `the terminal server runs (pid ${status.pid}), version ${status.version}: ${status.terminals} open`
    : 'no terminal server runs: lull open starts it'
  print(json ? jsonLine({ running: status !== undefined, ...status }) : lines(sentence))
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

export type OpenFlags = {
  readonly cwd?: string
  readonly size?: string
  readonly env?: readonly string[]
  readonly attach?: boolean
  readonly json?: boolean
}

export async function openCommand(name: string, words: readonly string[], flags: OpenFlags): Promise<void> {
  const { cwd, size, env, json } = flags
  const options = {
    ...{ words, env: readVariables(env ?? []) },
    ...(cwd === undefined ? {} : { cwd }),
    ...(size === undefined ? {} : { size: readSize(size) }),
  }
  const opened = await openOwned(name, options, placesOf())
  if (flags.attach) return attachCommand(name, {})
  const { pid, tty } = opened
  if (json) print(jsonLine({ opened: true, name, pid, tty, words: opened.words, cwd: opened.cwd }))
  else print(lines(`${name} is open (pid ${pid}): lull attach ${name} shows it, lull close ${name} ends it`))
}

export type AttachFlags = { readonly readOnly?: boolean; readonly detachKey?: string }

export async function attachCommand(
  name: string,
  { readOnly = false, detachKey }: AttachFlags,
): Promise<void> {
  const key = detachKey === undefined ? usualDetachKey : readDetachKey(detachKey)
  const ended = await attach(name, placesOf(), { isReadOnly: readOnly, detachKey: key })
  print(
    lines(ended === 'left' ? `detached; ${name} keeps running (lull attach ${name})` : `${name} has ended`),
  )
}

export async function closeCommand(
  name: string,
  { force = false, json = false }: { readonly force?: boolean; readonly json?: boolean },
): Promise<void> {
  const end = await closeOwned(name, placesOf(), force)
  if (json) print(jsonLine({ closed: true, name, ...end }))
  else print(lines(`${name} is closed`))
  process.exitCode = exitCode.reached
}

/** `80x24`: columns, then rows. */
function readSize(text: string): { readonly columns: number; readonly rows: number } {
  const [, columns = 0, rows = 0] = (/^(\d{1,4})x(\d{1,4})$/.exec(text) ?? []).map(Number)
  if (columns >= 1 && columns <= 1000 && rows >= 1 && rows <= 1000) return { columns, rows }
  throw new LullError(
    'USAGE',
    `--size ${oneLine(text, 50)}: must be columns x rows, like 120x40, each from 1 to 1000`,
  )
}

function readVariables(texts: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map(text => {
      const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? []
      if (name === undefined || value === undefined)
        throw new LullError('USAGE', `--env ${oneLine(text, 50)}: must be NAME=value`)
      return [name, value]
    }),
  )
}

function readDetachKey(text: string): number {
  const [, letter = ''] = /^(?:C-|Ctrl-|\^)([a-z\\\]^_])$/i.exec(text) ?? []
  if (letter !== '') return letter.toUpperCase().charCodeAt(0) & 31
  throw new LullError(
    'USAGE',
    `--detach-key ${oneLine(text, 50)}: must be Ctrl with a letter or one of \\ ] ^ _, like C-\\`,
  )
}
