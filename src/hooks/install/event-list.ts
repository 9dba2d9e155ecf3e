/** Reads which events a program knows from its own files, hundreds of MB of them, in pieces. */
import { readSync } from 'node:fs'
import type { EventList } from '../../agents/kit/hook-plan.ts'
import { attempt } from '../../os/attempt.ts'
import { withPlain } from '../../os/file/plain-file.ts'

const pieceBytes = 4 * 1024 * 1024
/** What stands around an anchor and is looked at; also how much of a piece the next one repeats. */
const aroundBytes = 4096

/**
 * The events that these files list together.
 * @returns undefined where there is no list that holds the names it must
 */
export function eventsIn(files: readonly string[], list: EventList): ReadonlySet<string> | undefined {
  const names = new Set<string>()
  const needle = Buffer.from(list.near)
  const buffer = Buffer.alloc(pieceBytes + 2 * aroundBytes)
  for (const file of files) {
    attempt(() => withPlain(file, fd => scan(fd, buffer, needle, text => collect(text, list, names))))
  }
  return list.holds.every(name => names.has(name)) ? names : undefined
}

/** Calls with the text around each place where the needle stands. */
function scan(fd: number, buffer: Buffer, needle: Buffer, look: (text: string) => void): void {
  for (let at = 0; ; at += pieceBytes) {
    const size = readSync(fd, buffer, 0, buffer.length, at)
    const piece = buffer.subarray(0, size)
    for (let hit = piece.indexOf(needle); hit >= 0; hit = piece.indexOf(needle, hit + needle.length)) {
      look(piece.toString('latin1', Math.max(0, hit - aroundBytes), hit + aroundBytes))
    }
    if (size < buffer.length) return
  }
}

/** What a pattern finds: names one by one, or the whole list at once. A program holds parts of the list as well. */
function collect(text: string, { pattern, holds }: EventList, names: Set<string>): void {
  for (const [, found = ''] of text.matchAll(pattern)) {
    const listed: readonly string[] = found.match(/[A-Za-z]+/g) ?? []
    const isList = listed.length > 1
    if (isList && (listed.length < names.size || !holds.every(name => listed.includes(name)))) continue
    if (isList) names.clear()
    for (const name of listed) names.add(name)
  }
}
