/** What a thread does, as far as one terminal is concerned: reads it, is kept from writing to it, or neither. */

import { readFile, readLink, readText } from '../../os/proc/proc-file.ts'
import { contextOf, machine } from '../../process/linux/call/call.ts'
import { knownCall, type Machine, type Shape } from '../../process/linux/call/call-table.ts'
import { decodeCall, stackOf32 } from '../../process/linux/call/decode-call.ts'
import { epollMembers } from '../../process/linux/call/epoll.ts'
import { isMaster, masterKey, readDescriptors } from '../../process/linux/holders.ts'
import type { FdWait } from '../../process/snapshot.ts'
import type { Passes, TerminalCall } from './probed.ts'

/** @param isTerminal whether a link of /proc/PID/fd means the terminal that is probed */
export function terminalCall(
  pid: number,
  tid: number,
  stackStart: number,
  isTerminal: (link: string) => boolean,
): TerminalCall {
  const reading = readFile(`/proc/${pid}/task/${tid}/syscall`)
  if (reading.error !== undefined) return guessedCall(pid, tid, isTerminal)
  const line = reading.text.trim()
  if (line === 'running') return { type: 'running' }
  const words = line.split(' ')
  const known = machineOf(words)
  const call = known && knownCall(known, Number(words[0]))
  if (!known || !call) return { type: 'blocked', name: words[0] === '-1' ? 'no call' : `call ${words[0]}` }
  if (!call.shape || !onDescriptors.test(call.shape))
    return {
      type: 'blocked',
      name: call.name,
      ...(tid === pid && mainSleeps(pid, call.shape, words) ? isTimed : {}),
    }

  const decoded = decodeCall(line, contextOf(pid, known))
  if (decoded.type !== 'fds') return { type: 'blocked', name: call.name }
  const links = linksOf(pid, decoded.fds)
  const own = links.filter(({ link }) => isTerminal(link))
  const masters = links.filter(({ want, link }) => want === 'read' && isMaster(link)).map(({ fd }) => fd)
  const passing = passesOf(pid, masters)
  if (own.some(({ want }) => want === 'read')) {
    const depth = stackStart - Number(words[7])
    return {
      type: 'reads',
      name: call.name,
      ...(call.shape === 'reads' ? { count: Number(words[3]) } : {}),
      others: links.length - own.length,
      isTimed: decoded.timeout !== undefined,
      ...passing,
      ...(tid === pid && stackStart > 1 && depth > 0 ? { depth } : {}),
    }
  }
  // A write that sleeps is kept from writing: a terminal that takes output takes it at once.
  if (own.length > 0 && call.shape === 'writes') return { type: 'writes', name: call.name }
  const wakes = tid === pid && decoded.timeout !== undefined
  return { type: 'blocked', name: call.name, ...passing, ...(wakes ? isTimed : {}) }
}

const isTimed = { isTimed: true } as const

/** The fourth argument of a futex is the address of its time. */
const sleeps = (shape: Shape | undefined, words: readonly string[]): boolean =>
  shape?.endsWith('nanosleep') === true || (shape === 'futex' && words[4] !== '0x0')

/** The first thread sleeps, or waits for the end of one that does: Java's launcher runs all of its program in another. */
function mainSleeps(pid: number, shape: Shape | undefined, words: readonly string[]): boolean {
  if (sleeps(shape, words)) return true
  const joined = shape === 'futex' ? joinedBy(words) : undefined
  if (joined === undefined || joined === pid) return false
  const other = readText(`/proc/${pid}/task/${joined}/syscall`).trim().split(' ')
  const known = machineOf(other)
  return known !== undefined && sleeps(knownCall(known, Number(other[0]))?.shape, other)
}

/** linux/futex.h: FUTEX_WAIT, FUTEX_WAIT_BITSET with the clock of real time. Of a thread that ends, not private (glibc's pthread_join). */
const joins: readonly number[] = [0, 9 | 256]

/** The kernel clears the number of a thread when it ends; who joins it waits while that number is there. */
const joinedBy = ([, , operation, value]: readonly string[]): number | undefined =>
  joins.includes(Number(operation)) && Number(value) > 0 ? Number(value) : undefined

/** A 32-bit program's calls have other numbers; of those on arm64 none is known. */
function machineOf(words: readonly string[]): Machine | undefined {
  const stack = words[7]
  if (stack === undefined || BigInt(stack) >= stackOf32) return machine()
  return machine() === 'x64' ? 'x86' : undefined
}

/** With what an epoll among them watches: who polls that waits for all of it. */
function linksOf(pid: number, fds: readonly FdWait[], depth = 0): readonly (FdWait & { link: string })[] {
  return fds.flatMap(({ fd, want }) => {
    const link = linkOf(pid, fd)
    const members = depth < deepestEpoll && link.includes('[eventpoll]') ? epollMembers(pid, fd) : undefined
    return members ? linksOf(pid, members, depth + 1) : [{ fd, want, link }]
  })
}

/** EP_MAX_NESTS of the kernel's fs/eventpoll.c. */
const deepestEpoll = 4

function linkOf(pid: number, fd: number): string {
  const link = readLink(`/proc/${pid}/fd/${fd}`)
  return 'link' in link ? link.link : ''
}

/** @param masters descriptors of other ends of terminals */
function passesOf(pid: number, masters: readonly number[]): { readonly passes?: Passes } {
  const passes = masters.flatMap(fd => masterKey(pid, fd)?.split(':')[1] ?? []).map(Number)
  return passes.length === 0 ? {} : { passes: [...new Set(passes)] }
}

/** The terminals of which a process holds the other end, whatever it waits for. */
export const heldBy = (pid: number): Passes =>
  passesOf(
    pid,
    [...readDescriptors(pid).links].filter(([, link]) => isMaster(link)).map(([fd]) => fd),
  ).passes ?? []

/** Standard descriptors, and the first that a pager opens /dev/tty with. */
const likelyFds = [0, 1, 2, 3] as const

/** Yama (`ptrace_scope` 1, as on Ubuntu) hides the calls of the user's own programs, and not where they sleep. */
function guessedCall(pid: number, tid: number, isTerminal: (link: string) => boolean): TerminalCall {
  const links = likelyFds.map(fd => readLink(`/proc/${pid}/fd/${fd}`))
  if (links.every(link => 'error' in link)) return { type: 'hidden' }
  const holds = links.some(link => 'link' in link && isTerminal(link.link))
  const call = callOfChannel(readText(`/proc/${pid}/task/${tid}/wchan`).trim(), holds)
  if (call.type !== 'reads' || call.others === 0) return call
  const passes = heldBy(pid)
  return passes.length === 0 ? call : { ...call, passes }
}

/** `wait_woken` is also where a socket is read: with a terminal at hand that is taken for a question, never for ready. */
const reads: ReadonlySet<string> = new Set(['wait_woken', 'n_tty_read', 'tty_read'])
const polls =
  /^(?:poll_schedule_timeout|do_select|core_sys_select|do_sys_poll|do_poll|ep_poll|do_epoll_wait|schedule_hrtimeout_range)/
const writes: ReadonlySet<string> = new Set(['n_tty_write', 'tty_write_lock', 'tty_write_room'])

/**
 * What a thread does by the kernel function that it sleeps in. Names: Linux 5.4 to 6.18.
 * @param holds it has the terminal open where programs have it
 */
export function callOfChannel(channel: string, holds: boolean): TerminalCall {
  if (channel === '0' || channel === '') return { type: 'running' }
  if (!holds) return { type: 'blocked', name: channel }
  if (writes.has(channel)) return { type: 'writes', name: channel }
  if (reads.has(channel)) return { type: 'reads', name: channel, others: 0, isTimed: false, isGuessed: true }
  if (polls.test(channel)) return { type: 'reads', name: channel, others: 1, isTimed: false, isGuessed: true }
  return { type: 'blocked', name: channel }
}

/** Shapes of calls that wait for descriptors a terminal may be behind: of locks and futexes nothing is asked. */
const onDescriptors = /^(?:reads|writes|moves|p?poll|p?select|epoll|epoll-timespec)$/
