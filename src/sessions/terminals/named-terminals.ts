/** Terminals that somebody gave a name, so that lull follows them: a file of this user's state. */
import { lstatSync, statSync } from 'node:fs'
import path from 'node:path'
import { isLullError, LullError } from '../../core/lull-error.ts'
import { isRecord } from '../../core/trace/trace.ts'
import { attempt } from '../../os/attempt.ts'
import { changeJsonFile, readPreciousJson } from '../../os/file/json-file.ts'
import { isAlive } from '../../os/proc/alive.ts'
import { isNameKept } from '../../owned/terminal-name.ts'

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
  /** When its end was noticed first, ms since the epoch: who keeps the name while nobody looks? */
  readonly endedAt?: number
  /** Its pane was closed, and its process has outlived that. */
  readonly isClosed?: true
}

const fileOf = (folder: string): string => path.join(folder, 'terminals.json')

/** Changes with each change of the file. */
export const namedVersion = (folder: string): string => {
  const stat = attempt(() => statSync(fileOf(folder)))
  return stat ? `${stat.ino} ${stat.mtimeMs} ${stat.size}` : ''
}

/**
 * All that were named, those that have ended a while ago as well.
 * @throws {LullError} BAD_PLACE where others could have named them, REFUSED_FILE where it can't be read who has a name
 */
export const readAllNamed = (folder: string): readonly NamedTerminal[] => entriesIn(namesIn(fileOf(folder)))

/** Those with a running process. @throws {LullError} as above */
export const readNamed = (folder: string): readonly NamedTerminal[] => readAllNamed(folder).filter(isLiving)

/**
 * The terminal that a person gave this name and that has ended a while ago: its name is not another's yet.
 * @throws {LullError} BAD_PLACE, REFUSED_FILE if there are names but the entry of this one can't be read
 */
export function endedNamed(
  folder: string,
  name: string,
): (NamedTerminal & { readonly endedAt: number }) | undefined {
  const file = fileOf(folder)
  if (!lstatSync(file, { throwIfNoEntry: false })) return undefined
  const names = namesIn(file)
  if (!Object.hasOwn(names, name)) return undefined
  const entry = names[name]
  const named = isRecord(entry) ? shaped(name, entry) : undefined
  if (!named) throw new LullError('REFUSED_FILE', `${file} can't be read: its entry for ${name}; ${advice}`)
  return hasEnded(named) && isKept(named) ? { endedAt: Date.now(), ...named } : undefined
}

export const isLiving = (terminal: NamedTerminal): boolean => isAlive(terminal) === true

/** A note of another lull counts for a pane only: it may not see this process, as in a container. */
const hasEnded = (terminal: NamedTerminal): boolean => terminal.isClosed === true || !isLiving(terminal)

const isKept = ({ endedAt }: NamedTerminal): boolean =>
  endedAt === undefined || isNameKept(endedAt, Date.now())

const advice = 'the names of terminals are in it: mend it, or move it away'

/** A name that a person gave is written over by nobody who could not read it. */
function namesIn(file: string): Readonly<Record<string, unknown>> {
  try {
    return readPreciousJson(file)
  } catch (error) {
    if (!isLullError(error, 'REFUSED_FILE')) throw error
    throw new LullError('REFUSED_FILE', `${error.message}; ${advice}`)
  }
}

const entriesIn = (entries: Readonly<Record<string, unknown>>): readonly NamedTerminal[] =>
  Object.entries(entries).flatMap(([name, entry]) => (isRecord(entry) && shaped(name, entry)) || [])

function shaped(name: string, entry: Record<string, unknown>): NamedTerminal | undefined {
  const { socket, pane, tty, pid, start, namedAt, endedAt, isClosed } = entry
  if (typeof socket !== 'string' || typeof pane !== 'string' || typeof tty !== 'string') return undefined
  if (typeof pid !== 'number' || typeof start !== 'string') return undefined
  return {
    ...{ name, socket, pane, tty, pid, start },
    ...(typeof namedAt === 'number' ? { namedAt } : {}),
    ...(typeof endedAt === 'number' ? { endedAt } : {}),
    ...(isClosed === true ? { isClosed } : {}),
  }
}

/** A pane has one name: another it had goes, and so does another pane of this name. What has ended in that pane was another. */
export function nameTerminal(folder: string, terminal: NamedTerminal): Promise<void> {
  const { name, socket, pane } = terminal
  const isOther = (one: NamedTerminal): boolean =>
    one.name !== name && (hasEnded(one) || !(one.socket === socket && one.pane === pane))
  return changeNamed(folder, all => [...all.filter(isOther), terminal])
}

/** @returns false where none has this name */
export async function forgetTerminal(folder: string, name: string): Promise<boolean> {
  // A name stays in the file after its pane has ended.
  if (!Object.hasOwn(namesIn(fileOf(folder)), name)) return false
  await changeNamed(folder, all => all.filter(one => one.name !== name))
  return true
}

/** Some have ended by now: how long their names are kept begins. */
export function noteEnded(folder: string, ended: readonly NamedTerminal[]): Promise<void> {
  const isOne = ({ name, pid, start }: NamedTerminal): boolean =>
    ended.some(one => one.name === name && one.pid === pid && one.start === start)
  return changeNamed(folder, all => all.map(one => (isOne(one) ? { ...one, ...endOf(one) } : one)))
}

const endOf = (terminal: NamedTerminal): Pick<NamedTerminal, 'endedAt' | 'isClosed'> => ({
  endedAt: terminal.endedAt ?? Date.now(),
  ...(isLiving(terminal) ? { isClosed: true } : {}),
})

const changeNamed = (
  folder: string,
  change: (all: readonly NamedTerminal[]) => readonly NamedTerminal[],
): Promise<void> =>
  changeJsonFile(
    fileOf(folder),
    before => Object.fromEntries(change(keptIn(before)).map(({ name, ...rest }) => [name, rest])),
    { indent: 2, read: namesIn },
  )

/** Running terminals, and ended ones that keep their names. */
const keptIn = (before: Readonly<Record<string, unknown>>): readonly NamedTerminal[] =>
  entriesIn(before)
    .map(one => (isLiving(one) ? one : { ...one, ...endOf(one) }))
    .filter(one => isLiving(one) || isKept(one))
