/** `/proc/PID/stat`: what the kernel reports about a process or a thread in one line, and relatives found by it. */
import { readdirSync } from 'node:fs'
import os from 'node:os'
import { attempt } from '../attempt.ts'
import { readText } from './proc-file.ts'

/** Those that run; none where there is no /proc. @param session the pid of its first process */
export function membersOfSession(session: number): readonly number[] {
  const names = attempt(() => readdirSync('/proc')) ?? []
  return names
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => {
      const stat = readStat(pid)
      return stat?.session === session && stat.state !== 'Z'
    })
}

/**
 * Children hang off the thread that started them. None where the kernel lists none (CONFIG_PROC_CHILDREN).
 * @param tids the threads that are asked; all where not given
 */
export const childrenOf = (
  pid: number,
  tids: readonly (number | string)[] = threadsOf(pid),
): readonly number[] =>
  tids.flatMap(tid =>
    readText(`/proc/${pid}/task/${tid}/children`).trim().split(' ').filter(Boolean).map(Number),
  )

const threadsOf = (pid: number): readonly string[] => attempt(() => readdirSync(`/proc/${pid}/task`)) ?? []

/** `pid` itself, its parent, and so on, as far as they live: `most` of them. */
export function* ancestors(pid: number, most: number): Generator<number> {
  let at = pid
  for (let step = 0; step < most && at > 1; step++) {
    const stat = readStat(at)
    if (!stat) return
    yield at
    at = stat.parent
  }
}

/** `SIGKILL` for `9`, as the kernel has it, and for `KILL`, as tmux may say; what is none of these stays as it is. */
export function signalName(text: string): string {
  const known = Object.entries(os.constants.signals).find(
    ([name, number]) => String(number) === text || name === text || name === `SIG${text}`,
  )
  return known?.[0] ?? text
}

export type Stat = {
  /** Of a thread, its thread id. */
  readonly pid: number
  readonly name: string
  /** R S D T t Z X I. */
  readonly state: string
  readonly parent: number
  /** Its process group. */
  readonly group: number
  readonly session: number
  /** Device number of its controlling terminal; 0 for none. */
  readonly tty: number
  /** The process group that this terminal listens to; -1 where there is none. */
  readonly foreground: number
  /** PF_ bits of linux/sched.h. */
  readonly flags: number
  readonly majorFaults: number
  readonly threads: number
  /** Field 22: when it started, in ticks since boot, as the kernel writes it. */
  readonly startTicks: string
  readonly residentPages: number
  /** Where its code and its stack begin; '0' where they may not be read. A new program in the same process has others. */
  readonly codeStart: string
  readonly stackStart: string
}

/** Linux counts 100 ticks a second for programs, on every machine. */
export const tickMs = 10

/**
 * The second field, the name, may hold blanks and brackets. Only the fields that count are cut out: a scan of thousands
 * of processes would make hundreds of thousands of texts.
 */
export function parseStat(line: string): Stat | undefined {
  const end = line.lastIndexOf(') ')
  const starts = [end + 2]
  for (let at = end + 2; starts.length < 27; ) {
    at = line.indexOf(' ', at) + 1
    if (at === 0) break
    starts.push(at)
  }
  const field = (index: number) => line.slice(starts[index], (starts[index + 1] ?? line.length + 1) - 1)
  if (end < 0 || starts.length < 26) return undefined
  const name = line.slice(line.indexOf('(') + 1, end)
  return {
    pid: Number(line.slice(0, line.indexOf(' '))),
    name: isPlain.test(name) ? name : Buffer.from(name, 'latin1').toString(),
    state: field(0),
    parent: Number(field(1)),
    group: Number(field(2)),
    session: Number(field(3)),
    tty: Number(field(4)),
    foreground: Number(field(5)),
    flags: Number(field(6)),
    majorFaults: Number(field(9)),
    threads: Number(field(17)),
    startTicks: field(19),
    residentPages: Number(field(21)),
    codeStart: field(23),
    stackStart: field(25),
  }
}

const isPlain = /^[\x20-\x7e]*$/

/** Undefined where it is gone or out of sight, or there is no /proc. */
export const readStat = (pid: number, tid?: number): Stat | undefined =>
  parseStat(readText(tid === undefined ? `/proc/${pid}/stat` : `/proc/${pid}/task/${tid}/stat`))

/** It is a zombie that waits for its parent to notice, or is just being removed. */
export const hasEnded = ({ state }: Stat): boolean => state === 'Z' || state === 'X'

/**
 * How a zombie ended, before its parent has noticed: field 52, as in wait(2). The kernel shows it for one's own processes only.
 */
export function endOfZombie(pid: number): { readonly code?: number; readonly signal?: string } {
  const line = readText(`/proc/${pid}/stat`)
  const stat = parseStat(line)
  const status = Number(line.slice(line.lastIndexOf(' ') + 1))
  if (stat?.state !== 'Z' || !Number.isInteger(status)) return {}
  const signal = status & 0x7f
  return signal === 0 ? { code: status >> 8 } : { signal: signalName(String(signal)) }
}

/** PF_KTHREAD: a thread of the kernel, which holds no files. */
export const isKernel = (stat: Stat): boolean => (stat.flags & 0x20_0000) !== 0

/** PF_IO_WORKER: a thread that the kernel added to a process for its io_uring. */
export const isWorker = (stat: Stat): boolean => (stat.flags & 0x10) !== 0

/** PF_FORKNOEXEC: it was copied from its parent, and has started no program since. */
export const isUnexecuted = (stat: Stat): boolean => (stat.flags & 0x40) !== 0

/** AT_PAGESZ 6 in the auxiliary vector: pairs of 8 bytes. */
const readPageSize = (): number => {
  const vector = Buffer.from(readText('/proc/self/auxv'), 'latin1')
  for (let at = 0; at + 16 <= vector.length; at += 16)
    if (vector.readBigUInt64LE(at) === 6n) return Number(vector.readBigUInt64LE(at + 8))
  return 4096
}

let pageSize: number | undefined

export const bytesOfPages = (pages: number): number => {
  pageSize ??= readPageSize()
  return pages * pageSize
}
