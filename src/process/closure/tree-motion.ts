/** What a tree did between the two scans of a pair, in figures. */

import type { Process, SnapshotPair } from '../snapshot.ts'
import type { Node } from './wait-graph.ts'

export type Motion = {
  /** Time between the looks, ms. */
  readonly ms: number
  /** Processors used, and waited for: 1 for one of them the whole time. */
  readonly cpu: number
  readonly delay: number
  /** Bytes to and from disks, a second. */
  readonly diskRate: number
  /** Page faults that had to read a disk, a second. */
  readonly faultRate: number
  /** The same threads of the same processes, and none of them ran. */
  readonly isStill: boolean
}

export function motionOf({ before, after }: SnapshotPair, nodes: readonly Node[]): Motion {
  const ms = Math.max(0, after.at - before.at)
  const earlier = new Map(before.processes.map(program => [program.pid, program]))
  const others = after.processes.filter(({ pid }) => pid !== after.supervisor)
  const pairs = others.map(program => {
    const was = earlier.get(program.pid)
    return { program, was: was?.startTicks === program.startTicks ? was : undefined }
  })
  const times = pairs.map(({ program, was }) => timesOf(program, was, ms * 1e6))
  const rate = (amount: (program: Process) => number): number => {
    if (ms === 0) return 0
    const sum = pairs.reduce((all, { program, was }) => all + (was ? amount(program) - amount(was) : 0), 0)
    return (Math.max(0, sum) / ms) * 1000
  }
  const isSame =
    pairs.length === before.processes.filter(({ pid }) => pid !== after.supervisor).length &&
    pairs.every(({ was }) => was !== undefined)
  return {
    ms,
    cpu: ms === 0 ? 0 : times.reduce((sum, { cpu }) => sum + cpu, 0) / (ms * 1e6),
    delay: ms === 0 ? 0 : times.reduce((sum, { delay }) => sum + delay, 0) / (ms * 1e6),
    diskRate: rate(({ io }) => (io ? io.readBytes + io.writeBytes : 0)),
    faultRate: rate(({ majorFaults }) => majorFaults),
    isStill: isSame && nodes.every(({ moved, isHousekeeping }) => !moved || isHousekeeping),
  }
}

/** What is new between the looks has used no more than the time between them. */
function timesOf(program: Process, was: Process | undefined, most: number): { cpu: number; delay: number } {
  const before = new Map(was?.threads.map(thread => [thread.tid, thread]))
  let cpu = 0
  let delay = 0
  for (const thread of program.threads) {
    const then = before.get(thread.tid)
    cpu += then ? Math.max(0, thread.cpu - then.cpu) : Math.min(thread.cpu, most)
    delay += then ? Math.max(0, thread.delay - then.delay) : Math.min(thread.delay, most)
  }
  return { cpu, delay }
}
