/**
 * Whether what was typed has been read, by the reader's own count, and where that is hidden, by what it prints: a shell that
 * has not yet taken its input looks as ready as one that has done it. Pure.
 */
import { type Probe, readingOf, type StreamMarks } from './probe/probed.ts'

/** Where a program's reading is hidden, it has read what it will once nothing was printed for so long: ms. */
const hiddenQuiet = 300

export type Typed = {
  /** A probe from right before. */
  readonly before: Probe
  readonly bytes: number
  /** When they were typed, on the clock of the probes: what is printed from then on may come of them. */
  readonly at: number
  /** Enter was the last of them. */
  readonly isEntered: boolean
}

export function hasConsumed({ before, bytes, at, isEntered }: Typed, now: Probe): boolean {
  if (now.gone) return true
  if (isEntered && now.stream && hasLeftPrompt(now.stream, at)) return true
  if (isEntered && isUnanswered(before, at, now)) return false
  // Typed ahead: what does not read yet has taken nothing, even when it makes room for another.
  if (!isReading(before))
    return now.at - at > arrivalMs && isReading(now) && (ofTerminal(now).queued ?? 0) === 0
  const isRead = isConsumed(before, now, bytes)
  if (isRead !== undefined) return isRead
  return now.at - Math.max(at, now.stream?.lastOutput ?? at) >= hiddenQuiet
}

/**
 * Who shows what is typed ends the line on Enter. Before that shows, what the program printed may be on its way, too, and an
 * earlier screen looks as ready. One that shows nothing is waited for as where reading is hidden.
 */
function isUnanswered(before: Probe, at: number, { stream, at: now }: Probe): boolean {
  const { termios } = ofTerminal(before)
  const showsKeys = termios?.canonical === false || termios?.echo === true
  return showsKeys && stream !== undefined && stream.lastOutput < at && now - at < hiddenQuiet
}

/** What tmux was asked to paste is in the terminal by then: ms. */
const arrivalMs = 10

const ofTerminal = (probe: Probe): Probe => probe.inner ?? probe

/** Somebody waits for input, or nobody can be asked. */
export const isReading = (probe: Probe): boolean =>
  ofTerminal(probe).processes.some(({ calls }) =>
    calls.some(({ type }) => type === 'reads' || type === 'hidden'),
  )

/** The program left its prompt since: bracketed paste goes off on Enter, and shells mark where a command runs. */
const hasLeftPrompt = ({ bracketedPaste, semantic }: StreamMarks, at: number): boolean =>
  (bracketedPaste !== undefined && !bracketedPaste.on && bracketedPaste.at >= at) ||
  (semantic?.mark === 'C' && semantic.at >= at)

/**
 * By the reader's own count of bytes, and where that is hidden by its waking up at all.
 * @param before a probe from before the bytes were sent, `after` one from later
 * @param bytes how many were sent, beyond what the terminal itself takes away
 * @returns undefined where that is not known: another user's program, or no /proc
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
