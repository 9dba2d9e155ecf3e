/** Whether what was sent has been read: a shell that has not yet taken its input looks as ready as one that has done it. */
import { type Probe, readingOf } from './probed.ts'

/**
 * By the reader's own count of bytes, and where that is hidden by its waking up at all.
 * @param before a look from before the bytes were sent, `after` one from later
 * @param bytes how many were sent, beyond what the terminal itself takes away
 * @returns undefined where nothing tells it: another user's program, or no /proc
 */
export function isConsumed(before: Probe, after: Probe, bytes: number): boolean | undefined {
  if (before.inner && after.inner) return isConsumed(before.inner, after.inner, bytes)
  if (after.gone) return true
  const reader = before.processes.findLast(readingOf) ?? before.processes.at(-1)
  if (!reader) return undefined
  const now = after.processes.find(({ pid }) => pid === reader.pid)
  // It is no longer in the foreground: it took its input and began something, or has ended.
  if (!now) return true
  if (after.queued !== undefined && after.queued > 0) return false
  if (reader.readChars !== undefined && now.readChars !== undefined) {
    return now.readChars - reader.readChars >= bytes
  }
  // One that wakes by itself would pass by waking.
  if (reader.switches === undefined || now.switches === undefined) return undefined
  return readingOf(reader)?.isTimed ? undefined : now.switches > reader.switches
}
