/** Deceivers that a signal of somebody outside wakes, and those whom somebody outside halts and lets go. */
import { constants } from 'node:os'
import { type Deceiver, deceiver } from './deceiver.ts'

const { signals } = constants
const firstRealTime = 34

const sent = (way: string, name: string, number: number, truth: string): Deceiver =>
  deceiver(`${name}, ${way}`, ['deceive/signals.c', way, String(number), '{dir}'], truth, [
    'signal',
    String(number),
  ])

const handled = (program: string, words: readonly string[], number: number, truth: string): Deceiver =>
  deceiver(program, [`deceive/${program}`, ...words], truth, ['signal', String(number)])

const halted = (name: string, way: string, deed: string, truth: string, more = {}): Deceiver =>
  deceiver(
    name,
    ['deceive/watched.c', way, '{dir}'],
    truth,
    deed === 'signal' ? [deed, String(signals.SIGCONT)] : [deed],
    more,
  )

export const signalDeceivers: readonly Deceiver[] = [
  sent('sem', 'SIGHUP', signals.SIGHUP, 'reloads and goes on'),
  sent('read', 'SIGWINCH', signals.SIGWINCH, 'its own pipe is read until the signal'),
  sent('lock', 'SIGCONT', signals.SIGCONT, 'its own lock is waited for until the signal'),
  sent('child', 'SIGCHLD', signals.SIGCHLD, 'the signal comes from somebody who is no child'),
  sent('sem', 'SIGIO', signals.SIGIO, 'interrupts sem_wait'),
  sent('read', 'SIGURG', signals.SIGURG, 'its own pipe is read until the signal'),
  sent('child', 'SIGUSR1', signals.SIGUSR1, 'interrupts the wait for a child'),
  sent('sem', 'SIGPWR', signals.SIGPWR, 'interrupts sem_wait'),
  sent('lock', 'real-time signal', firstRealTime + 6, 'its own lock is waited for until the signal'),
  sent('sigwait', 'real-time signal', firstRealTime + 5, 'is what it waits for'),
  sent('sigwait', 'SIGUSR1', signals.SIGUSR1, 'is what it waits for'),
  sent('sigsuspend', 'SIGHUP', signals.SIGHUP, 'is blocked but for the wait'),
  sent('ppoll', 'SIGWINCH', signals.SIGWINCH, 'is blocked but for the wait'),
  sent('signalfd', 'SIGUSR2', signals.SIGUSR2, 'arrives at a descriptor beside its own pipe'),
  handled(
    'handler.py',
    [String(signals.SIGWINCH), '{dir}'],
    signals.SIGWINCH,
    'asyncio’s handler sets an event',
  ),
  handled('handler.js', ['SIGHUP', '{dir}'], signals.SIGHUP, 'node’s handler ends the stdin of its child'),
  handled('handler.sh', ['HUP', '{dir}'], signals.SIGHUP, 'bash’s trap ends its child'),
  handled('handler.rb', ['CONT', '{dir}'], signals.SIGCONT, 'Ruby’s trap fills the queue'),
  handled('handler.pl', ['IO', '{dir}'], signals.SIGIO, 'perl’s handler ends the read'),
  handled(
    'handler.php',
    [String(signals.SIGUSR2), '{dir}'],
    signals.SIGUSR2,
    'PHP’s handler ends the wait for its own lock',
  ),
  handled(
    'handler.go',
    ['{dir}'],
    signals.SIGHUP,
    'Go’s channel gets the hangup, and its goroutine opens the mutex',
  ),
  handled('Handler.java', ['WINCH', '{dir}'], signals.SIGWINCH, 'Java’s handler counts the latch down'),
]

export const haltedDeceivers: readonly Deceiver[] = [
  halted('stopped, continued', 'stopped', 'signal', 'somebody continues it'),
  halted(
    'child stopped, continued',
    'stopped-child',
    'signal',
    'somebody continues the child that it waits for',
  ),
  halted('frozen, thawed', 'halted', 'thaw', 'somebody thaws its cgroup', { root: true }),
  halted('frozen by cgroup v1, thawed', 'halted', 'thaw-v1', 'somebody thaws its cgroup', { root: true }),
  halted('traced, let go', 'halted', 'detach', 'its tracer, who is outside, lets it go'),
]
