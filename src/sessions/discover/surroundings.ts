/** What a process sees around it: its folder, its home, its tmux pane; and what keeps lull from looking closer. */
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { userName } from '../../../bin/own-folder.js'
import { isRuntime, scriptOf } from '../../agents/recognise-agent.ts'
import { defined } from '../../core/defined.ts'
import { attempt } from '../../os/attempt.ts'
import { versionOfProgram } from '../../os/file/package-version.ts'
import { homeOf, placesOf } from '../../os/file/places.ts'
import { isSameSocket, socketAround } from '../../os/tmux/socket-path.ts'
import { isTerminalName, terminalVariable } from '../../owned/terminal-name.ts'
import type { ProcessTable } from './process-table.ts'
import { type Starter, startersIn } from './starters.ts'
import { systemTable } from './system-table.ts'
import { terminalAround } from './terminal-around.ts'

export type Surroundings = {
  readonly cwd?: string
  /** What it was started with; `HOME` is always there. */
  readonly env: Readonly<Record<string, string>>
  readonly pane?: string
  /** The socket of its tmux server. */
  readonly tmux?: string
  /** The terminal of lull's own around it, by its name. */
  readonly terminal?: string
  /** Those that its environment names. */
  readonly starters?: readonly Starter[]
  /** Why its files are not read. */
  readonly note?: string
  /** The other user that owns it. */
  readonly owner?: string
  /** Of the program, as it is installed. */
  readonly version?: string
}

/** The variables that tell where a program's files are. Nothing else of its environment is kept. */
const wanted = /^(HOME|XDG_\w+|[A-Z_]+_(CONFIG_DIR|HOME|DIR))$/

export function readSurroundings(pid: number, table: ProcessTable = systemTable()): Surroundings {
  const ownHome = { HOME: homeOf(process.env) }
  const { owner, note, cwd } = readFolder(pid, table)
  if (owner !== undefined) return { env: ownHome, owner, ...defined({ note }), ...terminalAround(pid) }
  if (note !== undefined) return { env: ownHome, note }
  const whole = table.environment(pid)
  const kept = Object.entries(whole).filter(([name, value]) => wanted.test(name) && value !== '')
  const env: Record<string, string> = { ...ownHome, ...Object.fromEntries(kept) }
  const version = installedVersion(pid, table, cwd)
  const starters = startersIn(whole)
  return {
    env,
    ...(starters.length === 0 ? {} : { starters }),
    ...(cwd === undefined ? {} : { cwd }),
    ...placeOf(pid, whole),
    ...(version === undefined ? {} : { version }),
  }
}

/** Its folder, or why its files are not read. Its environment, which may be of megabytes, is left alone. */
export function readFolder(
  pid: number,
  table: ProcessTable = systemTable(),
): Pick<Surroundings, 'cwd' | 'note' | 'owner'> {
  const stranger = table.users(pid).find(uid => uid !== process.getuid?.())
  if (stranger !== undefined) {
    const owner = userName(stranger)
    return { owner, note: `it belongs to another user (${owner}): its files are not read` }
  }
  const note = table.whyUnread(pid)
  return note === undefined ? defined({ cwd: table.cwd(pid) }) : { note }
}

type Env = Readonly<Record<string, string>>

/**
 * What the processes above it show counts before the variables, which a launcher may have emptied or kept from elsewhere. They
 * name the pane, and the terminal of a program that nobody holds any more.
 */
function placeOf(pid: number, env: Env): Pick<Surroundings, 'pane' | 'tmux' | 'terminal'> {
  const around = terminalAround(pid)
  if (around && around.tmux === undefined) return around
  const socket = socketAround(env)
  const pane = /^%\d+$/.test(env.TMUX_PANE ?? '') ? env.TMUX_PANE : undefined
  if (socket && pane && (around?.tmux === undefined || isSameSocket(around.tmux, socket)))
    return { pane, tmux: socket }
  if (around) return around
  const { [terminalVariable]: terminal = '' } = env
  return isTerminalName(terminal) && isOfOurServer(env) ? { terminal } : {}
}

/** Another server may have a terminal of the same name. */
const isOfOurServer = (env: Env): boolean => placesOf(env).terminals === placesOf().terminals

/** The version of the script that node runs, or of the program itself. */
function installedVersion(pid: number, table: ProcessTable, cwd = '/'): string | undefined {
  const argv = table.argv(pid)
  const at = scriptOf(argv)
  const program = at === undefined ? table.executable(pid) : path.resolve(cwd, argv[at] as string)
  const file = attempt(() => realpathSync(program as string))
  // Node under another name has a version of its own.
  return file === undefined || isRuntime(file) ? undefined : versionOfProgram(file)
}
