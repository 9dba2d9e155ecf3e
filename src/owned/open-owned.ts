/** Opens a terminal of lull's own: in the terminal server, which is started where none runs. */
import path from 'node:path'
import { agentNames } from '../agents/agent-names.ts'
import { LullError } from '../core/lull-error.ts'
import { oneLine } from '../core/text/printable.ts'
import type { Places } from '../os/file/places.ts'
import type { TerminalSize } from '../os/tty/tty.ts'
import { startServer } from './start-server.ts'
import type { OwnedTerminal } from './terminal-messages.ts'
import { isTerminalName, terminalVariable } from './terminal-name.ts'
import { terminalRequests } from './terminal-requests.ts'

export type OpenOptions = {
  /** The command and its arguments; the shell of `SHELL` where not given. */
  readonly words?: readonly string[]
  /** The folder it is started in; the caller's where not given. */
  readonly cwd?: string
  /** 120 × 40 cells where not given. */
  readonly size?: TerminalSize
  /** More variables of its environment, which else is the caller's. */
  readonly env?: Readonly<Record<string, string>>
}

const usualSize: TerminalSize = { columns: 120, rows: 40 }

/** Of the terminal that lull itself was called in: the new one is another. */
const ofTheCaller =
  /^(TMUX|TMUX_PANE|STY|WINDOW|TERM_PROGRAM|TERM_PROGRAM_VERSION|TERM_SESSION_ID|VTE_VERSION|WT_SESSION|KITTY_.*|WEZTERM_.*|GHOSTTY_.*|ITERM_.*|LULL_PANE|LULL_TERMINAL|COLUMNS|LINES|NODE_COMPILE_CACHE)$/

/** @throws {LullError} USAGE, NAME_TAKEN, NOT_FOUND, NOT_EXECUTABLE, NO_FOLDER, TERMINALS_GONE, BAD_PLACE */
export async function openOwned(
  name: string,
  { words, cwd = process.cwd(), size = usualSize, env = {} }: OpenOptions,
  places: Places,
): Promise<OwnedTerminal> {
  if (!isTerminalName(name) || (agentNames as readonly string[]).includes(name))
    throw new LullError(
      'USAGE',
      `"${oneLine(name, 100)}" cannot name a terminal: use letters, digits, dots, dashes and underscores, begin with a letter or underscore, and avoid names of agents`,
    )
  await startServer(places)
  return terminalRequests(places.terminals).open({
    // The terminal server runs in another folder: a relative one is the caller's.
    ...{ name, cwd: path.resolve(cwd), ...size },
    words: words && words.length > 0 ? words : [process.env.SHELL || '/bin/sh'],
    env: {
      ...ownEnvironment(),
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      [terminalVariable]: name,
      ...env,
    },
  })
}

const ownEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !ofTheCaller.test(entry[0]),
    ),
  )
