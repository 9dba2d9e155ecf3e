/** Durations on the command line: a bare number is seconds. */

import { isLullError, LullError } from '../../core/lull-error.ts'
import { parseTyped } from '../../core/text/duration.ts'
/**
 * The value of `option`, ms.
 * @throws {LullError} USAGE where it is none
 */
export function readDuration(option: string, text: string): number {
  try {
    return parseTyped(text)
  } catch (error) {
    if (isLullError(error, 'BAD_DURATION'))
      throw new LullError('USAGE', `${option} ${text}: ${error.message}`)
    throw error
  }
}

/** The value of a flag that may be missing, ms. @throws {LullError} USAGE, with the flag in front of what is wrong */
export function durationFlag(flag: string, text: string | undefined): number | undefined {
  try {
    return text === undefined ? undefined : parseTyped(text)
  } catch (error) {
    throw new LullError('USAGE', `${flag}: ${(error as Error).message}`)
  }
}
