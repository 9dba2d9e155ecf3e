/** What a process sees around it: its folder, its home, its tmux pane; and what keeps lull from looking closer. */
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { userName } from '../../../bin/own-folder.js'
import { isRuntime, scriptOf } from '../../agents/recognise-agent.ts'
import { attempt } from '../../os/attempt.ts'
import { versionOfProgram } from '../../os/file/package-version.ts'
import { homeOf, placesOf } from '../../os/file/places.ts'
import { socketAround } from '../../os/tmux/socket-path.ts'
import { isTerminalName, terminalVariable } from '../../owned/terminal-name.ts'
import type { ProcessTable } from './process-table.ts'
import { systemTable } from './system-table.ts'

export type Surroundings = {
  readonly cwd?: string
  /** What it was started with; `HOME` is always there. */
  readonly env: Readonly<Record<string, string>>
  readonly pane?: string
  /** The socket of its tmux server. */
  readonly tmux?: string
  /** The terminal of lull's own around it, by its name. */
  readonly terminal?: string
  /** Why its files are not read. */
  readonly note?: string
  /** The other user that owns it. */
  readonly owner?: string
  /** Of the program, as it is installed. */
  readonly version?: string
}

/** The variables that tell where a program's files and its pane are. Nothing else of its environment is kept. */
const wanted = /^(HOME|TMUX|TMUX_PANE|LULL_TERMINAL|XDG_\w+|[A-Z_]+_(CONFIG_DIR|HOME|DIR))$/

export function readSurroundings(pid: number, table: ProcessTable = systemTable()): Surroundings {
  const ownHome = { HOME: homeOf(process.env) }
  const stranger = table.users(pid).find(uid => uid !== process.getuid?.())
  if (stranger !== undefined) {
    const owner = userName(stranger)
    return { env: ownHome, owner, note: `it belongs to another user (${owner}): its files are not read` }
  }
  const note = table.whyUnread(pid)
  if (note !== undefined) return { env: ownHome, note }
  const cwd = table.cwd(pid)
  const whole = table.environment(pid)
  const kept = Object.entries(whole).filter(([name, value]) => wanted.test(name) && value !== '')
  const env: Record<string, string> = { ...ownHome, ...Object.fromEntries(kept) }
  const socket = socketAround(env)
  const version = installedVersion(pid, table, cwd)
  const pane = /^%\d+$/.test(env.TMUX_PANE ?? '') ? env.TMUX_PANE : undefined
  const { [terminalVariable]: terminal = '' } = env
  return {
    env,
    ...(cwd === undefined ? {} : { cwd }),
    // tmux in such a terminal has panes of its own.
    ...(socket && pane
      ? { pane, tmux: socket }
      : isTerminalName(terminal) && isOfOurServer(whole)
        ? { terminal }
        : {}),
    ...(version === undefined ? {} : { version }),
  }
}

/** Another server may have a terminal of the same name. */
const isOfOurServer = (env: Readonly<Record<string, string>>): boolean =>
  placesOf(env).terminals === placesOf().terminals

/** The version of the script that node runs, or of the program itself. */
function installedVersion(pid: number, table: ProcessTable, cwd = '/'): string | undefined {
  const argv = table.argv(pid)
  const at = scriptOf(argv)
  const program = at === undefined ? table.executable(pid) : path.resolve(cwd, argv[at] as string)
  const file = attempt(() => realpathSync(program as string))
  // Node under another name has a version of its own.
  return file === undefined || isRuntime(file) ? undefined : versionOfProgram(file)
}
