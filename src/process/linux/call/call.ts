/**
 * What one thread does in the kernel right now, with numbers of other namespaces translated to this machine's. Needs no
 * privilege for a program of the same user.
 */
import { constants, existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { attempt } from '../../../os/attempt.ts'
import { listFolder, readFile, readLink, readMemory, readText } from '../../../os/proc/proc-file.ts'
import type { Call } from '../../snapshot.ts'
import { mappingAt, mappingsOf } from '../shared-memory.ts'
import type { Machine } from './call-table.ts'
import { decodeCall } from './decode-call.ts'
import { epollMembers } from './epoll.ts'
import { lockOwners } from './file-locks.ts'
import { AT_FDCWD, type ThreadContext } from './thread-context.ts'

/** NSpid of proc_pid_status(5): a task's number in each namespace, from ours to its own. */
const numbersOf = (folder: string): readonly number[] =>
  /^NSpid:\t(.+)$/m
    .exec(readText(`${folder}/status`))?.[1]
    ?.split('\t')
    .map(Number) ?? []

/** How many namespaces lie between ours and that of a process. */
const depthOf = (pid: number): number => Math.max(0, numbersOf(`/proc/${pid}`).length - 1)

const tasksOf = (pid: number): readonly number[] => {
  const names = listFolder(`/proc/${pid}/task`)
  return 'error' in names ? [] : names.map(Number)
}

/** The thread of a process that knows itself by this number; undefined where it has none. */
function threadNumbered(pid: number, number: number): number | undefined {
  if (depthOf(pid) === 0) return existsSync(`/proc/${pid}/task/${number}`) ? number : undefined
  return tasksOf(pid).find(tid => numbersOf(`/proc/${pid}/task/${tid}`).at(-1) === number)
}

/** The child of a process that it knows by this number; the number itself where it has no such child. */
function childNumbered(pid: number, number: number): number {
  const depth = depthOf(pid)
  if (depth === 0) return number
  const children = tasksOf(pid).flatMap(tid => readText(`/proc/${pid}/task/${tid}/children`).split(' '))
  const found = children.find(child => child !== '' && numbersOf(`/proc/${child}`)[depth] === number)
  return found === undefined ? number : Number(found)
}

/** Processes that count as this one does: of its namespace of pids. */
function neighboursOf(pid: number): readonly number[] {
  const own = readLink(`/proc/${pid}/ns/pid`)
  const names = listFolder('/proc')
  if (!('link' in own) || 'error' in names) return []
  const isNear = (other: number): boolean => {
    const link = readLink(`/proc/${other}/ns/pid`)
    return 'link' in link && link.link === own.link
  }
  return names.map(Number).filter(other => other > 0 && isNear(other))
}

/** The thread of any process that holds a mutex in memory which a process shares: whoever has its number, and the same memory. */
function sharerNumbered(pid: number, number: number, address: bigint): number | undefined {
  const memory = mappingAt(mappingsOf(pid) ?? [], address)
  if (memory?.isShared !== true) return undefined
  const shares = (other: number): boolean =>
    mappingsOf(other)?.some(({ file, isShared }) => isShared && file === memory.file) === true
  if (depthOf(pid) > 0)
    return neighboursOf(pid)
      .filter(shares)
      .map(other => threadNumbered(other, number))
      .find(tid => tid !== undefined)
  const owner = Number(/^Tgid:\t(\d+)$/m.exec(readText(`/proc/${number}/status`))?.[1])
  return shares(owner) ? number : undefined
}

/** Linux's own limit of a path. */
const longestPath = 4096

type Memory = (address: bigint, length: number) => Buffer | undefined

/** Ends with the first NUL; read in parts, as what follows it may be no memory at all. */
function textAt(memory: Memory, address: bigint): string | undefined {
  let text = Buffer.alloc(0)
  while (text.length < longestPath) {
    // Up to the end of a page.
    const part = memory(address + BigInt(text.length), 256 - ((Number(address) + text.length) % 256))
    if (!part) return undefined
    text = Buffer.concat([text, part])
    const end = text.indexOf(0)
    if (end >= 0) return text.toString('utf8', 0, end)
  }
  return undefined
}

/** @returns undefined where it is no named pipe, or can't be read: then a file system may hold it up */
function opening(
  pid: number,
  memory: Memory,
  { folder, address, flags }: { readonly folder: number; readonly address: bigint; readonly flags: number },
): Extract<Call, { type: 'opens' }> | undefined {
  const name = textAt(memory, address)
  if (name === undefined || name === '') return undefined
  const link = path.isAbsolute(name)
    ? undefined
    : readLink(`/proc/${pid}/${folder === AT_FDCWD ? 'cwd' : `fd/${folder}`}`)
  if (link && !('link' in link)) return undefined
  const file = path.join(link?.link ?? '/', name)
  const isPipe = attempt(() => statSync(path.join(`/proc/${pid}/root`, file)).isFIFO())
  if (!isPipe) return undefined
  return {
    type: 'opens',
    name: 'open',
    path: file,
    want: (flags & 3) === constants.O_RDONLY ? 'read' : 'write',
  }
}

/** The table for this machine; undefined on others, where every call is `other`. */
export const machine = (): Machine | undefined =>
  process.arch === 'x64' || process.arch === 'arm64' ? process.arch : undefined

/** ms on the clocks that programs wait by. CLOCK_BOOTTIME counts a suspend: only the kernel's uptime shows it. */
const clockNow = (id: number): number | undefined =>
  id === 0
    ? Date.now()
    : id === 1
      ? Number(process.hrtime.bigint()) / 1e6
      : id === 7
        ? Number(readText('/proc/uptime').split(' ')[0]) * 1000
        : undefined

/** The process that a pidfd means; undefined where it has ended. */
export const pidOfPidfd = (info: string): number | undefined => {
  const pid = Number(/^Pid:\s*(-?\d+)/m.exec(info)?.[1])
  return pid > 0 ? pid : undefined
}

/** The context of a process's threads, read when it is asked for. */
export const contextOf = (pid: number, known: Machine): ThreadContext => ({
  machine: known,
  memory: (address, length) => readMemory(pid, address, length),
  thread: number => threadNumbered(pid, number),
  sharer: (number, address) => sharerNumbered(pid, number, address),
  child: number => childNumbered(pid, number),
  opening: how => opening(pid, (address, length) => readMemory(pid, address, length), how),
  clock: clockNow,
  epoll: fd => epollMembers(pid, fd),
  pidfd: fd => pidOfPidfd(readText(`/proc/${pid}/fdinfo/${fd}`)),
  lockOwners: fd => lockOwners(pid, fd),
})

/**
 * Never throws: a thread that may not be looked at, or is gone, is `hidden`.
 * @param tid the thread; the process's own number for its first one
 */
export function readCall(pid: number, tid = pid): Call {
  const reading = readFile(`/proc/${pid}/task/${tid}/syscall`)
  if (reading.error !== undefined) return { type: 'hidden', why: reading.error }
  const known = machine()
  if (!known) return { type: 'other', name: reading.text.split(' ')[0] ?? '' }
  return decodeCall(reading.text, contextOf(pid, known))
}
