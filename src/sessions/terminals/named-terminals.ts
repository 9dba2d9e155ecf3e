/** Terminals that somebody gave a name, so that lull follows them: a file of this user's state. */
import { statSync } from 'node:fs'
import path from 'node:path'
import { isLullError } from '../../core/lull-error.ts'
import { isRecord } from '../../core/trace/trace.ts'
import { attempt } from '../../os/attempt.ts'
import { changeJsonFile, readPreciousJson } from '../../os/file/json-file.ts'
import { isAlive } from '../../os/proc/alive.ts'

export type NamedTerminal = {
  readonly name: string
  /** The path of its tmux server's socket, and its pane (`%3`). */
  readonly socket: string
  readonly pane: string
  readonly tty: string
  /** The pane's first process, and when it started (field 22 of /proc/PID/stat): panes come again with the same number. */
  readonly pid: number
  readonly start: string
  /** When somebody gave it the name, ms since the epoch. */
  readonly namedAt?: number
}

const fileOf = (folder: string): string => path.join(folder, 'terminals.json')

/** Changes with each change of the file. */
export const namedVersion = (folder: string): string => {
  const stat = attempt(() => statSync(fileOf(folder)))
  return stat ? `${stat.ino} ${stat.mtimeMs} ${stat.size}` : ''
}

/**
 * Those whose process lives, by name.
 * @throws {LullError} BAD_PLACE where others could have named them, REFUSED_FILE where it can't be read who has a name
 */
export const readNamed = (folder: string): readonly NamedTerminal[] => livingIn(namesIn(fileOf(folder)))

/** A name that a person gave is written over by nobody who could not read it. */
function namesIn(file: string): Readonly<Record<string, unknown>> {
  try {
    return readPreciousJson(file)
  } catch (error) {
    if (isLullError(error, 'REFUSED_FILE'))
      error.message += '; the names of terminals are in it: mend it, or move it away'
    throw error
  }
}

const livingIn = (entries: Readonly<Record<string, unknown>>): readonly NamedTerminal[] =>
  Object.entries(entries).flatMap(([name, entry]) => {
    const terminal = isRecord(entry) ? shaped(name, entry) : undefined
    return terminal && isAlive(terminal) === true ? [terminal] : []
  })

function shaped(name: string, entry: Record<string, unknown>): NamedTerminal | undefined {
  const { socket, pane, tty, pid, start, namedAt } = entry
  if (typeof socket !== 'string' || typeof pane !== 'string' || typeof tty !== 'string') return undefined
  if (typeof pid !== 'number' || typeof start !== 'string') return undefined
  return { name, socket, pane, tty, pid, start, ...(typeof namedAt === 'number' ? { namedAt } : {}) }
}

/** A pane has one name: another it had goes, and so does another pane of this name. */
export function nameTerminal(folder: string, terminal: NamedTerminal): Promise<void> {
  const { name, socket, pane } = terminal
  const isOther = (one: NamedTerminal): boolean =>
    one.name !== name && !(one.socket === socket && one.pane === pane)
  return changeNamed(folder, all => [...all.filter(isOther), terminal])
}

/** @returns false where none has this name */
export async function forgetTerminal(folder: string, name: string): Promise<boolean> {
  // One whose pane has ended is still in the file.
  if (!Object.hasOwn(namesIn(fileOf(folder)), name)) return false
  await changeNamed(folder, all => all.filter(one => one.name !== name))
  return true
}

const changeNamed = (
  folder: string,
  change: (all: readonly NamedTerminal[]) => readonly NamedTerminal[],
): Promise<void> =>
  changeJsonFile(
    fileOf(folder),
    before => Object.fromEntries(change(livingIn(before)).map(({ name, ...rest }) => [name, rest])),
    { indent: 2, read: namesIn },
  )
