/** Deceivers of one tree: a timer that neither the call nor the descriptors show. */
import { type Deceiver, deceiver } from './deceiver.ts'

const clocks = (way: string): readonly string[] => ['deceive/clocks.c', way, '{dir}']
const rings = (way: string): readonly string[] => ['deceive/rings.c', way, '{dir}']
/** The program dies of its signal, and the shell goes on. */
const inShell = (command: readonly string[]): readonly string[] => [
  'sh',
  '-c',
  '"$@"; echo went on',
  'sh',
  ...command,
]

export const clockDeceivers: readonly Deceiver[] = [
  deceiver(
    'alarm, then exec',
    inShell(clocks('alarm-exec')),
    'an alarm that was set before exec ends cat, which reads stdin, and its shell goes on',
  ),
  deceiver(
    'alarm, then a lock',
    inShell(clocks('alarm-lock')),
    'an alarm without a handler ends a wait for its own lock, and its shell goes on',
  ),
  deceiver(
    'deadly POSIX timer',
    inShell(clocks('signal-timer-fatal')),
    'a timer’s real-time signal without a handler ends a read of its own pipe, and its shell goes on',
  ),
  deceiver('alarm with a handler', clocks('itimer-handled'), 'an alarm interrupts sem_wait'),
  deceiver('alarm, sigwait', clocks('alarm-sigwait'), 'an alarm is what sigwait waits for'),
  deceiver(
    'POSIX timer with a handler',
    clocks('signal-timer'),
    'a timer’s real-time signal interrupts sem_wait',
  ),
  deceiver(
    'POSIX timer of a thread',
    clocks('thread-timer'),
    'a timer starts a thread that posts the semaphore',
  ),
  deceiver('timer two epolls deep', clocks('nested-epoll'), 'an epoll holds an epoll that holds a timer'),
  deceiver(
    'timer in flight',
    clocks('timer-in-flight'),
    'the epoll’s timer is no descriptor any more: it is on its way through a socket',
  ),
  deceiver(
    'timer of another file table',
    clocks('unshared'),
    'the descriptor that one thread reads is a timer in its own file table, and an empty pipe in the others’',
  ),
  deceiver(
    'aio polls a closed timer, eventfd',
    clocks('aio-event'),
    'the kernel counts the eventfd up once the timer, whose descriptor is closed, has run',
  ),
  deceiver(
    'aio polls a closed timer',
    clocks('aio-getevents'),
    'the context completes once the timer, whose descriptor is closed, has run',
  ),
  deceiver('SO_RCVTIMEO', clocks('receive-limit'), 'the socket has a limit that the call does not show'),
  deceiver('SO_SNDTIMEO', clocks('send-limit'), 'the full socket has a limit that the call does not show'),
  deceiver(
    'SO_SNDTIMEO of connect',
    clocks('connect-limit'),
    'a connect to a full backlog has a limit that the call does not show',
  ),
  deceiver('SO_LINGER', clocks('linger'), 'close waits so long for what nobody takes'),
  deceiver('VTIME', clocks('terminal-limit'), 'its terminal ends a read after 25.5 s'),
  deceiver('futex_waitv', clocks('futex-waitv'), 'a wait for two words, with a limit'),
  deceiver(
    'lease that nobody gives up',
    clocks('lease'),
    'the kernel breaks a lease after lease-break-time (45 s)',
    undefined,
    { root: true },
  ),
  deceiver('io_uring timeout', rings('timeout'), 'a request of the ring is a timer'),
  deceiver(
    'io_uring_enter with a limit',
    rings('argument'),
    'the limit lies behind the argument of the call',
  ),
  deceiver(
    'io_uring timeout, eventfd',
    rings('event'),
    'the kernel counts the eventfd up once the ring’s timer has run',
  ),
]
