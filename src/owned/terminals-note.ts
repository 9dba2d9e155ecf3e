/**
 * Which terminals the server holds, in a file: where it was killed, the next command tells what ended with it. Beside them those
 * that were closed a while ago, so that who only looks up a name asks no server. The server alone writes it, while it lives.
 */

import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isRecord } from '../core/trace/trace.ts'
import { attempt } from '../os/attempt.ts'
import { readJsonFile } from '../os/file/json-file.ts'
import type { Places } from '../os/file/places.ts'
import { markOf } from '../os/proc/alive.ts'
import type { ClosedName } from './closed-names.ts'
import type { OwnedTerminal } from './terminal-messages.ts'
import { isNameKept } from './terminal-name.ts'

/** The lock of the server that writes the note. */
export const serverLock = ({ runtime }: Places): string => path.join(runtime, 'terminals.lock')

const fileOf = ({ runtime }: Places): string => path.join(runtime, 'terminals.json')

export type NotedTerminal = { readonly name: string; readonly pid: number; readonly start: string }

export function noteTerminals(
  places: Places,
  terminals: readonly OwnedTerminal[],
  closed: readonly ClosedName[],
): void {
  const open = terminals.filter(({ end }) => !end)
  write(
    fileOf(places),
    Object.fromEntries([
      ...closed.map(({ name, closedAt }) => [name, { closedAt }] as const),
      ...open.map(({ name, pid }) => [name, markOf(pid)] as const),
    ]),
  )
}

function write(file: string, noted: object): void {
  // What can't be noted, a full disk's affair, is missing in a sentence.
  attempt(() => {
    rmSync(`${file}.new`, { force: true, recursive: true })
    writeFileSync(`${file}.new`, JSON.stringify(noted), { mode: 0o600, flag: 'wx' })
    renameSync(`${file}.new`, file)
  })
}

/** Changes with each terminal that was opened, has ended or was closed. */
export const notedVersion = (places: Places): string => {
  const stat = attempt(() => statSync(fileOf(places)))
  return stat ? `${stat.ino} ${stat.mtimeMs} ${stat.size}` : ''
}

export const readNoted = (places: Places): readonly NotedTerminal[] => openIn(readJsonFile(fileOf(places)))

const openIn = (noted: Readonly<Record<string, unknown>>): readonly NotedTerminal[] =>
  Object.entries(noted).flatMap(([name, mark]) => {
    if (!isRecord(mark)) return []
    const { pid, start } = mark
    return typeof pid === 'number' && typeof start === 'string' ? [{ name, pid, start }] : []
  })

/** When the terminal of this name was closed, ms since the epoch, while its name is kept. */
export function closedAt(places: Places, name: string): number | undefined {
  const file = fileOf(places)
  // Most people never had one.
  if (!existsSync(file)) return undefined
  const noted = readJsonFile(file)
  return Object.hasOwn(noted, name) ? keptSince(noted[name]) : undefined
}

const keptSince = (mark: unknown): number | undefined =>
  isRecord(mark) && typeof mark.closedAt === 'number' && isNameKept(mark.closedAt, Date.now())
    ? mark.closedAt
    : undefined

/**
 * What a server that was killed has noted: names that it kept, and those of what it held, which is gone with it.
 * @param now ms since the epoch
 */
export function keptNames(places: Places, now: number): readonly ClosedName[] {
  const noted = readJsonFile(fileOf(places))
  const kept = Object.entries(noted).flatMap(([name, mark]) => {
    const at = keptSince(mark)
    return at === undefined ? [] : [{ name, closedAt: Math.min(at, now) }]
  })
  return [...kept, ...openIn(noted).map(({ name }) => ({ name, closedAt: now }))]
}

/** To be called where no server lives that would write it anew. */
export function forgetNoted(places: Places, name: string): void {
  const file = fileOf(places)
  write(file, Object.fromEntries(Object.entries(readJsonFile(file)).filter(([other]) => other !== name)))
}
