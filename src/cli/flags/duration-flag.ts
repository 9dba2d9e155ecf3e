/** Durations on the command line. */
import { DurationError, parseDuration } from '../../core/text/duration.ts'
import { UsageError } from '../exit.ts'

/**
 * The value of `option`, ms.
 * @throws {UsageError} where it has no unit, or is none
 */
export function readDuration(option: string, text: string): number {
  try {
    return parseDuration(text)
  } catch (error) {
    if (error instanceof DurationError) throw new UsageError(`${option} ${text}: ${error.message}`)
    throw error
  }
}
