/** Deceivers that an outsider wakes by what nobody sees that he has, or by what the kernel tells them of the world. */
import { type Deceiver, deceiver } from './deceiver.ts'

const handed = (way: string): readonly string[] => ['deceive/handed.c', way, '{dir}']
const watched = (way: string): readonly string[] => ['deceive/watched.c', way, '{dir}', '{value}']
const root = { root: true } as const
/** lull sees no process outside of its own namespace. */
const inNamespace = { around: ['unshare', '-pf', '--mount-proc'], root: true } as const
const lock = ['sh', '-c', 'echo 1 > $1/pid; flock $1/lock true && echo went on', 'sh', '{dir}']

export const hiddenDeceivers: readonly Deceiver[] = [
  deceiver(
    'pipe in flight',
    handed('pipe-in-flight'),
    'the pipe’s writing end is in a socket; an outsider takes it out and writes',
    ['accept-late', 'number'],
  ),
  deceiver('pipe handed over', handed('pipe-handed'), 'an outsider got the writing end, and writes', [
    'accept',
    'number',
  ]),
  deceiver(
    'eventfd in flight',
    handed('event-in-flight'),
    'the eventfd is in a socket; an outsider takes it out and writes',
    ['accept-late', 'number'],
  ),
  deceiver('eventfd handed over', handed('event-handed'), 'an outsider has the same eventfd, and writes', [
    'accept',
    'number',
  ]),
  deceiver(
    'lock handed over',
    handed('lock-handed'),
    'an outsider has the description that holds the lock, and unlocks it',
    ['accept', 'unlock'],
  ),
  deceiver(
    'memory in flight',
    handed('memory-handed'),
    'a memfd is in a socket; an outsider maps it and wakes its word',
    ['accept-late', 'memory'],
  ),
  deceiver(
    'userfaultfd',
    handed('page-fault'),
    'an outsider has the userfaultfd, and fills the page',
    ['accept', 'page'],
    root,
  ),
  deceiver('seccomp', handed('system-call'), 'an outsider has the filter’s listener, and answers the call', [
    'accept',
    'call',
  ]),
  deceiver('robust mutex', handed('robust'), 'the owner, who is outside, dies with it', ['robust']),
  deceiver(
    'word of a shared file',
    handed('shared-word'),
    'an outsider maps the file later, and wakes its word',
    ['word'],
  ),
  deceiver(
    'named semaphore',
    handed('named-semaphore'),
    'an outsider opens it by its name later, and posts',
    ['semaphore'],
  ),
  deceiver(
    'mq_notify, signal',
    handed('queue-signal'),
    'an outsider sends, and the queue tells it by a real-time signal',
    ['message'],
  ),
  deceiver('mq_notify, thread', handed('queue-thread'), 'an outsider sends, and the queue starts a thread', [
    'message',
  ]),
  deceiver('named message queue', handed('queue'), 'an outsider sends', ['message']),
  deceiver('System V queue', handed('sysv-queue'), 'an outsider sends', ['sysv-message']),
  deceiver('System V semaphore', handed('sysv-sem'), 'an outsider ups', ['sysv-up']),
  deceiver('abstract socket', handed('abstract'), 'an outsider sends a datagram to its name', ['datagram']),
  deceiver(
    'tracer that lets it run',
    handed('word'),
    'its tracer, who is outside and let it run, changes its word',
    ['poke'],
  ),
  deceiver('SIGIO of a FIFO', watched('fifo-io'), 'an outsider opens the FIFO, and writes', ['fifo']),
  deceiver('F_SETSIG of a FIFO', watched('fifo-signal'), 'an outsider opens the FIFO, and writes', ['fifo']),
  deceiver(
    'io_uring polls a closed FIFO',
    ['deceive/rings.c', 'poll', '{dir}'],
    'an outsider writes, and the kernel counts the eventfd up',
    ['fifo'],
  ),
  deceiver('F_NOTIFY', watched('folder-signal'), 'an outsider makes a file in the folder', ['create']),
  deceiver(
    'lease',
    watched('lease'),
    'an outsider opens the leased file, and the kernel sends SIGIO',
    ['open'],
    root,
  ),
  deceiver('inotify', watched('inotify'), 'an outsider makes a file in the folder', ['create']),
  deceiver('fanotify', watched('fanotify'), 'an outsider writes to the file', ['modify'], root),
  deceiver('netlink', watched('netlink'), 'an outsider sends to the group', ['netlink'], root),
  deceiver(
    'eventfd of a cgroup',
    watched('group-event'),
    'the kernel counts it up once the group uses more memory',
    ['use-memory'],
    root,
  ),
  deceiver(
    'cgroup.events',
    watched('group-state'),
    'becomes urgent once somebody joins the group',
    ['join-group'],
    root,
  ),
  deceiver('/proc/self/mounts', watched('mounts'), 'becomes urgent once somebody mounts', ['mount'], root),
  deceiver('/dev/kmsg', watched('kernel-log'), 'somebody writes a line', ['log'], root),
  deceiver('pidfd', watched('process'), 'the process of the pidfd, who is outside, ends', ['exit']),
  deceiver('terminal', watched('terminal'), 'an outsider has the other end, and types', ['terminal']),
  deceiver('FIFO', watched('fifo'), 'an outsider opens it for writing later', ['fifo']),
  deceiver(
    'OFD lock of an outsider',
    watched('description-lock'),
    'an outsider, whom /proc/locks does not name, unlocks',
    ['unlock-description'],
  ),
  deceiver('flock of the dead', lock, 'who took the lock has ended; who inherited it unlocks', [
    'unlock-inherited',
  ]),
  {
    name: 'file system',
    run: [
      ...['nsenter', '-t', '{value}', '-m', 'sh', '-c'],
      'echo 1 > $1/pid; stat $1/mount/file > $1/null 2>&1; echo went on',
      ...['sh', '{dir}'],
    ],
    truth: 'the file system’s server, who is outside, ends',
    beside: ['unshare', '-m', 'python3', '{programs}/deceive/outsider.py', 'file-system', '{dir}'],
    root: true,
  },
  deceiver(
    'FIFO beyond the namespace',
    ['sh', '-c', 'exec 3<$1/fifo; echo 1 > $1/pid; head -c1 <&3 > $1/byte; echo went on', 'sh', '{dir}'],
    'the writer is where lull can’t look, and writes',
    ['hold-fifo'],
    inNamespace,
  ),
  deceiver(
    'lock beyond the namespace',
    lock,
    'the holder is where lull can’t look, and unlocks',
    ['unlock'],
    inNamespace,
  ),
  deceiver(
    'socket beyond the namespace',
    watched('connection'),
    'the peer is where lull can’t look, and answers',
    ['answer'],
    inNamespace,
  ),
  deceiver(
    'memory of a process',
    handed('word'),
    'somebody writes into its memory, stops and continues it',
    ['write-memory'],
    { isBeyond: true },
  ),
  deceiver(
    'memfd that nobody got',
    handed('memory-nobody-got'),
    'somebody opens it by /proc, and wakes its word',
    ['memory'],
    { isBeyond: true },
  ),
]
