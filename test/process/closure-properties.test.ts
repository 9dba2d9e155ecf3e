import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diagnose } from '../../src/process/closure/diagnose.ts'
import type { Call, Process, Snapshot, SnapshotPair, Target, Thread } from '../../src/process/snapshot.ts'
import {
  anyChild,
  asleep,
  held,
  pairOf,
  pipe,
  read,
  still,
  supervisor,
  thread,
  tree,
  write,
} from '../support/process-tree.ts'

/** What must hold of the closure for any tree whatever. */

const pids = [1, 2, 3] as const
const outside = 2000
const holders = fc
  .subarray([...pids, supervisor, outside], { minLength: 1, maxLength: 2 })
  .map(all => held(...all))

const tcp = (local: string): Target => ({
  type: 'tcp',
  inode: '50',
  state: 'established',
  local: `${local}:40000`,
  remote: '127.0.0.1:80',
  timer: 'none',
  attempts: 0,
  sendQueue: 0,
  receiveQueue: 0,
})

const target: fc.Arbitrary<Target> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(holders, holders).map(([writers, readers]) => pipe(writers, readers)) },
  {
    weight: 2,
    arbitrary: holders.map((peer): Target => ({ type: 'unix', inode: '9', isListening: false, peer })),
  },
  { weight: 2, arbitrary: holders.map((all): Target => ({ type: 'eventfd', count: 0, holders: all })) },
  { weight: 1, arbitrary: fc.constant(tcp('127.0.0.1')) },
  { weight: 1, arbitrary: fc.constant<Target>({ type: 'timerfd', remaining: 60_000 }) },
  { weight: 1, arbitrary: fc.constant<Target>({ type: 'pidfd', pid: 2 }) },
)

const futex = { type: 'futex', isPrivate: true, timeout: undefined } as const
const locked = (pid: number, tid: number): Call => ({ ...futex, address: '0x2', owner: tidOf(pid, tid) })

const call: fc.Arbitrary<Call> = fc.oneof(
  { weight: 4, arbitrary: fc.subarray([0, 3, 4], { minLength: 1 }).map(fds => read(...fds)) },
  { weight: 2, arbitrary: fc.constantFrom(3, 4).map(write) },
  { weight: 3, arbitrary: fc.constant(still) },
  { weight: 2, arbitrary: fc.constant(anyChild) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom(...pids), fc.constantFrom(0, 1)).map(([p, t]) => locked(p, t)),
  },
  { weight: 1, arbitrary: fc.constantFrom(asleep(500), asleep(90_000)) },
)

const state = fc.oneof(
  { weight: 12, arbitrary: fc.constant('S') },
  { weight: 1, arbitrary: fc.constantFrom('T', 'Z', 'R') },
)

/** Thread 0 of process 2 has the number 2, thread 1 of it 21: as the kernel numbers them, the first is the process. */
const tidOf = (pid: number, at: number): number => (at === 0 ? pid : pid * 10 + at)

const processOf = (pid: number): fc.Arbitrary<Process> =>
  fc
    .record({
      calls: fc.array(fc.tuple(call, state), { minLength: 1, maxLength: 3 }),
      targets: fc.tuple(target, target, target),
      hasSignalTimer: fc.constantFrom(false, false, false, false, true),
    })
    .map(({ calls, targets: [first, second, third], hasSignalTimer }) =>
      tree(pid, {
        threads: calls.map(([made, s], at) => thread(tidOf(pid, at), made, { state: s })),
        fds: { 0: first, 3: second, 4: third },
        hasSignalTimer,
      }),
    )

const outsiders = [
  { pid: supervisor, name: 'lull', state: 'S' },
  { pid: outside, name: 'other', state: 'S' },
]

const cuts: fc.Arbitrary<SnapshotPair> = fc
  .tuple(processOf(1), processOf(2), processOf(3), fc.integer({ min: 1, max: 3 }))
  .map(([one, two, three, count]) => pairOf([one, two, three].slice(0, count), { outsiders }))

const both = (cut: SnapshotPair, change: (snapshot: Snapshot) => Snapshot): SnapshotPair => ({
  before: change(cut.before),
  after: change(cut.after),
})

const withProcess = (snapshot: Snapshot, pid: number, change: (process: Process) => Process): Snapshot => ({
  ...snapshot,
  processes: snapshot.processes.map(process => (process.pid === pid ? change(process) : process)),
})

const withThread = (process: Process, at: number, change: (thread: Thread) => Thread): Process => ({
  ...process,
  threads: process.threads.map((one, i) => (i === at % process.threads.length ? change(one) : one)),
})

const withTimeout = (made: Call): Call =>
  'timeout' in made ? { ...made, timeout: 300_000 } : asleep(300_000)

/** Something that lives, added somewhere: the tree as it was can't become less alive by it. */
const lives: readonly ((cut: SnapshotPair, pid: number, at: number) => SnapshotPair)[] = [
  (cut, pid, at) =>
    both(cut, s => withProcess(s, pid, p => withThread(p, at, t => ({ ...t, call: withTimeout(t.call) })))),
  (cut, pid) =>
    both(cut, s =>
      withProcess(s, pid, p => ({
        ...p,
        threads: [...p.threads, thread(77, { type: 'running' }, { state: 'R' })],
      })),
    ),
  (cut, pid) =>
    both(cut, s => withProcess(s, pid, p => ({ ...p, threads: [...p.threads, thread(77, asleep(5000))] }))),
  cut => both(cut, s => ({ ...s, processes: [...s.processes, tree(4, { call: asleep(90_000) })] })),
  cut =>
    both(cut, s => ({
      ...s,
      processes: [...s.processes, tree(4, { call: read(3), fds: { 3: tcp('127.0.0.1') } })],
    })),
  (cut, pid) => both(cut, s => withProcess(s, pid, p => ({ ...p, fds: { ...p.fds, 3: tcp('127.0.0.1') } }))),
  (cut, pid) =>
    both(cut, s =>
      withProcess(s, pid, p => ({ ...p, fds: { ...p.fds, 4: pipe(held(outside), held(outside)) } })),
    ),
  (cut, pid) => both(cut, s => withProcess(s, pid, p => ({ ...p, hasSignalTimer: true }))),
]

const where = fc.tuple(cuts, fc.constantFrom(...pids), fc.nat(2))
const isHeld = ({ process, thread: { state: is } }: { process: Process; thread: Thread }): boolean =>
  /[TZ]/.test(is) || process.isFrozen

describe('the closure, for any tree', () => {
  test('the trees that are tried are blocked often enough to mean something', () => {
    const found = fc.sample(cuts, { numRuns: 1000, seed: 1 }).map(cut => diagnose(cut))
    const causes = new Set(found.map(({ cause }) => cause))
    expect(found.filter(({ isBlocked }) => isBlocked).length).toBeGreaterThan(100)
    expect(found.filter(({ isBlocked }) => !isBlocked).length).toBeGreaterThan(100)
    for (const cause of [
      'stdin',
      'deadlock',
      'output',
      'closed_wait',
      'timer',
      'network',
      'outsider',
      'stopped',
    ])
      expect(causes).toContain(cause)
  })

  test('a living source never makes a tree blocked that was not', () => {
    fc.assert(
      fc.property(where, fc.constantFrom(...lives), ([cut, pid, at], live) => {
        const after = diagnose(live(cut, pid, at))
        const before = diagnose(cut)
        // A ring of locks is one whatever sleeps beside it: what explains its doubts away may make it certain.
        if (!before.isBlocked && before.cause !== 'deadlock') expect(after.isBlocked).toBe(false)
      }),
      { numRuns: 1500 },
    )
  })

  test('a tree whose own thread waits with a limit is not blocked, unless it is held or over', () => {
    fc.assert(
      fc.property(cuts, cut => {
        const timed = lives[0]?.(cut, 1, 0) as SnapshotPair
        const root = timed.after.processes[0] as Process
        fc.pre(!isHeld({ process: root, thread: root.threads[0] as Thread }))
        const { isBlocked, cause } = diagnose(timed)
        expect([isBlocked, cause]).toEqual([false, cause])
      }),
      { numRuns: 1500 },
    )
  })

  test('nothing depends on the order of processes, threads, descriptors, waits or holders', () => {
    const turned = (all: Snapshot): Snapshot => ({
      ...all,
      outsiders: [...all.outsiders].reverse(),
      processes: [...all.processes].reverse().map(process => ({
        ...process,
        threads: [...process.threads]
          .reverse()
          .map(one =>
            one.call.type === 'fds'
              ? { ...one, call: { ...one.call, fds: [...one.call.fds].reverse() } }
              : one,
          ),
        fds: Object.fromEntries(
          Object.entries(process.fds)
            .reverse()
            .map(([fd, to]) => [fd, to.type === 'pipe' ? pipeTurned(to) : to]),
        ),
      })),
    })
    const pipeTurned = (to: Extract<Target, { type: 'pipe' }>): Target => ({
      ...to,
      readers: { ...to.readers, pids: [...to.readers.pids].reverse() },
      writers: { ...to.writers, pids: [...to.writers.pids].reverse() },
    })
    fc.assert(
      fc.property(cuts, cut => {
        expect(diagnose(both(cut, turned))).toEqual(diagnose(cut))
      }),
      { numRuns: 1000 },
    )
  })

  const opaque: readonly Call[] = [
    { type: 'other', name: 'syscall 999' },
    { type: 'hidden', why: 'EPERM' },
    { type: 'shared', name: 'msgrcv', timeout: undefined },
    { type: 'none' },
  ]

  test('a call that no table knows, or that is hidden, leaves nothing proven and nothing blocked', () => {
    fc.assert(
      fc.property(where, fc.constantFrom(...opaque), ([cut, pid, at], unseen) => {
        const change = (one: Thread): Thread => ({ ...one, call: unseen, state: 'S' })
        const changed = both(cut, s => withProcess(s, pid, p => withThread(p, at, change)))
        fc.pre(cut.after.processes.some(process => process.pid === pid))
        const { proof, isBlocked } = diagnose(changed)
        expect([proof === 'proven', isBlocked]).toEqual([false, false])
      }),
      { numRuns: 1500 },
    )
  })

  test('whatever may not be read of a living process leaves nothing proven and nothing blocked', () => {
    fc.assert(
      fc.property(where, fc.constantFrom('syscall', 'fd', 'mem', 'io', 'threads'), ([cut, pid], what) => {
        const it = cut.after.processes.find(process => process.pid === pid)
        fc.pre(it?.threads.some(one => one.state !== 'Z') === true)
        const { proof, isBlocked } = diagnose(
          both(cut, s => withProcess(s, pid, p => ({ ...p, hidden: [what] }))),
        )
        expect([proof === 'proven', isBlocked]).toEqual([false, false])
      }),
      { numRuns: 1000 },
    )
  })

  test('a pipe of which some holder could not be looked at leaves no reader of it blocked', () => {
    const partly = pipe({ pids: [supervisor], isWhole: false })
    fc.assert(
      fc.property(cuts, cut => {
        const reads = (p: Process): Process =>
          withThread({ ...p, fds: { ...p.fds, 0: partly } }, 0, t => ({ ...t, call: read(0), state: 'S' }))
        const { isBlocked, proof } = diagnose(both(cut, s => withProcess(s, 1, reads)))
        expect([isBlocked, proof === 'proven']).toEqual([false, false])
      }),
      { numRuns: 1000 },
    )
  })

  test('a thread that ran between the two looks leaves nothing blocked but a ring of locks', () => {
    fc.assert(
      fc.property(where, ([cut, pid, at]) => {
        const it = cut.after.processes.find(process => process.pid === pid)
        const one = it?.threads[at % it.threads.length]
        fc.pre(one !== undefined && one.state !== 'Z')
        const after = withProcess(cut.after, pid, p =>
          withThread(p, at, t => ({ ...t, slices: t.slices + 1 })),
        )
        const { isBlocked, cause } = diagnose({ before: cut.before, after })
        if (isBlocked) expect(cause).toBe('deadlock')
      }),
      { numRuns: 1500 },
    )
  })

  test('a snapshot survives JSON, is not changed, and gives the same answer each time', () => {
    fc.assert(
      fc.property(cuts, cut => {
        const text = JSON.stringify(cut)
        const first = diagnose(cut)
        expect(diagnose(JSON.parse(text) as SnapshotPair)).toEqual(first)
        expect(JSON.stringify(cut)).toBe(text)
      }),
      { numRuns: 500 },
    )
  })

  test('what is blocked is proven, says where it ends, and has no timer to wait for', () => {
    fc.assert(
      fc.property(cuts, cut => {
        const { isBlocked, proof, leaf, until, cause, chain } = diagnose(cut)
        if (!isBlocked) return
        expect(proof).toBe('proven')
        expect(until).toBeUndefined()
        if (cause !== 'zombie') expect(chain.at(-1)).toEqual(leaf)
        if (cause !== 'zombie') expect(leaf).toBeDefined()
      }),
      { numRuns: 1000 },
    )
  })
})

describe('for any tree of which something is not seen', () => {
  const stdin = pipe(held(supervisor))
  const seen: Partial<Snapshot> = { intervalTimers: [] }
  const rank = { unknown: 0, inferred: 0, bounded: 0, proven: 1 } as const
  const call = fc.constantFrom(read(0), read(3), write(1), still, anyChild, asleep(90_000), asleep(500))
  const one = (pid: number) =>
    fc.array(call, { minLength: 1, maxLength: 3 }).map(calls =>
      tree(pid, {
        threads: calls.map((made, at) => thread(at === 0 ? pid : pid * 10 + at, made)),
        fds: { 0: stdin, 1: pipe(held(1), held(2)), 3: pipe(held(1), held(1), '8') },
      }),
    )
  const trees = fc.tuple(one(1), one(2)).map(all => all as readonly Process[])
  const hides: readonly ((all: readonly Process[]) => readonly [readonly Process[], Partial<Snapshot>])[] = [
    all => [all, { intervalTimers: 'unseen' }],
    all => [all, { intervalTimers: [3_600_000] }],
    all => [all, { intervalTimers: [25_000] }],
    all => [all.map(process => ({ ...process, tracer: 77 })), seen],
    all => [all.map(process => ({ ...process, catches: ['USR1'] })), seen],
    all => [all.map(process => ({ ...process, catches: ['RT40', 'TERM'] })), seen],
    all => [all.map(process => ({ ...process, hidden: ['wchan'] })), seen],
    all => [all.map(process => ({ ...process, program: 'ruby', catches: ['USR1'] })), seen],
  ]

  test('the more is unseen, the less is certain', () => {
    let blocked = 0
    fc.assert(
      fc.property(trees, fc.constantFrom(...hides), (all, hide) => {
        const before = diagnose(pairOf(all, seen))
        const [hidden, more] = hide(all)
        const after = diagnose(pairOf(hidden, more))
        if (before.isBlocked) blocked++
        expect(after.isBlocked).toBe(false)
        expect(rank[after.proof]).toBeLessThanOrEqual(rank[before.proof])
      }),
      { numRuns: 600 },
    )
    expect(blocked).toBeGreaterThan(50)
  })

  test('nothing that can’t be seen goes unsaid', () => {
    fc.assert(
      fc.property(trees, fc.constantFrom(...hides), (all, hide) => {
        const { unseen = [], summary, isBlocked, doubts } = diagnose(pairOf(...hide(all)))
        for (const what of unseen) expect(summary).toContain(what)
        if (unseen.length > 0) expect([isBlocked, doubts.length > 0]).toEqual([false, true])
      }),
      { numRuns: 300 },
    )
  })
})
