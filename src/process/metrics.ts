/** What a tree used since the sample before, in figures for people and for the rules of docs/seeds.md#004. */
import type { Process, Snapshot } from './snapshot.ts'

export type Metrics = {
  /** Of one processor: 200 for two that are busy. */
  readonly cpuPercent: number
  /** Time that threads could have run and got no processor, of one processor. */
  readonly delayPercent: number
  /** Bytes read and written since the sample before, without sockets where the kernel leaves them out. */
  readonly ioBytes: number
  /** Internet connections of all processes, as the last deep look found them. */
  readonly connections: number
  readonly threads: number
  readonly fds: number
  readonly residentBytes: number
  readonly processes: number
}

export const noMetrics: Metrics = {
  cpuPercent: 0,
  delayPercent: 0,
  ioBytes: 0,
  connections: 0,
  threads: 0,
  fds: 0,
  residentBytes: 0,
  processes: 0,
}

/** What a tick in which nothing ran leaves of the figures before: nothing was used, and all else is as it was. */
export const atRest = (metrics: Metrics): Metrics => ({
  ...metrics,
  cpuPercent: 0,
  delayPercent: 0,
  ioBytes: 0,
})

/** Through read, write and their kin, or through the disk where that is more (mapped files). */
const ioOf = ({ io }: Process): number =>
  io ? Math.max(io.readChars, io.readBytes) + Math.max(io.writeChars, io.writeBytes) : 0

type Used = { readonly cpu: number; readonly delay: number; readonly io: number }

/**
 * ns, ns, bytes. A process that is new counts with all that it used; what one used that has ended is lost. Without lists on
 * the way: a tree may hold thousands, and is measured every few seconds.
 */
function usedBetween(before: Snapshot, after: Snapshot): Used {
  const old = new Map(before.processes.map(process => [process.pid, process]))
  let [cpu, delay, io] = [0, 0, 0]
  for (const process of after.processes) {
    const found = old.get(process.pid)
    const was = found?.startTicks === process.startTicks ? found : undefined
    // A thread that ended takes its times with it: never less than nothing.
    cpu += Math.max(0, sum(process, 'cpu') - (was ? sum(was, 'cpu') : 0))
    delay += Math.max(0, sum(process, 'delay') - (was ? sum(was, 'delay') : 0))
    io += Math.max(0, ioOf(process) - (was ? ioOf(was) : 0))
  }
  return { cpu, delay, io }
}

function sum({ threads }: Process, field: 'cpu' | 'delay'): number {
  let total = 0
  for (const thread of threads) total += thread[field]
  return total
}

/** The same threads in the same order, as two scans of an unchanged tree find them; `ran`: none of them ran, either. */
export function isSameTree(a: Snapshot, b: Snapshot, ran: 'whatever ran' | 'nothing ran'): boolean {
  return (
    a.processes.length === b.processes.length &&
    a.processes.every((process, index) => {
      const other = b.processes[index]
      return (
        other?.startTicks === process.startTicks &&
        other.threads.length === process.threads.length &&
        process.threads.every((thread, at) => {
          const same = other.threads[at]
          const isSame = same?.tid === thread.tid
          return (
            isSame && (ran === 'whatever ran' || (same.cpu === thread.cpu && same.slices === thread.slices))
          )
        })
      )
    })
  )
}

function connectionsOf({ processes }: Snapshot): number {
  const inodes = new Set<string>()
  for (const { fds } of processes)
    for (const target of Object.values(fds))
      if ((target.type === 'tcp' && target.state !== 'listen') || target.type === 'udp')
        inodes.add(target.inode)
  return inodes.size
}

/**
 * @param before none for the first sample: then nothing was used yet
 * @param last the sample before, for what this snapshot did not look at
 */
export function measure(before: Snapshot | undefined, after: Snapshot, last: Metrics): Metrics {
  const used = before ? usedBetween(before, after) : { cpu: 0, delay: 0, io: 0 }
  const elapsed = before ? Math.max(1, after.at - before.at) * 1e6 : 1
  const isDeep = after.processes.some(({ fds }) => Object.keys(fds).length > 0)
  return {
    cpuPercent: (100 * used.cpu) / elapsed,
    delayPercent: (100 * used.delay) / elapsed,
    ioBytes: used.io,
    connections: isDeep ? connectionsOf(after) : last.connections,
    threads: after.processes.reduce((sum, { threads }) => sum + threads.length, 0),
    fds: after.processes.reduce((sum, { fdCount }) => sum + (fdCount ?? 0), 0),
    residentBytes: after.processes.reduce((sum, { residentBytes }) => sum + residentBytes, 0),
    processes: after.processes.length,
  }
}
