import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ProcessCause } from '../../src/core/state.ts'
import { diagnose } from '../../src/process/closure/diagnose.ts'
import { describe as sentence, waitTree } from '../../src/process/describe.ts'
import type { Call, Holders, Process, SnapshotPair, Target } from '../../src/process/snapshot.ts'
import {
  anyChild,
  asleep,
  held,
  pairOf,
  pipe,
  read,
  rootPid,
  snapshot,
  still,
  supervisor,
  thread,
  tree,
  write,
} from '../support/process-tree.ts'

type Recorded = {
  readonly name: string
  readonly kind: 'stuck' | 'healthy' | 'bounded' | 'unknown'
  readonly expected: readonly ProcessCause[]
  readonly cut: SnapshotPair
}

const folder = path.resolve(import.meta.dirname, '../snapshots')
const recorded = readdirSync(folder)
  .filter(file => file.endsWith('.json'))
  .map(file => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Recorded)

/** Truly stuck, and never called so: something of them could still be meant. */
const neverCertain: ReadonlySet<string> = new Set([
  // A clock of it ticks, and might do something one day.
  'spinner + stdin',
  // The foreground of the terminal still sleeps.
  'pty background cat',
  // A debugger may let it go on at any time.
  'traced',
  // The kernel gives up by itself after a while.
  'connect to a full listen(0)',
  'link down before a send',
  'link down, keepalive',
  'link down, full window',
  // What a ring waits for is inferred.
  'C io_uring read',
  // A timer of V8's was still to fire, 8 s after a garbage collection.
  'agent whose tool asks',
  // They catch ALRM, so that a timer that can't be seen may fire.
  'npm init',
  'pty read -s',
  'pty vi',
])

describe('recorded trees (bench/process.ts --record)', () => {
  test('all kinds are there', () => {
    expect(recorded.length).toBeGreaterThan(80)
    expect(new Set(recorded.map(({ kind }) => kind)).size).toBe(4)
  })

  test.each(recorded)('$name: $expected', ({ name, kind, expected, cut }) => {
    const drains = name !== 'output that nobody takes'
    const { cause, isBlocked, proof } = diagnose(cut, { drains })
    expect(expected).toContain(cause)
    if (kind !== 'stuck') expect(isBlocked).toBe(false)
    if (kind === 'unknown') expect(proof).toBe('unknown')
    if (kind === 'bounded') expect(proof).toBe('bounded')
    if (kind === 'stuck' && !neverCertain.has(name)) expect([isBlocked, proof]).toEqual([true, 'proven'])
  })
})

const verdict = (processes: readonly Process[], options = {}, more = {}) => {
  const { cause, proof, isBlocked } = diagnose(pairOf(processes, more), options)
  return `${cause} ${proof}${isBlocked ? ' blocked' : ''}`
}

const stdin = pipe(held(supervisor))
const reader = tree(rootPid, { call: read(0), fds: { 0: stdin } })
const waiting = tree(rootPid, { call: anyChild })

const tcp = (more: Partial<Extract<Target, { type: 'tcp' }>>): Process =>
  tree(rootPid, {
    call: read(3),
    fds: {
      3: {
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
      },
    },
  })

const outside = (pid: number) => ({ outsiders: [{ pid, name: 'holder', state: 'S' }] })

describe('input', () => {
  test('that the supervisor holds and does not owe', () => {
    expect(verdict([reader])).toBe('stdin proven blocked')
  })
  test('that it owes', () => {
    expect(verdict([reader], { owesInput: true })).toBe('stdin inferred')
  })
  test('that somebody else holds', () => {
    const foreign = tree(rootPid, { call: read(0), fds: { 0: pipe(held(77)) } })
    expect(verdict([foreign], {}, outside(77))).toBe('outsider inferred')
    expect(diagnose(pairOf([foreign], outside(77))).summary).toContain('`holder`(77)')
  })
  test('that somebody else holds as well', () => {
    const shared = tree(rootPid, { call: read(0), fds: { 0: pipe(held(supervisor, 77)) } })
    expect(verdict([shared], {}, outside(77))).toBe('outsider inferred')
  })
  test('of a terminal that this lull holds, and of one where a person may sit', () => {
    const at = (master?: ReturnType<typeof held>): Process =>
      tree(rootPid, {
        call: read(0),
        fds: { 0: { type: 'tty', path: '/dev/pts/9', ...(master && { master }) } },
      })
    expect(verdict([at(held(supervisor))])).toBe('stdin proven blocked')
    expect(verdict([at(held(77))], {}, outside(77))).toBe('stdin inferred')
    expect(verdict([at()])).toBe('stdin inferred')
    expect(diagnose(pairOf([at()])).isTerminal).toBe(true)
  })
  test('of a child: the parent has the same cause, and the chain says how', () => {
    const child = tree(2, { call: read(0), fds: { 0: stdin } })
    const { cause, isBlocked, chain, summary, advice } = diagnose(pairOf([waiting, child]))
    expect([cause, isBlocked]).toEqual(['stdin', true])
    expect(chain.map(({ pid, call }) => `${pid} ${call}`)).toEqual(['1 wait4', '2 read(0)'])
    expect(summary).toContain('`p1`(1) waits for 2')
    expect(advice).toContain('</dev/null')
  })
  test('whose other end someone may hold who may not be looked at', () => {
    const partly = pipe({ pids: [supervisor], isWhole: false })
    expect(verdict([tree(rootPid, { call: read(0), fds: { 0: partly } })])).toBe('unknown unknown')
    const timed = tree(rootPid, {
      call: read(0, 3),
      fds: { 0: partly, 3: { type: 'timerfd', remaining: 6e5 } },
    })
    expect(verdict([timed])).toBe('timer bounded')
  })
  test('beside a timer that is not set, or an epoll, which others have open', () => {
    const onTimer = (holders: Holders) =>
      verdict(
        [tree(rootPid, { call: read(0, 3), fds: { 0: stdin, 3: { type: 'timerfd', holders } } })],
        {},
        outside(77),
      )
    expect(onTimer(held(rootPid))).toBe('stdin proven blocked')
    expect(onTimer(held(rootPid, 77))).toBe('outsider inferred')
    expect(onTimer({ pids: [rootPid], isWhole: false })).toMatch(/^unknown/)
    const onSet = (holders: Holders) => {
      const call = { ...read(0), name: 'epoll_wait', set: 3 } as const
      const set = { type: 'epoll', watched: [{ fd: 0, want: 'read' }], holders } as const
      return verdict([tree(rootPid, { call, fds: { 0: stdin, 3: set } })], {}, outside(77))
    }
    expect(onSet(held(rootPid))).toBe('stdin proven blocked')
    expect(onSet(held(rootPid, 77))).toBe('outsider inferred')
    expect(onSet({ pids: [rootPid], isWhole: false })).toMatch(/^unknown/)
  })
  test('beside a timer of seconds, of minutes, and beside a signal timer', () => {
    const also = (remaining: number): Process =>
      tree(rootPid, { call: read(0, 3), fds: { 0: stdin, 3: { type: 'timerfd', remaining } } })
    expect(verdict([also(100)])).toBe('stdin inferred')
    expect(verdict([also(8000)])).toBe('stdin inferred')
    expect(verdict([also(600_000)])).toBe('timer bounded')
    expect(verdict([{ ...reader, hasSignalTimer: true }])).toBe('stdin bounded')
  })
  test('and a handler for a signal that anybody may send, unless its runtime has it for itself', () => {
    const catching = (process: Process, ...catches: ('USR1' | 'USR2')[]) => verdict([{ ...process, catches }])
    expect(catching(reader, 'USR1')).toBe('stdin inferred')
    expect(catching(tree(1), 'USR2')).toBe('signal inferred')
    expect(catching({ ...reader, hasSignalTimer: true }, 'USR1')).toBe('stdin bounded')
    expect(catching({ ...reader, name: 'make' }, 'USR1')).toBe('stdin proven blocked')
    expect(catching({ ...reader, name: 'make' }, 'USR1', 'USR2')).toBe('stdin inferred')
    const node = { ...reader, threads: [...reader.threads, thread(11, still, { name: 'SignalInspector' })] }
    expect(catching(node, 'USR1')).toBe('stdin proven blocked')
  })
  test('while another process of the tree lives', () => {
    expect(verdict([reader, tree(2, { call: asleep(90_000) })])).toBe('stdin inferred')
  })
  test('while threads of the runtime tick', () => {
    const java = tree(rootPid, {
      name: 'java',
      fds: { 0: stdin },
      threads: [thread(1, read(0)), thread(9, asleep(50), { name: 'VM Periodic Tas' })],
    })
    const busy = {
      ...java,
      threads: [thread(1, read(0)), thread(9, asleep(50), { name: 'VM Periodic Tas', slices: 6 })],
    }
    const cut = { before: snapshot([java], { at: 9000 }), after: snapshot([busy]) }
    expect(diagnose(cut).isBlocked).toBe(true)
    const other = {
      ...cut,
      after: snapshot([{ ...busy, name: 'python3' }]),
      before: snapshot([{ ...java, name: 'python3' }], { at: 9000 }),
    }
    expect(diagnose(other).isBlocked).toBe(false)
  })
})

describe('connections', () => {
  const local = '127.0.0.1:80'
  test.each<[string, Parameters<typeof tcp>[0], string]>([
    ['on this machine', { remote: local }, 'network inferred'],
    ['to a peer that could be gone', {}, 'unknown unknown'],
    ['whose keepalive is answered', { timer: 'keepalive' }, 'network inferred'],
    ['just sent on', { timer: 'retransmit', attempts: 1 }, 'network inferred'],
    ['unacknowledged', { timer: 'retransmit', attempts: 3 }, 'dead_peer bounded'],
    ['probed in vain', { timer: 'keepalive', attempts: 3 }, 'dead_peer bounded'],
    ['being made', { state: 'syn-sent', timer: 'retransmit', attempts: 0 }, 'connecting inferred'],
    ['not accepted', { state: 'syn-sent', timer: 'retransmit', attempts: 2 }, 'unreachable bounded'],
    ['listening', { state: 'listen', remote: '0.0.0.0:0' }, 'server inferred'],
    [
      'at rest',
      { remote: local, sent: 9, received: 9, sinceSent: 9000, sinceReceived: 8900 },
      'network inferred',
    ],
    ['to this lull', { remote: local, peer: held(supervisor) }, 'network inferred'],
  ])('%s', (_, more, expected) => {
    expect(verdict([tcp(more)])).toBe(expected)
  })

  test('at rest, beside stdin: an agent that waits to be told, or a stream that pauses', () => {
    const resting = tcp({ remote: local, sent: 9, received: 9, sinceSent: 9000, sinceReceived: 8900 })
    const agent = { ...resting, threads: [thread(1, read(0, 3))], fds: { ...resting.fds, 0: stdin } }
    expect(verdict([agent])).toBe('stdin inferred')
  })
  test('bytes that came between the looks tell that the peer lives', () => {
    const [before, after] = [tcp({ received: 5 }), tcp({ received: 6 })]
    const { cause } = diagnose({ before: snapshot([before], { at: 9000 }), after: snapshot([after]) })
    expect(cause).toBe('network')
  })
  test('to a process of the tree that itself waits for this one', () => {
    const end = (pid: number, peer: number): Process => ({
      ...tcp({ remote: local, peer: held(peer) }),
      pid,
      parent: pid === 1 ? supervisor : 1,
      threads: [thread(pid, read(3))],
    })
    expect(verdict([end(1, 2), end(2, 1)])).toBe('closed_wait proven blocked')
  })
  test('to a peer that could be gone, with a limit', () => {
    const limited = tcp({})
    const timed: Call = { ...read(3), timeout: 30_000 } as Call
    expect(verdict([{ ...limited, threads: [thread(1, timed)] }])).toBe('network bounded')
  })
})

describe('locks, pipes and each other', () => {
  const lock = (owner: number): Call => ({ ...still, owner }) as Call
  const ring = [thread(1, lock(11)), thread(11, lock(1))]
  test('a ring of mutexes is one whatever other threads do', () => {
    expect(verdict([tree(1, { threads: ring })])).toBe('deadlock proven blocked')
    expect(verdict([tree(1, { threads: [...ring, thread(12, asleep(9e5))] })])).toBe(
      'deadlock proven blocked',
    )
  })
  test('a signal ends no wait for a mutex, but one for a lock on a file', () => {
    const mutexes = tree(1, { threads: ring })
    expect(verdict([{ ...mutexes, catches: ['USR1'] }])).toBe('deadlock proven blocked')
    expect(verdict([{ ...mutexes, hasSignalTimer: true }])).toBe('deadlock proven')
    const at = (pid: number, owner: number, hasSignalTimer: boolean): Process =>
      tree(pid, { call: { type: 'lock', name: 'flock', fd: 3, owners: [owner] }, hasSignalTimer })
    expect(verdict([at(1, 2, false), at(2, 1, false)])).toBe('deadlock proven blocked')
    expect(verdict([at(1, 2, true), at(2, 1, true)])).toBe('deadlock bounded')
  })
  test('a ring of two workers is told, and does not block a main thread that lives', () => {
    const workers = [thread(1, asleep(9e5)), thread(11, lock(12)), thread(12, lock(11))]
    expect(verdict([tree(1, { threads: workers })])).toBe('deadlock proven')
  })
  test('a mutex whose owner waits for something else is no ring, and the chain ends there', () => {
    const threads = [thread(1, lock(11)), thread(11, still)]
    const found = diagnose(pairOf([tree(1, { threads })]))
    expect(verdict([tree(1, { threads })])).toBe('closed_wait proven blocked')
    expect(found.leaf).toMatchObject({ tid: 11, call: 'futex 0x1' })
    expect(found.summary).toContain('waits for the mutex of thread 11')
  })
  test('a holder that joins who wants the lock is one', () => {
    const threads = [thread(1, { ...still, joins: 11 } as Call), thread(11, lock(1))]
    expect(verdict([tree(1, { threads })])).toBe('deadlock proven blocked')
  })
  test('a ring below a timer of who waits for it ends by itself', () => {
    const self: Call = { type: 'lock', name: 'flock', fd: 3, owners: [2] }
    const limit = tree(1, { call: anyChild, hasSignalTimer: true })
    expect(verdict([limit, tree(2, { call: self })])).toBe('deadlock bounded')
    const waits = thread(1, { ...anyChild, timeout: 600_000 } as Call)
    const clocked = diagnose(pairOf([tree(1, { threads: [waits] }), tree(2, { call: self })]))
    expect(clocked).toMatchObject({ cause: 'deadlock', proof: 'bounded', isBlocked: false, until: 610_000 })
  })
  test('a ring beside work that gets done is told, and blocks nothing', () => {
    const peer = tree(2, { ...tcp({ remote: '127.0.0.1:80' }), pid: 2, threads: [thread(2, read(3))] })
    expect(verdict([tree(1, { threads: ring }), peer])).toBe('deadlock proven')
  })
  test('a lock that is asked for with a limit is no ring', () => {
    const timed = [thread(1, { ...lock(11), timeout: 60_000 } as Call), thread(11, lock(1))]
    expect(verdict([tree(1, { threads: timed })])).toBe('timer bounded')
  })
  test('a file lock of a program outside, and one whose holder is not known', () => {
    const at = (owners: readonly number[]): Process =>
      tree(1, { call: { type: 'lock', name: 'flock', fd: 3, owners } })
    expect(verdict([at([77])], {}, outside(77))).toBe('outsider inferred')
    expect(verdict([at([77, 78])], {}, outside(77))).toBe('outsider inferred')
    expect(verdict([at([77])])).toBe('unknown unknown')
    expect(verdict([at([])])).toBe('unknown unknown')
  })
  test('output that the supervisor reads, and that it does not', () => {
    const full = tree(1, { call: write(1), fds: { 1: pipe(held(1), held(supervisor)) } })
    expect(verdict([full])).toBe('output inferred')
    expect(verdict([full], { drains: false })).toBe('output proven blocked')
  })
  test('output to a parent that waits for the end first', () => {
    const child = tree(2, { call: write(1), fds: { 1: pipe(held(2), held(1)) } })
    expect(verdict([waiting, child])).toBe('output proven blocked')
  })
  test('a named pipe is a server, even where only its reader holds it', () => {
    const named = tree(1, { call: read(3), fds: { 3: pipe(held(1), held(1), '/run/control') } })
    expect(verdict([named])).toBe('server inferred')
    expect(verdict([tree(1, { call: read(3), fds: { 3: pipe(held(1)) } })])).toBe(
      'closed_wait proven blocked',
    )
  })
  test('a wait for signals may be for one from anyone, but of a shell that suspends itself for its children', () => {
    const idle = tree(2, { call: read(0), fds: { 0: pipe(held(1)) } })
    const at = (name: string): Process => tree(1, { call: { type: 'signal', name, timeout: undefined } })
    expect(verdict([at('rt_sigsuspend'), idle])).toBe('closed_wait proven blocked')
    expect(verdict([at('rt_sigtimedwait'), idle])).toBe('signal inferred')
    expect(verdict([tree(1, { call: { type: 'fds', name: 'poll', fds: [], timeout: undefined } })])).toBe(
      'signal inferred',
    )
    const watching = tree(1, { call: read(3), fds: { 3: { type: 'signalfd' } } })
    expect(verdict([watching, idle])).toBe('signal inferred')
  })
  test('an epoll set that another thread may still add to', () => {
    const waits: Call = {
      type: 'fds',
      name: 'epoll_wait',
      fds: [{ fd: 3, want: 'read' }],
      timeout: undefined,
    }
    const threads = [thread(1, waits), thread(11, asleep(9e5))]
    expect(verdict([tree(1, { threads, fds: { 3: pipe(held(1)) } })])).toBe('timer bounded')
  })
  test('what an io_uring waits for is inferred', () => {
    const ring = tree(1, {
      call: { type: 'ring', fd: 3, timeout: undefined },
      fds: { 0: stdin, 3: { type: 'uring', watched: [{ fd: 0, want: 'read' }] } },
    })
    expect(verdict([ring])).toBe('stdin inferred')
    expect(verdict([{ ...ring, fds: { 0: stdin, 3: { type: 'uring' } } }])).toBe('unknown unknown')
  })
  test('memory and queues that anyone may share', () => {
    expect(verdict([tree(1, { call: { ...still, isPrivate: false } as Call })])).toBe('unknown unknown')
  })
  test('a child that has just ended is about to be noticed', () => {
    const ended = tree(2, { threads: [thread(2, { type: 'none' }, { state: 'Z' })] })
    expect(verdict([waiting, ended])).toBe('unknown unknown')
    expect(verdict([tree(1, { call: asleep(9e5) }), ended])).toBe('timer bounded')
  })
})

describe('what is held, over, or at work', () => {
  const one = (more: Partial<Parameters<typeof thread>[2]>, call: Call = still): Process =>
    tree(1, { threads: [thread(1, call, more)] })
  test('stopped, traced, frozen, ended, gone', () => {
    expect(verdict([one({ state: 'T' })])).toBe('stopped proven blocked')
    expect(verdict([one({ state: 't' })])).toBe('traced proven')
    expect(verdict([{ ...one({}), isFrozen: true }])).toBe('frozen proven blocked')
    expect(verdict([one({ wchan: 'get_signal' }, asleep(9e5))])).toBe('frozen proven blocked')
    expect(verdict([{ ...one({ state: 'Z' }), parent: 77 }], {}, outside(77))).toBe('zombie proven blocked')
    // Its own supervisor is about to ask.
    expect(verdict([one({ state: 'Z' })])).toBe('exited proven')
    expect(verdict([])).toBe('exited proven')
  })
  test('a suspended job of a shell at its prompt', () => {
    const stopped = tree(2, { threads: [thread(2, read(0), { state: 'T' })] })
    expect(verdict([reader, stopped])).toBe('stdin proven blocked')
    expect(verdict([reader, stopped], { owesInput: true })).toBe('stdin inferred')
    expect(verdict([waiting, stopped])).toBe('stopped proven blocked')
  })
  test('a leader that has ended while another thread goes on is no zombie', () => {
    const threads = [thread(1, { type: 'none' }, { state: 'Z' }), thread(11, asleep(9e5))]
    expect(verdict([tree(1, { threads })])).toBe('timer bounded')
  })
  const window = (cpu: number, delay: number, state = 'R'): string => {
    const call: Call = { type: 'running' }
    const before = one({ cpu: 0, delay: 0, slices: 1 }, call)
    const after = one({ cpu: cpu * 1e9, delay: delay * 1e9, slices: 9, state }, call)
    const found = diagnose({ before: snapshot([before], { at: 9000 }), after: snapshot([after]) })
    return found.cause
  }
  test.each([
    [0.9, 0.05, 'computing'],
    [0.2, 0.7, 'computing'],
    [0.049, 0.939, 'starved'],
    [0.01, 0.02, 'computing'],
  ])('on a processor %f of the time, waiting for one %f', (cpu, delay, expected) => {
    expect(window(cpu, delay)).toBe(expected)
  })
  test('threads that wake each other get on, however little they use', () => {
    const threads = [thread(1, still), thread(11, still)]
    const later = [
      thread(1, still, { slices: 9, cpu: 1_100_000 }),
      thread(11, still, { slices: 9, cpu: 1_100_000 }),
    ]
    const cut = {
      before: snapshot([tree(1, { threads })], { at: 9000 }),
      after: snapshot([tree(1, { threads: later })]),
    }
    expect(diagnose(cut).cause).toBe('computing')
  })
  test('lull itself in the tree, called from the shell that is asked about, says nothing', () => {
    const self = tree(supervisor, {
      parent: 1,
      threads: [thread(supervisor, { type: 'running' }, { state: 'R', slices: 99 })],
    })
    expect(verdict([waiting, self])).toBe('outsider inferred')
  })
})

describe('words', () => {
  const child = tree(2, { name: 'ca`t\u001b', call: read(0), fds: { 0: stdin } })
  const found = diagnose(pairOf([waiting, child]))
  test('one sentence with what to do, without control characters of the program', () => {
    expect(sentence(found, 42_000)).toBe(
      'Blocked 42 s: `ca?t?`(2) in read(0) on its stdin, a pipe that this lull holds and has not written; `p1`(1) waits for 2;' +
        ' no timer, socket or other process can wake the tree. Close its stdin, or run it with </dev/null.',
    )
  })
  test('the tree of who waits for whom, its end marked', () => {
    expect(waitTree(found)).toEqual([
      '  p1(1)  wait4: the end of `ca?t?`(2)',
      '* └ ca`t?(2)  read(0): its stdin, a pipe that this lull holds and has not written',
    ])
  })
  test('a timer says when it fires at the latest', () => {
    const { until, summary } = diagnose(pairOf([tree(1, { call: asleep(60_000) })]))
    expect(until).toBe(70_000)
    expect(summary).toBe('`p1`(1) in clock_nanosleep with a timer that fires within 60 s')
  })
})
