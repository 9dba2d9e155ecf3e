/** Durations on the command line. */
import { isLullError, LullError } from '../../core/lull-error.ts'
import { parseDuration } from '../../core/text/duration.ts'

/**
 * The value of `option`, ms.
 * @throws {LullError} USAGE where it has no unit, or is none
 */
export function readDuration(option: string, text: string): number {
  try {
    return parseDuration(text)
  } catch (error) {
    if (isLullError(error, 'BAD_DURATION'))
      throw new LullError('USAGE', `${option} ${text}: ${error.message}`)
    throw error
  }
}
