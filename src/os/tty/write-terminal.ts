/** A few bytes to a terminal of this user's, whatever else writes there. */
import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs'
import { codeOf } from '../error-code.ts'
import { isTerminal } from './tty.ts'

/**
 * In one piece, without waiting and without taking the terminal: what reads its keys sees nothing of it.
 * @returns why not, as a clause; undefined where it was written
 */
export function writeTerminal(path: string, bytes: string): string | undefined {
  if (!isTerminal(path)) return 'it is no terminal'
  let fd: number
  try {
    fd = openSync(path, constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
  } catch (error) {
    return `it can’t be opened (${codeOf(error) ?? 'unknown'})`
  }
  try {
    const stat = fstatSync(fd)
    if (!stat.isCharacterDevice()) return 'it is no terminal'
    if (stat.uid !== process.getuid?.()) return 'it belongs to another user'
    const whole = Buffer.from(bytes)
    return writeSync(fd, whole) === whole.length ? undefined : 'it takes no more output'
  } catch (error) {
    return codeOf(error) === 'EAGAIN'
      ? 'its output is stopped'
      : `it takes no output (${codeOf(error) ?? 'unknown'})`
  } finally {
    closeSync(fd)
  }
}
