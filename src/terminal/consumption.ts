/** Whether what was typed has been read: by the reader's own count, and where that is hidden, by what it prints. */
import { isConsumed } from './probe/consumed.ts'
import type { Probe, StreamMarks } from './probe/probed.ts'

/** Where a program's reading is hidden, it has read what it will once nothing was printed for so long: ms. */
const hiddenQuiet = 300

export type Typed = {
  /** A look from right before. */
  readonly before: Probe
  readonly bytes: number
  /** When they were typed, on the clock of the probes: what is printed from then on may come of them. */
  readonly at: number
  /** Enter was the last of them. */
  readonly isEntered: boolean
}

export function hasConsumed({ before, bytes, at, isEntered }: Typed, now: Probe): boolean {
  if (now.gone) return true
  if (isEntered && now.stream && tells(now.stream, at)) return true
  // Typed ahead: what does not read yet has taken nothing, even when it makes room for another.
  if (!isReading(before))
    return now.at - at > arrivalMs && isReading(now) && (ofTerminal(now).queued ?? 0) === 0
  const isRead = isConsumed(before, now, bytes)
  if (isRead !== undefined) return isRead
  return now.at - Math.max(at, now.stream?.lastOutput ?? at) >= hiddenQuiet
}

/** What tmux was told to paste is in the terminal by then: ms. */
const arrivalMs = 10

const ofTerminal = (probe: Probe): Probe => probe.inner ?? probe

/** Somebody waits for input, or nobody can be asked. */
export const isReading = (probe: Probe): boolean =>
  ofTerminal(probe).processes.some(({ calls }) =>
    calls.some(({ type }) => type === 'reads' || type === 'hidden'),
  )

/** The program left its prompt since: bracketed paste goes off on Enter, and shells mark where a command runs. */
const tells = ({ bracketedPaste, semantic }: StreamMarks, at: number): boolean =>
  (bracketedPaste !== undefined && !bracketedPaste.on && bracketedPaste.at >= at) ||
  (semantic?.mark === 'C' && semantic.at >= at)
