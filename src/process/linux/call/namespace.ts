/** Numbers of processes and threads as a program in a namespace of its own knows them, and as this machine does. */
import { existsSync } from 'node:fs'
import { listFolder, readText } from '../../../os/proc/proc-file.ts'

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

/**
 * The thread of any process that holds a mutex in memory which a process shares: whoever has its number, and the same
 * memory. Undefined in a namespace of its own, where the number says less.
 */
export function sharerNumbered(pid: number, number: number, address: bigint): number | undefined {
  if (depthOf(pid) > 0) return undefined
  const owner = Number(/^Tgid:\t(\d+)$/m.exec(readText(`/proc/${number}/status`))?.[1])
  const memory = mappings(pid).find(({ from, to }) => address >= from && address < to)?.file
  const isShared = memory !== undefined && mappings(owner).some(({ file }) => file === memory)
  return isShared ? number : undefined
}

/** Of /proc/PID/maps: what is shared, with device and inode. A row: `7f00-7f01 rw-s 00000000 00:01 4711 /dev/zero (deleted)`. */
const mappings = (pid: number) =>
  readText(`/proc/${pid}/maps`)
    .split('\n')
    .map(row => row.split(' '))
    .filter(([, rights]) => rights?.endsWith('s'))
    .map(([range = '', , , device, inode]) => {
      const [from = 0n, to = 0n] = range.split('-').map(address => BigInt(`0x${address}`))
      return { from, to, file: `${device} ${inode}` }
    })
