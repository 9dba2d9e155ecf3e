/** Numbers of processes and threads as a program in a namespace of its own knows them, and as this machine does. */
import { existsSync } from 'node:fs'
import { listFolder, readLink, readText } from '../../../os/proc/proc-file.ts'
import { mappingAt, mappingsOf } from '../shared-memory.ts'

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
export function threadNumbered(pid: number, number: number): number | undefined {
  if (depthOf(pid) === 0) return existsSync(`/proc/${pid}/task/${number}`) ? number : undefined
  return tasksOf(pid).find(tid => numbersOf(`/proc/${pid}/task/${tid}`).at(-1) === number)
}

/** The child of a process that it knows by this number; the number itself where it has no such child. */
export function childNumbered(pid: number, number: number): number {
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
export function sharerNumbered(pid: number, number: number, address: bigint): number | undefined {
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
