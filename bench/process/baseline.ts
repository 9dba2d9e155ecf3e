/**
 * The monitor of docs/seeds.md#004, as it stands there: processor time of the tree, and the root's I/O bytes, internet
 * connections and state, over its windows; its two verdicts of "Detection Strategy" name the cause.
 */
import type { ProcessCause } from '../../src/core/state.ts'
import { activeConnections, cpuMs, diskBytes, hasStdin, stateOf, treeOf } from './tree.ts'

type Level = 'HEALTHY' | 'SUSPICIOUS' | 'LIKELY_STUCK' | 'CONFIRMED_STUCK'

/** `at` and the others in ms and bytes since the sample before. */
export type Reading = {
  readonly at: number
  readonly cpuPercent: number
  readonly ioBytes: number
  readonly isConnected: boolean
  readonly state: string
  readonly hasStdin: boolean
}

/** Seconds: silence of stdout, samples' interval, history that is looked at, time at LIKELY_STUCK. */
export type Windows = {
  readonly silence: number
  readonly interval: number
  readonly history: number
  readonly confirm: number
}

/** "Time Windows": 300 s without output, 12 samples 5 s apart, 600 s until it is confirmed. */
export const ownWindows: Windows = { silence: 300, interval: 5, history: 60, confirm: 600 }
export const shortWindows: Windows = { silence: 1, interval: 0.5, history: 2, confirm: 2 }

/** Takes one reading after the other. Its own `cpu_percent` of new child objects is always 0: here children count. */
export function newMeter(root: number): () => Reading {
  let before = { at: performance.now(), cpu: 0, io: diskBytes(root) }
  for (const pid of treeOf(root)) before.cpu += cpuMs(pid)
  return () => {
    const at = performance.now()
    const cpu = treeOf(root).reduce((sum, pid) => sum + cpuMs(pid), 0)
    const io = diskBytes(root)
    const reading = {
      at,
      cpuPercent: Math.max(0, (100 * (cpu - before.cpu)) / Math.max(1, at - before.at)),
      ioBytes: io - before.io,
      isConnected: activeConnections(root) > 0,
      state: stateOf(root),
      hasStdin: hasStdin(root),
    }
    before = { at, cpu, io }
    return reading
  }
}

export type BaselineVerdict = { readonly level: Level; readonly cause: ProcessCause | 'hung' }

/**
 * What it says after `seconds` of such readings, the last of which is repeated for ever. `printsEvery` is the time
 * between two outputs, s: undefined where it prints nothing.
 */
export function judgeByWindows(
  readings: readonly Reading[],
  windows: Windows,
  seconds: number,
  printsEvery: number | undefined,
): BaselineVerdict {
  const last = readings.at(-1)
  if (!last) return { level: 'HEALTHY', cause: 'unknown' }
  const kept = Math.max(1, Math.round(windows.history / windows.interval))
  const history: Reading[] = []
  let level: Level = 'HEALTHY'
  let suspiciousSince = 0
  for (let i = 0, now = windows.interval; now <= seconds; i++, now += windows.interval) {
    const reading = readings[i] ?? last
    history.push(reading)
    if (history.length > kept) history.shift()
    if (reading.state === 'Z' || reading.state === 'T') {
      level = 'CONFIRMED_STUCK'
      break
    }
    if (history.length < kept) continue
    const silent = printsEvery === undefined ? now : printsEvery
    if (silent < windows.silence) {
      level = 'HEALTHY'
    } else if (level === 'HEALTHY') {
      level = 'SUSPICIOUS'
      suspiciousSince = now
    } else if (isActive(history)) {
      level = 'SUSPICIOUS'
    } else {
      level = now - suspiciousSince < windows.confirm ? 'LIKELY_STUCK' : 'CONFIRMED_STUCK'
    }
  }
  return { level, cause: causeOf(history) }
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length

/** "In SUSPICIOUS - check for activity". */
const isActive = (history: readonly Reading[]): boolean =>
  mean(history.map(reading => reading.cpuPercent)) > 1 ||
  history.reduce((sum, reading) => sum + reading.ioBytes, 0) > 1024 ||
  history.some(reading => reading.isConnected)

/** A reading with more shows high I/O; the document gives no number. */
const manyBytes = 1 << 20

/** "I/O Activity Patterns" and "Multi-Signal Approach": the row that fits. */
function causeOf(history: readonly Reading[]): ProcessCause | 'hung' {
  const last = history.at(-1) as Reading
  if (last.state === 'Z') return 'zombie'
  if (last.state === 'T' || last.state === 't') return 'stopped'
  const cpu = mean(history.map(reading => reading.cpuPercent))
  const io = mean(history.map(reading => reading.ioBytes))
  // "Computing: 50-100 %, low I/O. Disk I/O: 0-20 %, high": what lies between is given to the disk.
  if (cpu < 50 && (io > manyBytes || last.state === 'D')) return 'disk'
  if (cpu > 1) return 'computing'
  if (history.some(reading => reading.isConnected)) return 'network'
  return last.hasStdin && last.state === 'S' ? 'stdin' : 'hung'
}
