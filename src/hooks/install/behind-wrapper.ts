/**
 * The program behind a wrapper. A script of that name on the PATH (a version manager's, one's own) does not show which
 * version it starts: it is asked for that version, and what becomes of it is looked at while it answers. Or a session that
 * runs already shows it.
 */
import { readdirSync, readlinkSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Agent } from '../../agents/kit/agent.ts'
import { isOf, isRuntime, scriptOf } from '../../agents/recognise-agent.ts'
import { attempt } from '../../os/attempt.ts'
import { type Env, homeOf } from '../../os/file/places.ts'
import { probeVariable, readArguments, readEnvironment } from '../../os/proc/command-line.ts'
import { readText } from '../../os/proc/proc-file.ts'
import { childrenOf, readStat } from '../../os/proc/stat.ts'
import { captureGroup, type GroupEnd } from '../../os/spawn/captured-group.ts'
import { isProgram, programOnPath } from '../../os/spawn/find-program.ts'
import { isGroupAlive, signalGroup } from '../../os/spawn/process-group.ts'

export type WrapperAnswer = {
  readonly printed: string
  /** The files of the programs of this agent that it has started, the last one first. */
  readonly programs: readonly string[]
}

const longestAnswerMs = 10_000
/** A CLI takes 50 ms at the least to say its version. ms */
const lookEveryMs = 3
const mostPrinted = 64 * 1024

/** Asks for the version, without what the environment holds besides where programs and one's home are. */
export async function askWrapper(wrapper: string, agent: Agent, env: Env): Promise<WrapperAnswer> {
  const own = attempt(() => realpathSync(wrapper))
  const programs = new Set<string>()
  let printed = ''
  let end: GroupEnd | undefined
  const group = captureGroup({
    words: [wrapper, '--version'],
    cwd: '/',
    env: { ...keptOf(env), DISABLE_AUTOUPDATER: '1', CI: '1', [probeVariable]: '1' },
    stdout(text) {
      if (printed.length < mostPrinted) printed += text
    },
    stderr: () => undefined,
    ended(how) {
      end = how
    },
  })
  const { pid } = group
  const timer = setTimeout(() => group.end('hard'), longestAnswerMs)
  while (end === undefined) {
    for (const one of pid === undefined ? [] : withBelow(pid)) {
      const file = programOf(one, agent)
      if (file !== undefined && file !== own) programs.add(file)
    }
    await pause(lookEveryMs)
  }
  clearTimeout(timer)
  // What it has left in the background was not asked for.
  if (pid !== undefined && isGroupAlive(pid)) attempt(() => signalGroup(pid, 'SIGKILL'))
  return { printed: end.code === 0 ? printed : '', programs: [...programs].reverse() }
}

const keptOf = (env: Env): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(kept.filter(name => env[name]).map(name => [name, env[name]])),
  HOME: homeOf(env),
})

/** What programs and their settings are found by. */
const kept = ['PATH', 'USER', 'LOGNAME', 'LANG', 'TMPDIR', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME']

type RunningSession = {
  /** None where its process shows only node: it has named itself after the agent. */
  readonly file: string | undefined
  /** As a person would start it: the file, or what its environment leads to. */
  readonly started: string | undefined
  /** A session's process started it: it is a part of that session. */
  readonly isBelow: boolean
}

/** This user's sessions of an agent in a home, as they run now. */
function runningSessions(agent: Agent, home: string): readonly RunningSession[] {
  const pids = (attempt(() => readdirSync('/proc')) ?? []).filter(name => /^\d+$/.test(name)).map(Number)
  const own = pids.filter(pid => isOwn(pid) && isOf(agent.process, readArguments(pid)))
  return own.flatMap(pid => {
    const env = readEnvironment(pid)
    if (env.HOME !== home || env[probeVariable] !== undefined) return []
    const file = programOf(pid, agent)
    const isBelow = own.includes(readStat(pid)?.parent ?? 0)
    return [{ file, started: file ?? startedIn(env, agent), isBelow }]
  })
}

/** Shells note the program that they start, and whoever starts it by its name finds it on the PATH. */
function startedIn({ _: noted = '', PATH }: Env, { process: { argv0 } }: Agent): string | undefined {
  const isNamed = path.isAbsolute(noted) && argv0.includes(path.basename(noted)) && isProgram(noted)
  return isNamed ? noted : programOnPath(argv0, PATH)
}

const each = (files: readonly (string | undefined)[]): readonly string[] => [
  ...new Set(files.filter(file => file !== undefined)),
]

/** The files of all programs of an agent's sessions. */
export const runningPrograms = (agent: Agent, home: string): readonly string[] =>
  each(runningSessions(agent, home).map(({ file }) => file))

/** What its sessions were started with. */
export const startedPrograms = (agent: Agent, home: string): readonly string[] =>
  each(runningSessions(agent, home).flatMap(({ started, isBelow }) => (isBelow ? [] : [started])))

export const hasSession = (agent: Agent, home: string): boolean => runningSessions(agent, home).length > 0

/** Another user could have called anything so. */
function isOwn(pid: number): boolean {
  const uids = /^Uid:\s*(.+)$/m.exec(readText(`/proc/${pid}/status`))?.[1]?.split(/\s+/) ?? []
  return uids.length > 0 && uids.every(uid => Number(uid) === process.getuid?.())
}

/** The file of the agent's program that a process runs: a script of node's, or the program itself. */
function programOf(pid: number, { process: known }: Agent): string | undefined {
  const words = readArguments(pid)
  if (!isOf(known, words)) return undefined
  const script = scriptOf(words)
  const cwd = attempt(() => readlinkSync(`/proc/${pid}/cwd`)) ?? '/'
  const started = script === undefined ? `/proc/${pid}/exe` : path.resolve(cwd, words[script] as string)
  const file = attempt(() => realpathSync(started))
  // A process that calls itself like the agent may be of node's, or a shell that is about to become it.
  return file === undefined || isRuntime(file) || isShell.test(path.basename(file)) ? undefined : file
}

const isShell = /^(sh|bash|dash|zsh|fish|ksh|busybox|env)$/

const withBelow = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(withBelow)]
