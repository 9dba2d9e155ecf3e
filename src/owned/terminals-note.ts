/**
 * Which terminals the server holds, in a file: where it was killed, the next command tells what ended with it. The server
 * alone writes it.
 */
import { renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isRecord } from '../core/trace/trace.ts'
import { attempt } from '../os/attempt.ts'
import { readJsonFile } from '../os/file/json-file.ts'
import type { Places } from '../os/file/places.ts'
import { markOf } from '../os/proc/alive.ts'
import type { OwnedTerminal } from './terminal-messages.ts'

const fileOf = ({ runtime }: Places): string => path.join(runtime, 'terminals.json')

export type NotedTerminal = { readonly name: string; readonly pid: number; readonly start: string }

export function noteTerminals(places: Places, terminals: readonly OwnedTerminal[]): void {
  const open = terminals.filter(({ end }) => !end)
  const noted = Object.fromEntries(open.map(({ name, pid }) => [name, markOf(pid)]))
  const file = fileOf(places)
  // What can't be noted, a full disk's affair, is missing in a sentence.
  attempt(() => {
    writeFileSync(`${file}.new`, JSON.stringify(noted), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  })
}

export const readNoted = (places: Places): readonly NotedTerminal[] =>
  Object.entries(readJsonFile(fileOf(places))).flatMap(([name, mark]) => {
    if (!isRecord(mark)) return []
    const { pid, start } = mark
    return typeof pid === 'number' && typeof start === 'string' ? [{ name, pid, start }] : []
  })
