/** What a thread does by the kernel function that it sleeps in (/proc/PID/wchan). Names: Linux 5.4 to 6.18. */
import type { TerminalCall } from './probed.ts'

/** `wait_woken` is also where a socket is read: with a terminal at hand that is taken for a question, never for ready. */
const reads: ReadonlySet<string> = new Set(['wait_woken', 'n_tty_read', 'tty_read'])
const polls =
  /^(?:poll_schedule_timeout|do_select|core_sys_select|do_sys_poll|do_poll|ep_poll|do_epoll_wait|schedule_hrtimeout_range)/
const writes: ReadonlySet<string> = new Set(['n_tty_write', 'tty_write_lock', 'tty_write_room'])

/** @param holds it has the terminal open where programs have it */
export function callOfChannel(channel: string, holds: boolean): TerminalCall {
  if (channel === '0' || channel === '') return { type: 'running' }
  if (!holds) return { type: 'blocked', name: channel }
  if (writes.has(channel)) return { type: 'writes', name: channel }
  if (reads.has(channel)) return { type: 'reads', name: channel, others: 0, isTimed: false, isGuessed: true }
  if (polls.test(channel)) return { type: 'reads', name: channel, others: 1, isTimed: false, isGuessed: true }
  return { type: 'blocked', name: channel }
}
