/** What a process sees around it: its folder, its home, its tmux pane; and what keeps lull from looking closer. */
import { readlinkSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { userName } from '../../../bin/own-folder.js'
import { isRuntime, scriptOf } from '../../agents/recognise-agent.ts'
import { attempt } from '../../os/attempt.ts'
import { versionOfProgram } from '../../os/file/package-version.ts'
import { homeOf, placesOf } from '../../os/file/places.ts'
import { readArguments, readEnvironment } from '../../os/proc/command-line.ts'
import { readText } from '../../os/proc/proc-file.ts'
import { socketAround } from '../../os/tmux/socket-path.ts'
import { isTerminalName, terminalVariable } from '../../owned/terminal-name.ts'

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
  /** The other user whose it is. */
  readonly owner?: string
  /** Of the program, as it is installed. */
  readonly version?: string
}

/** The variables that tell where a program's files and its pane are. Nothing else of its environment is kept. */
const wanted = /^(HOME|TMUX|TMUX_PANE|LULL_TERMINAL|XDG_\w+|[A-Z_]+_(CONFIG_DIR|HOME|DIR))$/

export function readSurroundings(pid: number): Surroundings {
  const ownHome = { HOME: homeOf(process.env) }
  if (process.platform !== 'linux') return { env: ownHome }
  const stranger = usersOf(pid).find(uid => uid !== process.getuid?.())
  if (stranger !== undefined) {
    const owner = userName(stranger)
    return { env: ownHome, owner, note: `it belongs to another user (${owner}): its files are not read` }
  }
  const note = whyUnread(pid)
  if (note !== undefined) return { env: ownHome, note }
  const cwd = attempt(() => readlinkSync(`/proc/${pid}/cwd`))
  const whole = readEnvironment(pid)
  const kept = Object.entries(whole).filter(([name, value]) => wanted.test(name) && value !== '')
  const env: Record<string, string> = { ...ownHome, ...Object.fromEntries(kept) }
  const socket = socketAround(env)
  const version = installedVersion(pid, cwd)
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

/** Of the script that node runs, or of the program itself. */
function installedVersion(pid: number, cwd = '/'): string | undefined {
  const argv = readArguments(pid)
  const at = scriptOf(argv)
  const program = at === undefined ? `/proc/${pid}/exe` : path.resolve(cwd, argv[at] as string)
  const file = attempt(() => realpathSync(program))
  // Node that calls itself otherwise has a version of its own.
  return file === undefined || isRuntime(file) ? undefined : versionOfProgram(file)
}

/** Its names for files would mean others here, or may not be read. */
function whyUnread(pid: number): string | undefined {
  const root = attempt(() => statSync(`/proc/${pid}/root/`))
  if (root === undefined) return 'it may not be looked at (it runs with other rights): its files are not read'
  const here = statSync('/')
  const isHere = root.dev === here.dev && root.ino === here.ino
  return isHere ? undefined : 'it runs in a container: its files are not read'
}

/**
 * The real user, the effective, the saved one and that of files: whoever is one of them could have made its environment.
 * The owner of /proc/PID would not do: a program can make that root.
 */
function usersOf(pid: number): number[] {
  const [, line] = /^Uid:\s*(.+)$/m.exec(readText(`/proc/${pid}/status`)) ?? []
  return line?.split(/\s+/).map(Number) ?? []
}
