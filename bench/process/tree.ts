/** A process tree as /proc tells it, for the bench alone: nothing here is shared with what it judges. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** The root first, then its descendants. */
export function treeOf(root: number): number[] {
  const all = [root]
  for (const pid of all) {
    for (const tid of list(`/proc/${pid}/task`)) {
      const children = read(`/proc/${pid}/task/${tid}/children`).split(' ').filter(Boolean)
      all.push(...children.map(Number).filter(child => !all.includes(child)))
    }
  }
  return all
}

/** Time slices that all threads have had. */
export function slicesOf(root: number): number {
  let slices = 0
  for (const pid of treeOf(root)) {
    for (const tid of list(`/proc/${pid}/task`))
      slices += Number(read(`/proc/${pid}/task/${tid}/schedstat`).split(' ')[2] ?? 0)
  }
  return slices
}

/** Processor time of a process, ms, in the kernel's ticks of 10 ms; with `dead`, that of its ended children too. */
export function cpuMs(pid: number, dead = false): number {
  const fields = stat(pid)
  const own = Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
  return 10 * (own + (dead ? Number(fields[13] ?? 0) + Number(fields[14] ?? 0) : 0))
}

/** R S D T t Z, or X where it is gone. */
export const stateOf = (pid: number): string => stat(pid)[0] ?? 'X'

/** `read_bytes` and `write_bytes`: what psutil's io_counters calls so. */
export function diskBytes(pid: number): number {
  const io = read(`/proc/${pid}/io`)
  return ['read_bytes', 'write_bytes']
    .map(name => Number(io.match(new RegExp(`^${name}: (\\d+)`, 'm'))?.[1] ?? 0))
    .reduce((a, b) => a + b, 0)
}

const active = new Set(['01', '02', '03'])

/** Its internet connections in ESTABLISHED, SYN_SENT or SYN_RECV. */
export function activeConnections(pid: number): number {
  const inodes = new Set(
    list(`/proc/${pid}/fd`).flatMap(
      fd => link(`/proc/${pid}/fd/${fd}`).match(/^socket:\[(\d+)\]$/)?.[1] ?? [],
    ),
  )
  if (inodes.size === 0) return 0
  const rows = ['tcp', 'tcp6'].flatMap(name => read(`/proc/${pid}/net/${name}`).split('\n').slice(1))
  return rows
    .map(row => row.trim().split(/\s+/))
    .filter(fields => active.has(fields[3] ?? '') && inodes.has(fields[9] ?? '')).length
}

export const hasStdin = (pid: number): boolean => link(`/proc/${pid}/fd/0`) !== ''

const stat = (pid: number): string[] => {
  const text = read(`/proc/${pid}/stat`)
  return text === '' ? [] : text.slice(text.lastIndexOf(')') + 2).split(' ')
}

const or = <T>(ask: () => T, otherwise: T): T => {
  try {
    return ask()
  } catch {
    return otherwise
  }
}
const read = (file: string): string => or(() => readFileSync(file, 'latin1'), '')
const list = (folder: string): string[] => or(() => readdirSync(folder), [])
const link = (file: string): string => or(() => readlinkSync(file), '')
