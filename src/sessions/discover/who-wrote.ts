/**
 * Which of several agents in one folder can't have written a file, where no name tells: one that has written nothing at all. The
 * kernel counts what a process writes (proc_pid_io(5): wchar; that of a child is added to it when the child has ended). An agent
 * at rest draws nothing, and writes only wakes of its own threads, 8 bytes each (measured: Copilot CLI 1.0.102, Qwen Code 0.24.4).
 */
import { childrenOf } from '../../os/proc/stat.ts'
import { readIo } from '../../process/linux/details.ts'

/** Bytes that an agent at rest may write: less than any row of a transcript. */
const mostAtRest = 64
/** It must have rested for so long before the file was written: what it does in parts looks like rest between them. ms */
const restMs = 2000
/** What was written longer ago may have been written while nobody looked. ms */
const freshMs = 1500
/** Programs that it runs write for it. */
const mostProcesses = 64

/** `perhaps`: it was at work when the file was written, just now. */
export type OwnWriting = 'no' | 'perhaps' | undefined

export type WhoWrote = {
  /** To be called about once a second with the agents that are not alone in their folders. Others are forgotten. */
  observe(pids: readonly number[]): void
  /**
   * @param others the other agents of the folder
   * @param at when the file was written last, ms since the epoch, read before this call
   * @returns whether it can have written that; undefined where that can't be told, as where all of them rested
   */
  hasWritten(pid: number, others: readonly number[], at: number): OwnWriting
  /** Whether none of these can have written what was written last at this time. */
  haveRested(pids: readonly number[], at: number): boolean
}

/** `since`: ms since the epoch. */
type Rest = { readonly written: number; readonly since: number }

/**
 * @param wall ms since the epoch
 * @param written bytes that a process has written so far; undefined where that may not be read
 */
export function whoWrote(wall: () => number, written = writtenBy): WhoWrote {
  const rests = new Map<number, Rest>()

  function look(pid: number): void {
    const now = written(pid)
    const last = rests.get(pid)
    if (now === undefined) rests.delete(pid)
    else if (!last || now < last.written || now > last.written + mostAtRest || last.since > wall())
      // The time is read after the count: what is written in between counts as later.
      rests.set(pid, { written: now, since: wall() })
  }

  function hasRested(pid: number, at: number): boolean {
    const isLongEnough = () => (rests.get(pid)?.since ?? Infinity) <= at - restMs
    if (!isLongEnough()) return false
    look(pid)
    return isLongEnough()
  }

  return {
    observe(pids) {
      for (const pid of rests.keys()) if (!pids.includes(pid)) rests.delete(pid)
      for (const pid of pids) look(pid)
    },
    hasWritten(pid, others, at) {
      if (hasRested(pid, at)) return others.every(other => hasRested(other, at)) ? undefined : 'no'
      return rests.has(pid) && wall() - at <= freshMs ? 'perhaps' : undefined
    },
    haveRested: (pids, at) => pids.every(pid => hasRested(pid, at)),
  }
}

function writtenBy(pid: number): number | undefined {
  const pids = [pid]
  // The list grows as it is walked. Node and Bun start programs from their first thread.
  for (const one of pids) if (pids.length < mostProcesses) pids.push(...childrenOf(one, [one]))
  const counts = pids.map(one => readIo(one)?.writeChars)
  return counts[0] === undefined ? undefined : counts.reduce<number>((sum, count = 0) => sum + count, 0)
}
