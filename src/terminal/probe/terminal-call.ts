/** What a thread does, as far as one terminal is concerned: reads it, is kept from writing to it, or neither. */

import { readFile, readLink, readMemory, readText } from '../../os/proc/proc-file.ts'
import { machine } from '../../process/linux/call/call.ts'
import { knownCall, type Machine } from '../../process/linux/call/call-table.ts'
import { decodeCall } from '../../process/linux/call/decode-call.ts'
import { epollMembers } from '../../process/linux/call/epoll.ts'
import type { ThreadContext } from '../../process/linux/call/thread-context.ts'
import type { TerminalCall } from './probed.ts'

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
  const known = machine()
  const words = line.split(' ')
  const call = known && knownCall(known, Number(words[0]))
  if (!known || !call) return { type: 'blocked', name: words[0] === '-1' ? 'no call' : `call ${words[0]}` }
  if (!call.shape || !descriptors.has(call.shape)) return { type: 'blocked', name: call.name }

  const decoded = decodeCall(line, around(pid, known))
  if (decoded.type !== 'fds') return { type: 'blocked', name: call.name }
  const own = decoded.fds.filter(({ fd }) => {
    const link = readLink(`/proc/${pid}/fd/${fd}`)
    return 'link' in link && isTerminal(link.link)
  })
  if (own.some(({ want }) => want === 'read')) {
    const depth = stackStart - Number(words[7])
    return {
      type: 'reads',
      name: call.name,
      ...(call.shape === 'reads' ? { count: Number(words[3]) } : {}),
      others: decoded.fds.length - own.length,
      isTimed: decoded.timeout !== undefined,
      ...(tid === pid && stackStart > 1 && depth > 0 ? { depth } : {}),
    }
  }
  // A write that sleeps is kept from writing: a terminal that takes output takes it at once.
  if (own.length > 0 && call.shape === 'writes') return { type: 'writes', name: call.name }
  return { type: 'blocked', name: call.name }
}

/** Standard descriptors, and the first that a pager opens /dev/tty with. */
const likelyFds = [0, 1, 2, 3] as const

/** Yama (`ptrace_scope` 1, as on Ubuntu) hides the calls of the user's own programs, and not where they sleep. */
function guessedCall(pid: number, tid: number, isTerminal: (link: string) => boolean): TerminalCall {
  const links = likelyFds.map(fd => readLink(`/proc/${pid}/fd/${fd}`))
  if (links.every(link => 'error' in link)) return { type: 'hidden' }
  const holds = links.some(link => 'link' in link && isTerminal(link.link))
  return callOfChannel(readText(`/proc/${pid}/task/${tid}/wchan`).trim(), holds)
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

const descriptors: ReadonlySet<string> = new Set([
  'reads',
  'writes',
  'moves',
  'poll',
  'ppoll',
  'select',
  'pselect',
  'epoll',
  'epoll-timespec',
])

/** Timeouts count only as being there, and of locks and futexes nothing is asked. */
const around = (pid: number, known: Machine): ThreadContext => ({
  machine: known,
  memory: (address, length) => readMemory(pid, address, length),
  isThread: () => false,
  clock: () => undefined,
  epoll: fd => epollMembers(pid, fd),
  pidfd: () => undefined,
  lockOwners: () => [],
})
