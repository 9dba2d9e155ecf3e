/** Reads a settings file as text, once nobody is in the middle of writing it. */

import { setTimeout as pause } from 'node:timers/promises'
import { attempt } from '../../os/attempt.ts'
import { hasCode } from '../../os/error-code.ts'
import { hasWriter } from '../../os/file/exchange.ts'
import { readPlain, withPlain } from '../../os/file/plain-file.ts'
import { leftAsItIs, refused } from './install-error.ts'

/** A program that rewrites its settings in place has them torn for less than this. */
const tornMs = 100
/** How long a program may hold the file open to write before it is taken for one that always does. */
const longestWriteMs = 2000
const lookEveryMs = 5

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * What a file holds, a byte order mark included; undefined where there is none.
 * @throws {LullError} INSTALL_REFUSED where it is no file, too large, or no UTF-8
 */
export function readText(file: string, named: string): string | undefined {
  let bytes: Buffer
  try {
    bytes = readPlain(file)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw refused(error, named)
  }
  const text = attempt(() => decoder.decode(bytes))
  if (text === undefined) throw leftAsItIs(`${named} is no UTF-8 text`)
  return text
}

/** Reads until what is there is whole, or stays torn: then it was left so. */
export async function readWhole(
  file: string,
  named: string,
  isWhole: (text: string) => boolean,
): Promise<string | undefined> {
  for (let waited = 0; ; waited += lookEveryMs) {
    const text = readText(file, named)
    if (text === undefined || isWhole(text) || waited > tornMs) return text
    await pause(lookEveryMs)
  }
}

/** Reads a file that lull has put aside, once nobody can write into it any more. `isFinal` is false where somebody may. */
export async function readLast(file: string, named: string): Promise<{ text: string; isFinal: boolean }> {
  for (let waited = 0; ; waited += lookEveryMs) {
    const text = readText(file, named) ?? ''
    const isWritten = attempt(() => withPlain(file, hasWriter)) ?? waited < tornMs
    if (!isWritten) return { text: readText(file, named) ?? '', isFinal: true }
    if (waited > longestWriteMs) return { text, isFinal: false }
    await pause(lookEveryMs)
  }
}
