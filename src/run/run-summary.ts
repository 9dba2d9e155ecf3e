/** What a run was made of: how long it computed, waited and did nothing that is known, and how much memory it took. */

import type { Instant } from '../core/state.ts'
import { formatDuration } from '../core/text/duration.ts'
import { always } from './step/presets.ts'
import type { RunVerdict } from './step/run-verdict.ts'

export type RunSummary = {
  /** ms, from start to end; the three parts add up to it, or to none where it was over before the first look. */
  readonly total: number
  /** It used 1 % of a processor or more. */
  readonly computing: number
  /** It woke now and then, or something is known that will wake it: a timer, the network, a disk, a person. */
  readonly waiting: number
  /** Nothing of it ran, and nothing is known that will. */
  readonly quiet: number
  /** The most that all its processes held at once, as far as it was looked at, bytes. */
  readonly peakBytes: number
}

export type RunTally = ReturnType<typeof createTally>

export function createTally(from: Instant) {
  const parts = { computing: 0, waiting: 0, quiet: 0, peakBytes: 0 }
  let last = from
  let part: Part | undefined
  /** The quiet time since the last diagnosis: the next one decides what it was. */
  let unknown = 0
  return {
    add(verdict: RunVerdict, moved: boolean): void {
      const { at, metrics } = verdict
      part = partOf(verdict, moved)
      const passed = Math.max(0, at - last)
      if (part === 'quiet' && verdict.diagnosis === undefined) unknown += passed
      else {
        parts[part] += passed
        parts[moved ? 'quiet' : part] += unknown
        unknown = 0
      }
      parts.peakBytes = Math.max(parts.peakBytes, metrics.residentBytes)
      last = at
    },
    /** With the time since the last sample taken for what it was then. */
    summary(at: Instant): Omit<RunSummary, 'total'> {
      const all = { ...parts, quiet: parts.quiet + unknown }
      return part ? { ...all, [part]: all[part] + Math.max(0, at - last) } : all
    },
  }
}

type Part = 'computing' | 'waiting' | 'quiet'

function partOf({ metrics, diagnosis }: RunVerdict, moved: boolean): Part {
  if (metrics.cpuPercent >= always.busyCpu) return 'computing'
  if (moved) return 'waiting'
  return diagnosis && !diagnosis.isBlocked && diagnosis.cause !== 'unknown' ? 'waiting' : 'quiet'
}

/** One line. */
export function describeSummary({ total, computing, waiting, quiet, peakBytes }: RunSummary): string {
  const parts = [
    ['computing', computing],
    ['waiting', waiting],
    ['quiet', quiet],
  ] as const
  const shown = parts.filter(([, ms]) => ms >= 50).map(([name, ms]) => `${name} ${formatDuration(ms)}`)
  const memory = peakBytes > 0 ? `; peak memory ${formatBytes(peakBytes)}` : ''
  return `${formatDuration(total)}${shown.length > 0 ? `: ${shown.join(', ')}` : ''}${memory}`
}

const formatBytes = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
