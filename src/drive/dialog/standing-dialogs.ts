/**
 * Dialogs that a key has answered and that still stand: their agent has not read the key yet (it may be stopped, or busy), and
 * another key would answer the dialog after it, which nobody has seen. One small file, which every lull of this user reads.
 */
import path from 'node:path'
import { isRecord } from '../../core/trace/trace.ts'
import { changeJsonFile, readJsonFile } from '../../os/file/json-file.ts'
import { placesOf } from '../../os/file/places.ts'
import { keyOfPane } from '../../sessions/typed-file.ts'

/** What an agent has not read by then, it has dropped. ms */
const readWithinMs = 5 * 60_000

const fileOf = (): string => path.join(placesOf().runtime, 'panes', 'answered.json')

const isOfNow = (entry: unknown, wall: number): entry is { readonly dialog: string; readonly at: number } =>
  isRecord(entry) &&
  typeof entry.dialog === 'string' &&
  typeof entry.at === 'number' &&
  Math.abs(wall - entry.at) < readWithinMs

/** The id of the dialog in a pane that was answered by a key and had not gone then. */
export function answeredIn(socket: string, pane: string, wall: number): string | undefined {
  const entry = readJsonFile(fileOf())[keyOfPane(socket, pane)]
  return isOfNow(entry, wall) ? entry.dialog : undefined
}

/** @param dialog undefined where it has gone */
export async function noteAnswered(
  socket: string,
  pane: string,
  dialog: string | undefined,
  wall: number,
): Promise<void> {
  const key = keyOfPane(socket, pane)
  if (dialog === undefined && answeredIn(socket, pane, wall) === undefined) return
  const note = changeJsonFile(fileOf(), before => {
    const others = Object.entries(before).filter(([other, entry]) => other !== key && isOfNow(entry, wall))
    return Object.fromEntries([...others, ...(dialog === undefined ? [] : [[key, { dialog, at: wall }]])])
  })
  await note.catch(() => undefined)
}
