/** Quiet hours. */
import type { QuietHours } from '../rules/notify-rules.ts'

/** @param minute since midnight, local time */
export function isQuiet(quiet: QuietHours | undefined, minute: number): boolean {
  if (!quiet) return false
  const { from, to } = quiet
  return from < to ? minute >= from && minute < to : minute >= from || minute < to
}
