/**
 * How much slower this machine is than the one on which the floors of time were set: by the start of a bare Node, 25 ms
 * there. Machines are shared and differ by a factor of four; what is asked of a slower one is as much longer.
 */
import { spawnSync } from 'node:child_process'
import { quantile } from './live/processes.ts'

const usualMs = 25
const times = 15

/** At least 1. */
export const slownessOf = (bareStartMs: number): number => Math.max(1, bareStartMs / usualMs)

/** Takes a second or two. */
export function measureSlowness(): number {
  const taken = Array.from({ length: times }, () => {
    const begun = performance.now()
    spawnSync(process.execPath, ['-e', '0'])
    return performance.now() - begun
  })
  return slownessOf(quantile(taken, 0.5))
}

export const slownessLine = (slowness: number): string =>
  slowness === 1
    ? ''
    : `A bare Node starts in ${(usualMs * slowness).toFixed(0)} ms here, not in ${usualMs}: floors of time are taken ${slowness.toFixed(1)} times.\n\n`
