/** Memory that processes share, identified by its file or mapping, and who else may reach it: /proc/PID/maps. */
import { statSync } from 'node:fs'
import { attempt } from '../../os/attempt.ts'
import { readFile } from '../../os/proc/proc-file.ts'
import type { Holders, Thread } from '../snapshot.ts'

type Mapping = {
  /** As the kernel writes it, and names a file of map_files by. */
  readonly range: string
  readonly from: bigint
  readonly to: bigint
  readonly isShared: boolean
  /** Device and inode; none of anonymous private memory. */
  readonly file: string
  readonly path: string
}

/** `7f00-7f01 rw-s 00000000 00:01 4711      /dev/zero (deleted)`. */
const row = /^([0-9a-f]+)-([0-9a-f]+) ...([sp]) [0-9a-f]+ ([0-9a-f:]+) (\d+)(.*)$/gm

/** Undefined where they may not be read. */
export function mappingsOf(pid: number): readonly Mapping[] | undefined {
  const reading = readFile(`/proc/${pid}/maps`)
  if (reading.error !== undefined) return undefined
  return [...reading.text.matchAll(row)].map(([, from, to, kind, device, inode, path]) => ({
    range: `${from}-${to}`,
    from: BigInt(`0x${from}`),
    to: BigInt(`0x${to}`),
    isShared: kind === 's',
    file: `${device} ${inode}`,
    path: (path ?? '').trim(),
  }))
}

export const mappingAt = (mappings: readonly Mapping[], address: bigint): Mapping | undefined =>
  mappings.find(({ from, to }) => address >= from && address < to)

export const isMemory = (key: string): boolean => key.startsWith('memory:')
const keyOf = ({ file, path }: Mapping): string => `memory:${file} ${path}`

/** Whoever has its file open may map it: the link of such a descriptor. */
export const fileOfMemory = (key: string): string => key.replace(/^memory:\S+ \d+ /, '')

/** Keys of the shared memory that it has mapped; undefined where that may not be read. */
export const memoryOf = (pid: number): readonly string[] | undefined =>
  mappingsOf(pid)
    ?.filter(({ isShared }) => isShared)
    .map(keyOf)

/** Made without a name by the kernel itself, on its own mount (mm/shmem.c): memory of fork(2), and of memfd_create(2). */
const neverNamed = /^00:01 \d+ (\/dev\/zero|\/memfd:.*) \(deleted\)$/

/** The first of them has no descriptor at all: only children have it. */
const ofFork = /^00:01 \d+ \/dev\/zero \(deleted\)$/

/** Nobody can come to it by a name: a link may be left where the one that it was opened by is gone, as sem_open(3) does it. */
const isNameless = (pid: number, { range, file, path }: Mapping): boolean =>
  neverNamed.test(`${file} ${path}`) || attempt(() => statSync(`/proc/${pid}/map_files/${range}`).nlink) === 0

type Search = { readonly ask: (key: string) => Holders }

/** A thread that waits for a word in memory, with those who share it; memory of one process alone is private, whatever the call's flag. */
export function withSharers(pid: number, thread: Thread, { ask }: Search): Thread {
  const { call } = thread
  if (call.type !== 'futex' || call.isPrivate || call.joins !== undefined) return thread
  const memory = mappingAt(mappingsOf(pid) ?? [], BigInt(call.address))
  if (memory === undefined) return thread
  // linux/kernel/futex/core.c, get_futex_key: an anonymous private page means its own process.
  if (!memory.isShared)
    return memory.file.endsWith(' 0') ? { ...thread, call: { ...call, isPrivate: true } } : thread
  if (!isNameless(pid, memory)) return thread
  const sharers = ask(keyOf(memory))
  const isOfFile = !ofFork.test(`${memory.file} ${memory.path}`)
  return { ...thread, call: { ...call, sharers, ...(isOfFile && { isOfFile }) } }
}
