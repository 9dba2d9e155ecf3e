/** The last minute of a tree in twelve figures, as docs/seeds.md#004 keeps it, whatever the pace of the samples. */
import type { Instant } from '../../core/state.ts'
import { type Metrics, noMetrics } from '../../process/metrics.ts'
import { always } from './presets.ts'

export type MetricsHistory = {
  /** The oldest first, each over the same time. */
  readonly done: readonly Metrics[]
  /** What has been added since the last of them. */
  readonly open: Metrics
  readonly openSince: Instant
  readonly openUntil: Instant
}

export const newHistory = (at: Instant): MetricsHistory => ({
  done: [],
  open: noMetrics,
  openSince: at,
  openUntil: at,
})

/** Adds what was used since the sample before. */
export function pushMetrics(history: MetricsHistory, at: Instant, metrics: Metrics): MetricsHistory {
  const { openSince, openUntil } = history
  const open = joined(history.open, openUntil - openSince, metrics, Math.max(0, at - openUntil))
  if (at - openSince < always.interval) return { ...history, open, openUntil: at }
  const done = [...history.done, open].slice(-always.samples)
  return { done, open: noMetrics, openSince: at, openUntil: at }
}

/** Time that must not count (the sampler was late, the machine slept): what is open is begun again. */
export const skipTime = (history: MetricsHistory, at: Instant): MetricsHistory => ({
  ...history,
  open: noMetrics,
  openSince: at,
  openUntil: at,
})

/** Rates weigh by their time, amounts add up, connections count where there were any, the rest is as it is now. */
function joined(a: Metrics, aMs: number, b: Metrics, bMs: number): Metrics {
  const whole = aMs + bMs
  const mean = (x: number, y: number): number => (whole > 0 ? (x * aMs + y * bMs) / whole : y)
  return {
    ...b,
    cpuPercent: mean(a.cpuPercent, b.cpuPercent),
    delayPercent: mean(a.delayPercent, b.delayPercent),
    ioBytes: a.ioBytes + b.ioBytes,
    connections: Math.max(a.connections, b.connections),
  }
}

export type Window = {
  /** There are enough samples to judge by. */
  readonly isFull: boolean
  readonly cpuPercent: number
  readonly ioBytes: number
  readonly isConnected: boolean
}

/** The last minute as one. */
export function windowOf({ done }: MetricsHistory): Window {
  let cpu = 0
  let ioBytes = 0
  let isConnected = false
  for (const { cpuPercent, ioBytes: io, connections } of done) {
    cpu += cpuPercent
    ioBytes += io
    isConnected ||= connections > 0
  }
  return {
    isFull: done.length >= always.samples,
    cpuPercent: done.length > 0 ? cpu / done.length : 0,
    ioBytes,
    isConnected,
  }
}
