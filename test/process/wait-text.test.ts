import { describe, expect, test } from 'vitest'
import { diagnose } from '../../src/process/closure/diagnose.ts'
import type { Options } from '../../src/process/closure/tree-index.ts'
import type { Call, Process, Snapshot, Target, Thread } from '../../src/process/snapshot.ts'
import {
  anyChild,
  asleep,
  held,
  pairOf,
  pipe,
  read,
  rootPid,
  still,
  supervisor,
  thread,
  tree,
  write,
} from '../support/process-tree.ts'

/** What a person is told of a wait: the call, what it waits on, and what that makes of the tree. */

type Around = { readonly more?: readonly Process[]; readonly options?: Options } & Partial<Snapshot>

const told = (root: Process, { more = [], options, ...around }: Around = {}): string => {
  const outsiders = [
    { pid: 77, name: 'holder', state: 'S' },
    { pid: 78, name: 'other', state: 'S' },
  ]
  const { cause, proof, isBlocked, waits, leaf, advice, doubts } = diagnose(
    pairOf([root, ...more], { outsiders, ...around }),
    options,
  )
  const wait = waits.find(({ pid }) => pid === rootPid) ?? leaf
  const verdict = `${cause} ${proof}${isBlocked ? ' blocked' : ''}`
  return [
    verdict,
    wait ? `${wait.call} on ${wait.on}` : 'no wait',
    wait?.waker.length ? `woken by ${wait.waker.join(', ')}` : '',
    wait?.live ? 'live' : '',
    advice ?? '',
    ...doubts,
  ]
    .filter(part => part !== '')
    .join(' | ')
}

const inCall = (call: Call, more: Partial<Thread> = {}): Process =>
  tree(rootPid, { threads: [thread(rootPid, call, more)] })
const on = (target: Target, call: Call = read(3)): Process => tree(rootPid, { call, fds: { 3: target } })

const ended = (pid: number, more: Partial<Process> = {}): Process =>
  tree(pid, { threads: [thread(pid, still, { state: 'Z' })], ...more })
const sleeper = (pid: number, more: Partial<Process> = {}): Process =>
  tree(pid, { call: asleep(90_000), ...more })

const child = (pid: number): Call => ({ type: 'child', name: 'waitid', pid, timeout: undefined })
const lock = (...owners: readonly number[]): Call => ({ type: 'lock', name: 'flock', fd: 3, owners })

describe('a call', () => {
  const cases: readonly (readonly [string, () => string, string])[] = [
    ['running', () => told(inCall({ type: 'running' })), 'computing inferred | running on nothing | live'],
    [
      'running in the kernel',
      () => told(inCall({ type: 'none' }, { state: 'R' })),
      'computing inferred | no call on nothing | live',
    ],
    [
      'hidden',
      () => told(inCall({ type: 'hidden', why: 'EPERM' })),
      'unknown unknown | a call that may not be read on something that may not be looked at (EPERM) | live | `p1`(1) waits for something that may not be looked at (EPERM)',
    ],
    [
      'none',
      () => told(inCall({ type: 'none' })),
      'unknown unknown | no call on something outside of any system call | live | `p1`(1) waits for something outside of any system call',
    ],
    [
      'unknown',
      () => told(inCall({ type: 'other', name: 'call 999' })),
      'unknown unknown | call 999 on something unexplained (call 999) | live | `p1`(1) waits for something unexplained (call 999)',
    ],
    [
      'sleep',
      () => told(inCall(asleep(90_000))),
      'timer bounded | clock_nanosleep on a timer that fires within 90 s | live',
    ],
    [
      'sleep of a moment',
      () => told(inCall(asleep(500.2))),
      'ticking inferred | clock_nanosleep on a timer that fires within 501 ms | live',
    ],
    [
      'sleep of a second',
      () => told(inCall(asleep(1000))),
      'ticking inferred | clock_nanosleep on a timer that fires within 1.0 s | live',
    ],
    [
      'sleep of ten seconds',
      () => told(inCall(asleep(10_000))),
      'timer bounded | clock_nanosleep on a timer that fires within 10 s | live',
    ],
    [
      'sleep without an end',
      () => told(inCall({ type: 'sleep', name: 'pause', timeout: undefined })),
      'signal inferred | pause on a signal | live',
    ],
    [
      'sleep that could not be read',
      () => told(inCall({ type: 'sleep', name: 'nanosleep', timeout: 'unknown' })),
      'timer inferred | nanosleep on a timer | live',
    ],
    [
      'signal',
      () => told(inCall({ type: 'signal', name: 'rt_sigtimedwait', timeout: undefined })),
      'signal inferred | rt_sigtimedwait on a signal | live',
    ],
    [
      'signal of a shell with a child',
      () =>
        told(inCall({ type: 'signal', name: 'rt_sigsuspend', timeout: undefined }), { more: [sleeper(2)] }),
      'timer bounded | rt_sigsuspend on the end of `p2`(2) | woken by 2',
    ],
    [
      'signal of a shell without one',
      () => told(inCall({ type: 'signal', name: 'rt_sigsuspend', timeout: undefined })),
      'signal inferred | rt_sigsuspend on a signal | live',
    ],
    [
      'poll of nothing',
      () => told(inCall({ type: 'fds', name: 'poll', fds: [], timeout: undefined })),
      'signal inferred | poll() on a signal | live',
    ],
    [
      'epoll of nothing',
      () => told(inCall({ type: 'fds', name: 'epoll_wait', fds: [], timeout: undefined })),
      'signal inferred | epoll_wait() on a signal | live',
    ],
    [
      'poll of what is not there',
      () => told(inCall(read(9))),
      'unknown unknown | read(9) on descriptor 9, which could not be looked at | live | `p1`(1) waits for descriptor 9, which could not be looked at',
    ],
    [
      'disk',
      () => told(inCall({ type: 'disk', name: 'fsync' })),
      'disk inferred | fsync on the disk (fsync) | live | nothing came from a disk meanwhile',
    ],
    [
      'disk, uninterruptibly',
      () => told(inCall({ type: 'disk', name: 'fsync' }, { state: 'D' })),
      'disk inferred | fsync on the disk (fsync) | live | nothing came from a disk meanwhile',
    ],
    [
      'something, uninterruptibly',
      () => told(inCall(still, { state: 'D' })),
      'unknown unknown | futex 0x1 on something that no signal interrupts (perhaps it is frozen) | live | `p1`(1) waits for something that no signal interrupts (perhaps it is frozen)',
    ],
    [
      'vfork, uninterruptibly',
      () => told(inCall(child(-1), { state: 'D' }), { more: [sleeper(2)] }),
      'timer bounded | waitid on the end of `p2`(2) | woken by 2',
    ],
    [
      'worker, uninterruptibly',
      () => told(inCall({ type: 'worker' }, { state: 'D' })),
      'closed_wait proven blocked | a worker of io_uring on its process | woken by 1 | end it: whatever it waits for can only come from itself',
    ],
    [
      'ring',
      () => told(on({ type: 'uring', watched: [] }, { type: 'ring', fd: 3, timeout: undefined })),
      'closed_wait proven blocked | io_uring_enter(3) on an io_uring with nothing pending of its own | woken by 1 | end it: whatever it waits for can only come from itself',
    ],
    [
      'ring that could not be read',
      () => told(inCall({ type: 'ring', fd: 3, timeout: undefined })),
      'unknown unknown | io_uring_enter(3) on requests in an io_uring that could not be read | live | `p1`(1) waits for requests in an io_uring that could not be read',
    ],
    [
      'ring of a descriptor',
      () =>
        told(
          tree(rootPid, {
            call: { type: 'ring', fd: 3, timeout: undefined },
            fds: { 3: { type: 'uring', watched: [{ fd: 0, want: 'read' }] }, 0: pipe(held(supervisor)) },
          }),
        ),
      'stdin inferred | io_uring_enter(3) on its stdin, a pipe that this lull holds and has not written | woken by 1000 | close its stdin, or run it with </dev/null | what the io_uring of `p1`(1) waits for is inferred',
    ],
    [
      'ring that is no ring',
      () => told(on({ type: 'file', path: '/x' }, { type: 'ring', fd: 3, timeout: undefined })),
      'unknown unknown | io_uring_enter(3) on requests in an io_uring that could not be read | live | `p1`(1) waits for requests in an io_uring that could not be read',
    ],
    [
      'shared memory',
      () => told(inCall({ type: 'shared', name: 'msgrcv', timeout: undefined })),
      'unknown unknown | msgrcv on a queue or semaphore that anyone may share | live | `p1`(1) waits for a queue or semaphore that anyone may share',
    ],
    [
      'shared memory, for a time',
      () => told(inCall({ type: 'shared', name: 'semtimedop', timeout: 90_000 })),
      'timer bounded | semtimedop on a timer that fires within 90 s | live',
    ],
    [
      'futex of its own',
      () => told(inCall(still)),
      'closed_wait proven blocked | futex 0x1 on its own threads | woken by 1 | end it: whatever it waits for can only come from itself',
    ],
    [
      'futex of anybody',
      () => told(inCall({ type: 'futex', address: '0x1', isPrivate: false, timeout: undefined })),
      'unknown unknown | futex 0x1 on memory that anyone may share | live | `p1`(1) waits for memory that anyone may share',
    ],
    [
      'worker',
      () => told(inCall({ type: 'worker' })),
      'closed_wait proven blocked | a worker of io_uring on its process | woken by 1 | end it: whatever it waits for can only come from itself',
    ],
    [
      'children: none',
      () => told(inCall(anyChild)),
      'unknown unknown | wait4 on a child that was not found | live | `p1`(1) waits for a child that was not found',
    ],
    [
      'children: any',
      () => told(inCall(anyChild), { more: [sleeper(2)] }),
      'timer bounded | wait4 on the end of `p2`(2) | woken by 2',
    ],
    [
      'children: this one',
      () => told(inCall(child(2)), { more: [sleeper(2), sleeper(3)] }),
      'timer bounded | waitid(2) on the end of `p2`(2) | woken by 2',
    ],
    [
      'children: another one',
      () => told(inCall(child(9)), { more: [sleeper(2)] }),
      'unknown unknown | waitid(9) on a child that was not found | live | `p1`(1) waits for a child that was not found',
    ],
    [
      'children: one that has ended',
      () => told(inCall(child(2)), { more: [ended(2), sleeper(3)] }),
      'unknown unknown | waitid(2) on a child that has just ended | live | `p1`(1) waits for a child that has just ended',
    ],
    [
      'children: not one that has ended',
      () => told(inCall(child(3)), { more: [ended(2), sleeper(3)] }),
      'timer bounded | waitid(3) on the end of `p3`(3) | woken by 3',
    ],
    [
      'children: not a grandchild that has ended',
      () => told(inCall(anyChild), { more: [sleeper(2), ended(3, { parent: 2 })] }),
      'timer bounded | wait4 on the end of `p2`(2) | woken by 2',
    ],
    [
      'children: of a group',
      () => told(inCall(child(-5)), { more: [sleeper(2, { group: 5 }), sleeper(3)] }),
      'timer bounded | waitid on the end of `p2`(2) | woken by 2',
    ],
    [
      'children: of its own group',
      () => told(inCall(child(0)), { more: [sleeper(2, { group: 5 }), sleeper(3)] }),
      'timer bounded | waitid on the end of `p3`(3) | woken by 3',
    ],
    [
      'lock, of whom is not told',
      () => told(inCall(lock())),
      'unknown unknown | flock(3) on a file lock whose holder was not found | live | `p1`(1) waits for a file lock whose holder was not found',
    ],
    [
      'lock of an outsider',
      () => told(inCall(lock(78, 77))),
      'outsider inferred | flock(3) on a file lock that `holder`(77) and `other`(78) holds | woken by 77, 78 | live',
    ],
    [
      'lock of the tree',
      () => told(inCall(lock(3, 2)), { more: [sleeper(2), sleeper(3)] }),
      'timer bounded | flock(3) on a file lock that `p2`(2) holds | woken by 2',
    ],
    [
      'lock of nobody who is known',
      () => told(inCall(lock(99))),
      'unknown unknown | flock(3) on a file lock whose holder was not found | live | `p1`(1) waits for a file lock whose holder was not found',
    ],
  ]
  test.each(cases)('%s', (_, ask, sentence) => expect(ask()).toBe(sentence))
})

describe('a descriptor', () => {
  const full = (target: Target, around: Around = {}): string => told(on(target, write(3)), around)
  const unix = (more: object): Target => ({ type: 'unix', inode: '8', isListening: false, ...more })
  const tty = (...master: readonly number[]): Target => ({
    type: 'tty',
    path: '/dev/pts/9',
    ...(master.length > 0 && { master: held(...master) }),
  })
  const tcp = (more: Partial<Extract<Target, { type: 'tcp' }>>): Target => ({
    type: 'tcp',
    inode: '50',
    state: 'established',
    local: '10.0.0.1:40000',
    remote: '10.0.0.2:443',
    timer: 'none',
    attempts: 0,
    sendQueue: 0,
    receiveQueue: 0,
    ...more,
  })
  const rested = { received: 5, sinceReceived: 1501, sinceSent: 1501 } as const

  const cases: readonly (readonly [string, () => string, string])[] = [
    [
      'udp',
      () => told(on({ type: 'udp', inode: '5' })),
      'network inferred | read(3) on a datagram socket | live',
    ],
    [
      'socket',
      () => told(on({ type: 'socket', inode: '5' })),
      'unknown unknown | read(3) on a socket of the kernel’s | live | `p1`(1) waits for a socket of the kernel’s',
    ],
    [
      'file',
      () => told(on({ type: 'file', path: '/data' })),
      'outsider inferred | read(3) on changes of the file /data | live',
    ],
    [
      'device',
      () => told(on({ type: 'device', path: '/dev/zero' })),
      'unknown unknown | read(3) on the device /dev/zero | live | `p1`(1) waits for the device /dev/zero',
    ],
    [
      'event counter of this lull',
      () => told(on({ type: 'eventfd', count: 0, holders: held(supervisor) })),
      'outsider inferred | read(3) on an event counter of this lull | woken by 1000 | live',
    ],
    [
      'event counter of its own',
      () => told(on({ type: 'eventfd', count: 0, holders: held(rootPid) })),
      'closed_wait proven blocked | read(3) on an event counter of its own | woken by 1 | end it: whatever it waits for can only come from itself',
    ],
    [
      'event counter of another',
      () => told(on({ type: 'eventfd', count: 0, holders: held(2) }), { more: [sleeper(2)] }),
      'timer bounded | read(3) on an event counter from `p2`(2) | woken by 2',
    ],
    [
      'signals',
      () => told(on({ type: 'signalfd' }), { more: [sleeper(2)] }),
      'timer bounded | read(3) on a signal | live',
    ],
    [
      'timer',
      () => told(on({ type: 'timerfd', remaining: 90_000 })),
      'timer bounded | read(3) on a timer that fires within 90 s | live',
    ],
    [
      'timer that is not set',
      () => told(on({ type: 'timerfd' })),
      'closed_wait proven blocked | read(3) on a timer that is not set of its own | woken by 1 | end it: whatever it waits for can only come from itself',
    ],
    [
      'epoll of itself',
      () => told(on({ type: 'epoll', watched: [{ fd: 3, want: 'read' }] })),
      'closed_wait proven blocked | no wait | end it: whatever it waits for can only come from itself',
    ],
    [
      'epoll in an epoll',
      () =>
        told(
          tree(rootPid, {
            call: read(3),
            fds: {
              3: { type: 'epoll', watched: [{ fd: 4, want: 'read' }] },
              4: {
                type: 'epoll',
                watched: [
                  { fd: 3, want: 'read' },
                  { fd: 0, want: 'read' },
                ],
              },
              0: pipe(held(supervisor)),
            },
          }),
        ),
      'stdin proven blocked | read(3) on its stdin, a pipe that this lull holds and has not written | woken by 1000 | close its stdin, or run it with </dev/null',
    ],
    [
      'changes of files',
      () => told(on({ type: 'inotify' })),
      'outsider inferred | read(3) on files to change | live',
    ],
    [
      'process of the tree',
      () => told(on({ type: 'pidfd', pid: 2 }), { more: [sleeper(2)] }),
      'timer bounded | read(3) on the end of `p2`(2) | woken by 2',
    ],
    [
      'process outside',
      () => told(on({ type: 'pidfd', pid: 77 })),
      'outsider inferred | read(3) on the end of `holder`(77) | woken by 77 | live',
    ],
    [
      'a ring of itself',
      () => told(on({ type: 'uring', watched: [{ fd: 3, want: 'read' }] })),
      'closed_wait inferred | no wait | end it: whatever it waits for can only come from itself | what the io_uring of `p1`(1) waits for is inferred',
    ],
    [
      'a ring that could not be read',
      () => told(on({ type: 'uring' })),
      'unknown unknown | read(3) on requests in an io_uring that could not be read | live | `p1`(1) waits for requests in an io_uring that could not be read',
    ],
    [
      'another kind',
      () => told(on({ type: 'other', link: `anon:${'x'.repeat(70)}` })),
      'unknown unknown | read(3) on descriptor 3 (anon:xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx) | live | `p1`(1) waits for descriptor 3 (anon:xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx)',
    ],
    [
      'hidden file',
      () => told(on({ type: 'hidden', why: 'EACCES' })),
      'unknown unknown | read(3) on descriptor 3, which may not be looked at (EACCES) | live | `p1`(1) waits for descriptor 3, which may not be looked at (EACCES)',
    ],
    [
      'pipe of this lull',
      () => told(on(pipe(held(supervisor)))),
      'stdin proven blocked | read(3) on a pipe that this lull holds and has not written | woken by 1000 | close its stdin, or run it with </dev/null',
    ],
    [
      'pipe, which this lull owes',
      () => told(on(pipe(held(supervisor))), { options: { owesInput: true } }),
      'stdin inferred | read(3) on a pipe that this lull holds and may still write | woken by 1000 | live | whoever holds the other end may still write',
    ],
    [
      'stdin',
      () => told(tree(rootPid, { call: read(0), fds: { 0: pipe(held(supervisor)) } })),
      'stdin proven blocked | read(0) on its stdin, a pipe that this lull holds and has not written | woken by 1000 | close its stdin, or run it with </dev/null',
    ],
    [
      'stdin under another number',
      () =>
        told(tree(rootPid, { call: read(3), fds: { 0: pipe(held(supervisor)), 3: pipe(held(supervisor)) } })),
      'stdin proven blocked | read(3) on its stdin, a pipe that this lull holds and has not written | woken by 1000 | close its stdin, or run it with </dev/null',
    ],
    [
      'pipe of nobody',
      () => told(on(pipe(held()))),
      'unknown unknown | read(3) on a pipe whose other end nobody holds | live | `p1`(1) waits for a pipe whose other end nobody holds',
    ],
    [
      'pipe of outsiders',
      () => told(on(pipe(held(78, 77)))),
      'outsider inferred | read(3) on a pipe that `holder`(77) and `other`(78) holds | woken by 77, 78 | live',
    ],
    [
      'pipe of many',
      () => told(on(pipe(held(77, 78, 79, 80, 81)))),
      'outsider inferred | read(3) on a pipe that `holder`(77), `other`(78), process 79 and 2 more holds | woken by 77, 78, 79, 80, 81 | live',
    ],
    [
      'pipe of one unseen',
      () => told(on(pipe({ pids: [], isWhole: false }))),
      'unknown unknown | read(3) on a pipe whose other end someone unseen may hold | live | `p1`(1) waits for a pipe whose other end someone unseen may hold',
    ],
    [
      'pipe of another',
      () => told(on(pipe(held(3, 2))), { more: [sleeper(2), sleeper(3)] }),
      'timer bounded | read(3) on a pipe from `p2`(2) | woken by 2',
    ],
    [
      'pipe of its own',
      () => told(on(pipe(held(rootPid))), { more: [sleeper(2)] }),
      'timer bounded | read(3) on a pipe of its own | woken by 1',
    ],
    [
      'named pipe',
      () => told(on(pipe(held(77), held(rootPid), '/run/fifo'))),
      'outsider inferred | read(3) on writers to the named pipe /run/fifo | live',
    ],
    [
      'full pipe to this lull',
      () => full(pipe(held(rootPid), held(supervisor))),
      'output inferred | write(3) on output that this lull has not read yet | woken by 1000 | live | read its output, or send it to a file | its reader lives, and may read on',
    ],
    [
      'full pipe to this lull, which does not read',
      () => full(pipe(held(rootPid), held(supervisor)), { options: { drains: false } }),
      'output proven blocked | write(3) on output that this lull has not read yet | woken by 1000 | live | read its output, or send it to a file',
    ],
    [
      'full pipe to another',
      () => full(pipe(held(rootPid), held(2)), { more: [sleeper(2)] }),
      'timer bounded | write(3) on a full pipe to `p2`(2) | woken by 2',
    ],
    [
      'full pipe to an outsider',
      () => full(pipe(held(rootPid), held(77))),
      'output inferred | write(3) on a full pipe that `holder`(77) holds | woken by 77 | live | read its output, or send it to a file | its reader lives, and may read on',
    ],
    [
      'unix socket: listening',
      () => told(on(unix({ isListening: true }))),
      'server inferred | read(3) on clients on a unix socket | live',
    ],
    [
      'unix socket: alone',
      () => told(on(unix({}))),
      'unknown unknown | read(3) on a unix socket whose other end was not found | live | `p1`(1) waits for a unix socket whose other end was not found',
    ],
    [
      'unix socket: this lull',
      () => told(on(unix({ peer: held(supervisor) }))),
      'outsider inferred | read(3) on a socket to this lull | woken by 1000 | live',
    ],
    [
      'unix socket: stdin',
      () => told(tree(rootPid, { call: read(0), fds: { 0: unix({ peer: held(supervisor) }) } })),
      'stdin proven blocked | read(0) on its stdin, a socket that this lull holds and has not written | woken by 1000 | close its stdin, or run it with </dev/null',
    ],
    [
      'unix socket: another',
      () => told(on(unix({ peer: held(2) })), { more: [sleeper(2)] }),
      'timer bounded | read(3) on a unix socket from `p2`(2) | woken by 2',
    ],
    [
      'unix socket: full',
      () => full(unix({ peer: held(supervisor) })),
      'output inferred | write(3) on output that this lull has not read yet | woken by 1000 | live | read its output, or send it to a file | its reader lives, and may read on',
    ],
    [
      'terminal',
      () => told(on(tty())),
      'stdin inferred | read(3) on the terminal /dev/pts/9, where a person may sit | live | whoever holds the other end may still write',
    ],
    [
      'terminal of an outsider',
      () => told(on(tty(77))),
      'stdin inferred | read(3) on the terminal /dev/pts/9, held by `holder`(77), where a person may sit | woken by 77 | live | whoever holds the other end may still write',
    ],
    [
      'terminal of this lull',
      () => told(on(tty(supervisor))),
      'stdin proven blocked | read(3) on the terminal /dev/pts/9 that this lull holds and types nothing into | woken by 1000 | answer it, or run it without a terminal',
    ],
    [
      'terminal of this lull, which owes input',
      () => told(on(tty(supervisor)), { options: { owesInput: true } }),
      'stdin inferred | read(3) on the terminal /dev/pts/9 that this lull holds and types nothing into | woken by 1000 | live | whoever holds the other end may still write',
    ],
    [
      'terminal of the tree',
      () => told(on(tty(2, 77)), { more: [sleeper(2)] }),
      'outsider inferred | read(3) on the terminal /dev/pts/9 that `holder`(77) holds | woken by 77 | live',
    ],
    [
      'terminal, full',
      () => full(tty()),
      'output inferred | write(3) on the terminal /dev/pts/9, which takes no more output | live | read its output, or send it to a file | its reader lives, and may read on',
    ],
    [
      'terminal of an outsider, full',
      () => full(tty(77)),
      'output inferred | write(3) on the terminal /dev/pts/9, which takes no more output | woken by 77 | live | read its output, or send it to a file | its reader lives, and may read on',
    ],
    [
      'terminal of this lull, full',
      () => full(tty(supervisor)),
      'output inferred | write(3) on output that this lull has not read yet | woken by 1000 | live | read its output, or send it to a file | its reader lives, and may read on',
    ],
    [
      'connection',
      () => told(on(tcp({}))),
      'unknown unknown | read(3) on a connection to 10.0.0.2:443, of which a slow peer and a vanished one look the same | live | ask the peer in another way, or give the connection keepalive or a timeout | a slow peer and a vanished one look the same',
    ],
    [
      'connection: clients',
      () => told(on(tcp({ state: 'listen' }))),
      'server inferred | read(3) on clients on 10.0.0.1:40000 | live',
    ],
    [
      'connection: being made',
      () => told(on(tcp({ state: 'syn-sent', attempts: 1 }))),
      'connecting inferred | read(3) on a connection to 10.0.0.2:443, which is being made | live',
    ],
    [
      'connection: not accepted',
      () => told(on(tcp({ state: 'syn-sent', attempts: 2 }))),
      'unreachable bounded | read(3) on 10.0.0.2:443, which has not answered 2 attempts to connect | see whether the peer listens, and is not full | the kernel gives up by itself, as a rule after 2 min',
    ],
    [
      'connection: of this lull',
      () => told(on(tcp({ peer: held(supervisor) }))),
      'network inferred | read(3) on a connection to 10.0.0.2:443 | woken by 1000 | live',
    ],
    [
      'connection: of the tree',
      () => told(on(tcp({ peer: held(2, 77) })), { more: [sleeper(2)] }),
      'outsider inferred | read(3) on a connection that `holder`(77) holds | woken by 77 | live',
    ],
    [
      'connection: of the tree, full',
      () => full(tcp({ peer: held(2) }), { more: [sleeper(2)] }),
      'timer bounded | write(3) on a connection to `p2`(2) | woken by 2',
    ],
    [
      'connection: of an outsider',
      () => told(on(tcp({ peer: held(77) }))),
      'network inferred | read(3) on a connection to 10.0.0.2:443 | woken by 77 | live',
    ],
    [
      'connection: unanswered',
      () => told(on(tcp({ timer: 'retransmit', attempts: 3 }))),
      'dead_peer bounded | read(3) on a connection to 10.0.0.2:443, which has not answered 3 retransmissions | see whether the peer and the way to it still live | the kernel gives up by itself, as a rule after 15 min',
    ],
    [
      'connection: probed',
      () => told(on(tcp({ timer: 'keepalive', attempts: 3 }))),
      'dead_peer bounded | read(3) on a connection to 10.0.0.2:443, which has not answered 3 keepalive probes | see whether the peer and the way to it still live | the kernel gives up by itself, as a rule after 15 min',
    ],
    [
      'connection: its window is shut',
      () => told(on(tcp({ timer: 'zero-window', attempts: 3 }))),
      'dead_peer bounded | read(3) on a connection to 10.0.0.2:443, which has not answered 3 window probes | see whether the peer and the way to it still live | the kernel gives up by itself, as a rule after 15 min',
    ],
    [
      'connection: closing, many attempts',
      () => told(on(tcp({ timer: 'time-wait', attempts: 3 }))),
      'network inferred | read(3) on a connection to 10.0.0.2:443 | live',
    ],
    [
      'connection: probed twice',
      () => told(on(tcp({ timer: 'keepalive', attempts: 2 }))),
      'network inferred | read(3) on a connection to 10.0.0.2:443 | live',
    ],
    [
      'connection: at rest',
      () => told(on(tcp(rested))),
      'network inferred | read(3) on a connection to 10.0.0.2:443, which rests | live | an idle connection and a paused stream look the same',
    ],
    [
      'connection: at rest for a moment',
      () => told(on(tcp({ ...rested, sinceReceived: 1500 }))),
      'unknown unknown | read(3) on a connection to 10.0.0.2:443, of which a slow peer and a vanished one look the same | live | ask the peer in another way, or give the connection keepalive or a timeout | a slow peer and a vanished one look the same',
    ],
    [
      'connection: asked since',
      () => told(on(tcp({ ...rested, sinceSent: 1500 }))),
      'unknown unknown | read(3) on a connection to 10.0.0.2:443, of which a slow peer and a vanished one look the same | live | ask the peer in another way, or give the connection keepalive or a timeout | a slow peer and a vanished one look the same',
    ],
    [
      'connection: never answered',
      () => told(on(tcp({ ...rested, received: 0 }))),
      'unknown unknown | read(3) on a connection to 10.0.0.2:443, of which a slow peer and a vanished one look the same | live | ask the peer in another way, or give the connection keepalive or a timeout | a slow peer and a vanished one look the same',
    ],
    [
      'connection: unread',
      () => told(on(tcp({ ...rested, receiveQueue: 5 }))),
      'unknown unknown | read(3) on a connection to 10.0.0.2:443, of which a slow peer and a vanished one look the same | live | ask the peer in another way, or give the connection keepalive or a timeout | a slow peer and a vanished one look the same',
    ],
    [
      'connection: at rest, full',
      () => full(tcp(rested)),
      'unknown unknown | write(3) on a connection to 10.0.0.2:443, of which a slow peer and a vanished one look the same | live | ask the peer in another way, or give the connection keepalive or a timeout | a slow peer and a vanished one look the same',
    ],
    [
      'connection: here',
      () => told(on(tcp({ remote: '127.0.0.1:443' }))),
      'network inferred | read(3) on a connection to 127.0.0.1:443 | live',
    ],
    [
      'connection: here, by its sixth version',
      () => told(on(tcp({ remote: '[::1]:443' }))),
      'network inferred | read(3) on a connection to [::1]:443 | live',
    ],
    [
      'connection: here, mapped',
      () => told(on(tcp({ remote: '[::ffff:127.0.0.1]:443' }))),
      'network inferred | read(3) on a connection to [::ffff:127.0.0.1]:443 | live',
    ],
    [
      'connection: to its own address',
      () => told(on(tcp({ remote: '10.0.0.1:443' }))),
      'network inferred | read(3) on a connection to 10.0.0.1:443 | live',
    ],
    [
      'connection: not quite here',
      () => told(on(tcp({ remote: '10.127.0.1:443' }))),
      'unknown unknown | read(3) on a connection to 10.127.0.1:443, of which a slow peer and a vanished one look the same | live | ask the peer in another way, or give the connection keepalive or a timeout | a slow peer and a vanished one look the same',
    ],
  ]
  test.each(cases)('%s', (_, ask, sentence) => expect(ask()).toBe(sentence))
})
