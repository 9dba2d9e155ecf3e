/** Who holds the files that the tree waits on: asked of the tree and its supervisor first, then of all other processes. */

import { listFolder } from '../../os/proc/proc-file.ts'
import type { Holders } from '../snapshot.ts'
import { alikeOf, type Direction, type HolderKey, type Index, readDescriptors } from './holders.ts'
import { fileOfMemory, isMemory } from './shared-memory.ts'
import { cameFromAbove, type Family, isFirstNamespace, weigh } from './unseen.ts'

/** Other processes that are looked through at most, and ms of a processor that it may take: beyond, the answer is not whole. */
const mostOthers = 4096
const longestSearch = 300

type Question = {
  readonly key: HolderKey
  readonly direction: Direction | undefined
  readonly isWaited: boolean
  readonly isNameless: boolean
  readonly answer: { pids: readonly number[]; isWhole: boolean }
}

export type HolderSearch = {
  /** The answer is filled in by `finish`. */
  ask(key: HolderKey, direction: Direction | undefined, isWaited: boolean, isNameless?: boolean): Holders
  /** Descriptors are on their way through a socket of the tree (SCM_RIGHTS): they stand in nobody's list. */
  noteInFlight(): void
  finish(): void
}

/**
 * @param indexed pids with their files in the index
 * @param isTreeWhole the files of each process of the tree could be read
 * @param searchesOthers false for a tree that is too large: its own rest would be looked through as others
 */
export function newSearch(
  index: Index,
  indexed: ReadonlySet<number>,
  isTreeWhole: boolean,
  searchesOthers: boolean,
  family: () => Family,
): HolderSearch {
  const questions: Question[] = []
  let isInFlight = false
  return {
    noteInFlight() {
      isInFlight = true
    },
    ask(key, direction, isWaited, isNameless = false) {
      const answer = { pids: [], isWhole: false }
      questions.push({ key, direction, isWaited, isNameless, answer })
      return answer
    },
    finish() {
      const asked = questions.flatMap(({ key, isWaited }) => (isWaited ? [key] : []))
      const keys = new Set(
        asked.flatMap(key => (isMemory(key) ? [key, fileOfMemory(key)] : [alikeOf(key)?.link ?? key])),
      )
      const isMapped = !asked.some(isMemory) || [...indexed].every(pid => index.addMemory(pid))
      const isWhole =
        keys.size > 0 && searchesOthers && isMapped ? searchOthers(index, indexed, keys, family) : () => false
      const begun = process.cpuUsage()
      for (const { key, direction, isWaited, isNameless, answer } of questions) {
        const file = alikeOf(key)
        if (file) {
          // Where they can't be sorted, each is compared with all of its kind.
          const isCompared = isWaited && usedMs(begun) <= longestSearch
          const { pids, isSure } = isCompared ? index.sameFile(file) : { pids: [file.pid], isSure: false }
          answer.pids = pids
          answer.isWhole = isTreeWhole && !isInFlight && isSure && isWhole(file.link, pids)
          continue
        }
        const openers = isMemory(key) ? index.holders(fileOfMemory(key)) : []
        answer.pids = [...new Set([...index.holders(key, direction), ...openers])]
        const mayOpen = isNamedPipe(key) && !isNameless
        answer.isWhole = isTreeWhole && !isInFlight && isWaited && !mayOpen && isWhole(key)
      }
    },
  }
}

/** Whoever may open its name can hold it a moment later. */
const isNamedPipe = (key: HolderKey): boolean => key.startsWith('/') && !key.startsWith('/dev/pts/')

/** A crowded machine makes it slow, and costs nothing. */
function usedMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

/** Adds the other processes' ends to the index, and returns which files have all their ends in it. */
function searchOthers(
  index: Index,
  indexed: ReadonlySet<number>,
  keys: ReadonlySet<HolderKey>,
  family: () => Family,
): (key: HolderKey, sharers?: readonly number[]) => boolean {
  const names = listFolder('/proc')
  if ('error' in names) return () => false
  const others = names.map(Number).filter(pid => pid > 0 && !indexed.has(pid))
  const begun = process.cpuUsage()
  const asksMemory = [...keys].some(isMemory)
  let known: Family | undefined
  // Processes of an outer namespace are not even listed.
  let isAboveHidden = !isFirstNamespace()
  for (const [count, pid] of others.entries()) {
    if (count >= mostOthers || usedMs(begun) > longestSearch) return () => false
    const read = readDescriptors(pid)
    const isMapped = !asksMemory || read.missing !== undefined || index.addMemory(pid, keys)
    const descriptors = isMapped ? read : { ...read, missing: 'maps' }
    if (descriptors.missing === undefined || descriptors.missing === 'more') index.add(pid, descriptors, keys)
    if (descriptors.missing === undefined || descriptors.missing === 'ENOENT') continue
    known ??= family()
    const weight = descriptors.missing === 'more' ? 'yes' : weigh(pid, known)
    if (weight === 'yes') return () => false
    if (weight === 'above') isAboveHidden = true
  }
  if (isAboveHidden) known ??= family()
  return (key, sharers) => known === undefined || !isAboveHidden || !cameFromAbove(key, known, sharers)
}
