/**
 * A program in a session and a process group of its own: a signal to the group reaches all that it started and nothing
 * else, and Ctrl+C at the terminal reaches lull alone.
 */
import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { attempt } from '../attempt.ts'
import { hasEnded, readStat } from '../proc/stat.ts'

/** Children that lull started to ask something: a supervisor that adopts orphans must not take them for its command's. */
export const ownChildren = new Set<number>()

export type ProcessEnd = { readonly code?: number; readonly signal?: NodeJS.Signals }

/**
 * Starts it. A child that the system refuses to start has no pid, and emits `error`.
 * @throws where no program can be started with these words: a NUL among them
 */
export const spawnGroup = (
  [file = '', ...args]: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env' | 'stdio'>,
): ChildProcess =>
  process.getBuiltinModule('node:child_process').spawn(file, args, { ...options, detached: true })

/** As Node reports an end: one of the two, the other is null. */
export const processEnd = (code: number | null, signal: NodeJS.Signals | null): ProcessEnd => ({
  ...(code === null ? {} : { code }),
  ...(signal === null ? {} : { signal }),
})

/** To all of a group that is left. */
export const signalGroup = (group: number, signal: NodeJS.Signals): void => void kill(group, signal)

/** kill(2) takes 0 for the own group, and -1 for all that there is. */
const kill = (group: number, signal: NodeJS.Signals | 0): boolean =>
  group > 1 && attempt(() => process.kill(-group, signal)) === true

/** Some of the group runs. For `kill` a zombie still counts: /proc shows that it is one. */
export const isGroupAlive = (group: number): boolean => membersOf(group)?.length !== 0

/** The members of a group that run; undefined where some do and there is no /proc to list them. */
export function membersOf(group: number): readonly number[] | undefined {
  if (!kill(group, 0)) return []
  const pids = attempt(() => readdirSync('/proc').filter(name => /^\d+$/.test(name))) ?? []
  if (pids.length === 0) return undefined
  return pids.map(Number).filter(pid => {
    const stat = readStat(pid)
    return stat?.group === group && !hasEnded(stat)
  })
}
