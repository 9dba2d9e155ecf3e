/** Trees at the bounds of the rules, and the sentences that are said of them. */
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
  rootPid,
  snapshot,
  still,
  supervisor,
  thread,
  tree,
  write,
} from '../support/process-tree.ts'

const stdin = pipe(held(supervisor))
const outside = (...pids: number[]) => ({ outsiders: pids.map(pid => ({ pid, name: 'holder', state: 'S' })) })
const running: Call = { type: 'running' }
const said = (processes: readonly Process[], more: Partial<Snapshot> = {}) =>
  diagnose(pairOf(processes, more))
const verdict = ({ cause, proof, isBlocked }: ReturnType<typeof diagnose>): string =>
  `${cause} ${proof}${isBlocked ? ' blocked' : ''}`

const timer = (remaining: number | undefined): Target =>
  ({ type: 'timerfd', ...(remaining !== undefined && { remaining }) }) as Target
const lock = (owner: number): Call => ({ ...still, owner }) as Call
const ring = [thread(1, lock(11)), thread(11, lock(1))]

type Used = {
  readonly cpu?: number
  readonly delay?: number
  readonly bytes?: number
  readonly faults?: number
}

/** One process, of which this was used in the second between the looks; parts of a processor, bytes, faults. */
function used(
  { cpu = 0, delay = 0, bytes = 0, faults = 0 }: Used,
  call: Call = running,
  more: Partial<Process> = {},
) {
  const at = (share: number, slices: number): Process =>
    tree(1, {
      ...more,
      threads: [thread(1, call, { cpu: share * cpu * 1e9, delay: share * delay * 1e9, slices })],
      io: { readChars: 0, writeChars: 0, readBytes: share * bytes, writeBytes: 0 },
      majorFaults: share * faults,
    })
  return diagnose({ before: snapshot([at(0, 5)], { at: 9000 }), after: snapshot([at(1, 6)]) })
}

describe('what a tree uses', () => {
  test.each<[string, Used, string]>([
    ['as much of a processor as computes', { cpu: 0.03 }, 'it computes, on 3 % of a processor'],
    ['half a megabyte a second', { bytes: 500_000 }, 'it waits for the disk (0.5 MB/s)'],
    ['fifty pages a second', { faults: 50 }, 'it reads pages of files into memory'],
    [
      'pages of a busy program, and few bytes',
      { cpu: 0.6, faults: 50, bytes: 499_999 },
      'it computes, on 60 % of a processor',
    ],
    [
      'bytes of a busy program, and few pages',
      { cpu: 0.6, faults: 49, bytes: 500_000 },
      'it computes, on 60 % of a processor',
    ],
    ['both, of a busy one', { cpu: 0.6, faults: 50, bytes: 500_000 }, 'it reads pages of files into memory'],
    ['no processor', { delay: 0.2 }, 'it could run, and waits for a processor 20 % of the time'],
    [
      'more delay than there is time',
      { delay: 1.7 },
      'it could run, and waits for a processor 100 % of the time',
    ],
    [
      'twice the delay',
      { cpu: 0.0999, delay: 0.2 },
      'it could run, and waits for a processor 20 % of the time',
    ],
    ['as much as does not starve', { cpu: 0.1, delay: 0.9 }, 'it computes, on 10 % of a processor'],
  ])('%s', (_, much, summary) => expect(used(much).summary).toBe(summary))

  test('a little less of each is none', () => {
    expect(used({ cpu: 0.0299 }, still).summary).toBe('its threads wake each other')
    expect(used({ bytes: 499_999 }, still).cause).not.toBe('disk')
    expect(used({ faults: 49 }, still).cause).not.toBe('disk')
    expect(used({ delay: 0.199 }).cause).toBe('computing')
    expect(used({ delay: 0.199 }).summary).not.toContain('waits for a processor')
  })

  test('is nothing where no time has passed', () => {
    const at = (slices: number) =>
      snapshot([tree(1, { threads: [thread(1, still, { cpu: slices * 1e9, slices })] })])
    expect(diagnose({ before: at(5), after: at(6) }).summary).toBe('its threads wake each other')
  })

  test('what came between the looks has used no more than the time between them', () => {
    const fresh = tree(2, { threads: [thread(2, running, { cpu: 0, delay: 0.01e9 })] })
    const cut = {
      before: snapshot([tree(1, { call: anyChild })], { at: 9000 }),
      after: snapshot([tree(1, { call: anyChild }), fresh]),
    }
    expect(diagnose(cut).summary).not.toContain('waits for a processor')
    const old = tree(2, { threads: [thread(2, running, { cpu: 9e12, slices: 6 })] })
    expect(diagnose({ ...cut, after: snapshot([tree(1, { call: anyChild }), old]) }).summary).toContain(
      'on 100 % of a processor',
    )
  })

  test('what has ended between the looks is a change too', () => {
    const shell = tree(1, { call: still })
    const cut = { before: snapshot([shell, tree(2)], { at: 9000 }), after: snapshot([shell]) }
    expect(diagnose(cut).summary).toBe('its processes come and go')
    expect(diagnose({ before: snapshot([shell], { at: 9000 }), after: snapshot([shell]) }).cause).toBe(
      'closed_wait',
    )
  })

  test('lull itself, which comes and goes, is none', () => {
    const shell = tree(1, { call: read(0), fds: { 0: stdin } })
    const self = tree(supervisor, {
      parent: 1,
      threads: [thread(supervisor, running, { state: 'R', cpu: 9e12 })],
    })
    const cut = { before: snapshot([shell], { at: 9000 }), after: snapshot([shell, self]) }
    expect(diagnose(cut).doubts.join()).not.toContain('ran between')
    expect(diagnose(cut).summary).not.toContain('processor')
    expect(diagnose({ before: cut.after, after: cut.before })).toMatchObject({ isBlocked: true, doubts: [] })
  })
})

describe('timers', () => {
  const also = (fd: Target) => tree(1, { call: read(0, 3), fds: { 0: stdin, 3: fd } })
  test.each<[number, string]>([
    [2000, 'stdin inferred'],
    [2001, 'stdin inferred'],
    [10_000, 'stdin inferred'],
    [10_001, 'timer bounded'],
  ])('of %i ms beside input', (ms, expected) => expect(verdict(said([also(timer(ms))]))).toBe(expected))

  test.each<[number, string]>([
    [2000, 'ticking inferred'],
    [2001, 'timer bounded'],
  ])('of %i ms alone', (ms, expected) =>
    expect(verdict(said([tree(1, { call: asleep(ms) })]))).toBe(expected),
  )

  test('the first that fires is told of, with what is waited for meanwhile', () => {
    const two = tree(1, {
      call: read(0, 3, 4),
      fds: { 0: stdin, 3: timer(900_000), 4: timer(60_000) },
    })
    expect(said([two])).toMatchObject({
      until: 70_000,
      summary: '`p1`(1) in poll(0, 3, 4) with a timer that fires within 60 s',
      doubts: ['meanwhile `p1`(1) waits for its stdin, a pipe that this lull holds and has not written'],
    })
  })

  test('one that could not be read ends some day, nobody knows when', () => {
    const unread = said([tree(1, { call: { type: 'sleep', name: 'nanosleep', timeout: 'unknown' } })])
    expect(verdict(unread)).toBe('timer inferred')
    expect(unread).not.toHaveProperty('until')
    expect(unread).not.toHaveProperty('advice')
  })

  test.each([
    [0.4, '1 ms'],
    [999, '999 ms'],
    [1000, '1.0 s'],
    [9999, '10.0 s'],
    [10_000, '10 s'],
  ])('of %f ms is said as %s', (ms, words) => {
    const { waits } = said([tree(1, { call: asleep(ms) })])
    expect(waits[0]?.on).toBe(`a timer that fires within ${words}`)
  })
})

const tcp = (more: object): Process =>
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
      } as Target,
    },
  })

describe('connections', () => {
  const dying = { timer: 'retransmit', attempts: 3 }
  const limited = (of: Process, timeout: number | 'unknown'): Process => ({
    ...of,
    threads: [thread(1, { ...read(3), timeout } as Call)],
  })

  test('to a peer that may be gone are given up by a limit of one’s own, where there is one', () => {
    expect(said([tcp(dying)])).toMatchObject({
      cause: 'dead_peer',
      advice: 'see whether the peer and the way to it still live',
      doubts: expect.arrayContaining(['the kernel gives up by itself, as a rule after 15 min']),
    })
    expect(said([tcp(dying)])).not.toHaveProperty('until')
    expect(said([limited(tcp(dying), 30_000)])).toMatchObject({ cause: 'dead_peer', until: 40_000 })
    expect(said([limited(tcp(dying), 'unknown')])).not.toHaveProperty('until')
    expect(said([limited(tcp({}), 30_000)])).toMatchObject({ cause: 'network', until: 40_000 })
  })

  test('that nobody accepts are told of by their own time', () => {
    expect(said([tcp({ state: 'syn-sent', timer: 'retransmit', attempts: 2 })])).toMatchObject({
      cause: 'unreachable',
      advice: 'see whether the peer listens, and is not full',
      doubts: expect.arrayContaining(['the kernel gives up by itself, as a rule after 2 min']),
    })
  })

  test('to a slow peer and to one that is gone look the same', () => {
    expect(said([tcp({})])).toMatchObject({
      advice: 'ask the peer in another way, or give the connection keepalive or a timeout',
      doubts: expect.arrayContaining(['a slow peer and a vanished one look the same']),
    })
  })

  test('of the same number, made anew between the looks, tell nothing of each other', () => {
    const cut = (inode: string): SnapshotPair => ({
      before: snapshot([tcp({ received: 5, inode })], { at: 9000 }),
      after: snapshot([tcp({ received: 6 })]),
    })
    expect(diagnose(cut('50')).cause).toBe('network')
    expect(diagnose(cut('51')).cause).toBe('unknown')
  })
})

describe('what is held', () => {
  const stopped = tree(2, { threads: [thread(2, read(0), { state: 'T' })], fds: { 0: stdin } })
  test.each<[string, Partial<Thread>, string, string]>([
    [
      'stopped',
      { state: 'T' },
      'let it go on: kill -CONT 1',
      '`p1`(1) is stopped and waits for a signal to go on (SIGCONT)',
    ],
    ['traced', { state: 't' }, 'let its debugger go on', '`p1`(1) is stopped and waits for its debugger'],
    [
      'frozen',
      { wchan: 'get_signal' },
      'thaw its control group',
      '`p1`(1) is frozen and waits for its control group to be thawed',
    ],
  ])('%s', (cause, more, advice, summary) => {
    const found = said([tree(1, { threads: [thread(1, asleep(9e5), more)] })])
    expect(found).toMatchObject({ cause, advice, doubts: [] })
    expect(found.summary.split(';')[0]).toBe(summary)
  })

  test('beside a part that lives is no proof, and has its time where that has one', () => {
    const parts = (call: Call) => said([tree(1, { call: anyChild }), stopped, tree(3, { call, parent: 2 })])
    expect(parts(asleep(60_000))).toMatchObject({
      cause: 'stopped',
      proof: 'bounded',
      isBlocked: false,
      until: 70_000,
      doubts: ['other parts of the tree may go on'],
    })
    expect(verdict(parts(asleep(100)))).toBe('stopped inferred')
    expect(parts(asleep(100))).not.toHaveProperty('until')
  })

  test('by a debugger says by whom', () => {
    const traced = tree(1, { tracer: 77, threads: [thread(1, asleep(9e5), { state: 't' })] })
    expect(said([traced], outside(77)).summary).toContain('its debugger `holder`(77)')
  })

  test('while a thread of the tree gets work done is nothing', () => {
    const work = tree(3, { parent: 1, threads: [thread(3, { type: 'disk', name: 'fsync' }, { state: 'D' })] })
    expect(said([tree(1, { call: anyChild }), stopped, work]).cause).toBe('disk')
  })
})

describe('a tree that is over', () => {
  const ended = (more: Partial<Process> = {}) =>
    tree(1, { threads: [thread(1, still, { state: 'Z' })], ...more })
  test('says whose it is to ask for its exit code', () => {
    expect(said([])).toMatchObject({ summary: 'no process of it is left', isBlocked: false })
    expect(said([ended()]).summary).toBe('`p1`(1) has ended')
    expect(said([ended({ parent: 77 })], outside(77))).toMatchObject({
      summary: '`p1`(1) has ended, and `holder`(77) has not asked for its exit code',
      advice: 'end `holder`(77), or make it wait for its children',
    })
  })
  test('has ended whether a thread is a zombie or just gone', () => {
    const gone = tree(1, { threads: [thread(1, still, { state: 'X' }), thread(11, still, { state: 'Z' })] })
    expect(said([gone]).summary).toBe('`p1`(1) has ended')
    expect(
      said([tree(1, { call: anyChild }), tree(2, { threads: [thread(2, still, { state: 'X' })] })]).cause,
    ).toBe('unknown')
  })
})

describe('rings of locks', () => {
  test('are said thread by thread, four at the most', () => {
    expect(said([tree(1, { threads: ring })])).toMatchObject({
      summary: expect.stringContaining(
        '`p1`(1) is locked in a ring: thread 1 waits for 11, thread 11 waits for 1',
      ),
      advice: 'end it, and have its locks taken in one order',
      doubts: [],
    })
    const ids = [1, 11, 12, 13, 14]
    const five = ids.map((id, at) => thread(id, lock(ids[(at + 1) % 5] as number)))
    expect(said([tree(1, { threads: five })]).summary).toMatch(
      /ring: (?:thread \d+ waits for \d+(?:, )?){4};/,
    )
  })
  test('of one thread that waits for itself', () => {
    expect(said([tree(1, { threads: [thread(1, lock(1))] })]).summary).toMatch(
      /^`p1`\(1\) waits for a lock that it holds itself;/,
    )
  })
  test('that somebody waits for are found behind him, without him', () => {
    const { summary } = said([
      tree(1, { threads: [thread(1, lock(11)), thread(11, lock(12)), thread(12, lock(11))] }),
    ])
    expect(summary).toContain('is locked in a ring: thread 11 waits for 12, thread 12 waits for 11')
  })
  test('beside work that gets done block nothing, and are not told where the main thread is the worker', () => {
    const disk = thread(12, { type: 'disk', name: 'fsync' }, { state: 'D' })
    expect(said([tree(1, { threads: [...ring, disk] })])).toMatchObject({
      cause: 'deadlock',
      isBlocked: false,
      doubts: ['other threads of it go on'],
    })
    const workers = [
      thread(1, { type: 'disk', name: 'fsync' }, { state: 'D' }),
      thread(11, lock(12)),
      thread(12, lock(11)),
    ]
    expect(said([tree(1, { threads: workers })]).cause).toBe('disk')
  })
})

describe('sentences', () => {
  test('of a process whose threads wait for each other follow them to the leaf', () => {
    const locked = { isPrivate: true, type: 'futex', address: '0x1', timeout: undefined } as const
    const found = said([
      tree(1, { call: anyChild }),
      tree(2, {
        parent: 1,
        fds: { 0: stdin },
        threads: [
          thread(2, { ...locked, joins: 21 }),
          thread(21, { ...locked, owner: 22 }),
          thread(22, read(0)),
        ],
      }),
    ])
    expect(found).toMatchObject({ cause: 'stdin', proof: 'proven' })
    expect(found.summary.split('; ')[1]).toBe(
      'thread 21 waits for the mutex of thread 22, `p2`(2) waits for the end of thread 21, `p1`(1) waits for 2',
    )
  })

  test('of a ring through several processes name each', () => {
    const shared = { isPrivate: false, type: 'futex', address: '0x1', timeout: undefined } as const
    const found = said([
      tree(1, { threads: [thread(1, { ...shared, owner: 2 })] }),
      tree(2, { parent: 1, threads: [thread(2, { ...shared, owner: 1 })] }),
    ])
    expect(found).toMatchObject({ cause: 'deadlock', proof: 'proven', isBlocked: true })
    expect(found.summary).toContain('locked in a ring: `p1`(1) waits for `p2`(2), `p2`(2) waits for `p1`(1)')
  })

  test('of a lock held by nobody of the tree: somebody else may let it go', () => {
    const shared = { isPrivate: false, type: 'futex', address: '0x1', timeout: undefined, owner: 9 } as const
    const found = said([tree(1, { threads: [thread(1, shared)] })])
    expect(found).toMatchObject({ cause: 'outsider', proof: 'inferred', isBlocked: false })
  })

  test('of locks on files name the file', () => {
    const lock = { type: 'lock', name: 'flock', fd: 3, owners: [1] } as const
    const found = said([tree(1, { call: lock, fds: { 3: { type: 'file', path: '/tmp/x' } } })])
    expect(found).toMatchObject({ cause: 'deadlock', proof: 'proven' })
    expect(found.summary).toContain('`p1`(1) waits for the lock of /tmp/x that it holds itself')
  })

  test('of a named pipe that is opened name it, and whom it waits for', () => {
    const opens = { type: 'opens', name: 'open', path: '/tmp/fifo', want: 'write' } as const
    const found = said([tree(1, { call: opens })])
    expect(found.cause).toBe('outsider')
    expect(found.summary).toBe('`p1`(1) in open(/tmp/fifo) on somebody who reads the named pipe /tmp/fifo')
  })

  test('of a long chain name its two ends', () => {
    const chain = [1, 2, 3, 4, 5, 6].map(pid =>
      tree(pid, { call: anyChild, parent: pid === 1 ? supervisor : pid - 1 }),
    )
    const waits = (count: number) =>
      said([
        ...chain.slice(0, count),
        tree(count + 1, { call: read(0), fds: { 0: stdin }, parent: count }),
      ]).summary.split('; ')[1]
    const near = '`p4`(4) waits for 5, `p3`(3) waits for 4'
    expect(waits(4)).toBe(`${near}, \`p2\`(2) waits for 3, \`p1\`(1) waits for 2`)
    expect(waits(5)).toBe('`p5`(5) waits for 6, `p4`(4) waits for 5, …, `p1`(1) waits for 2')
  })

  test.each<[number, string]>([
    [-1, 'wait4'],
    [0, 'wait4'],
    [2, 'wait4(2)'],
    [-rootPid, 'wait4'],
  ])('a child, one of a group, any: wait4(%i)', (pid, call) => {
    const inner = tree(2, { call: read(0), fds: { 0: pipe(held(1)) } })
    const { waits } = said([tree(1, { call: { ...anyChild, pid } as Call }), inner])
    expect(waits[0]).toMatchObject({ call, on: 'the end of `p2`(2)', waker: [2] })
  })

  test('a thread that is waited for is named, and another of that number is not', () => {
    const joins = { ...still, joins: 11 } as Call
    const found = said([tree(1, { threads: [thread(1, joins), thread(11, read(0))], fds: { 0: stdin } })])
    expect(found.waits[0]).toMatchObject({ on: 'the end of thread 11', waker: [11] })
    expect(found.summary).toContain('thread 11 of `p1`(1) in read(0) on its stdin')
    const gone = said([tree(1, { threads: [thread(1, { ...still, joins: 99, owner: 98 } as Call)] })])
    expect(gone.waits.map(({ on }) => on)).toEqual(['its own threads'])
  })

  test('names are cut, and cannot look like ours', () => {
    const long = tree(1, { name: `a\`b${'x'.repeat(60)}`, call: read(0), fds: { 0: stdin } })
    expect(said([long]).summary).toContain(`\`a?b${'x'.repeat(37)}\`(1) in read(0)`)
  })

  test('what else may wake it is a doubt, in a sentence', () => {
    const doubts = (more: Partial<Process>) =>
      said([{ ...tree(1, { call: read(0), fds: { 0: stdin } }), ...more }]).doubts
    expect(doubts({ hasSignalTimer: true })).toContain('a signal timer that can’t be seen may end it')
    expect(doubts({ catches: ['USR1'] })).toContain('a signal may wake it')
    expect(doubts({ threads: [thread(1, read(0, 3))], fds: { 0: stdin, 3: timer(100) } })).toContain(
      'a timer of it fires within seconds, perhaps again and again',
    )
  })

  test('what lives beside it is a doubt that names it', () => {
    const found = said([tree(1, { call: read(0), fds: { 0: stdin } }), tree(2, { call: asleep(90_000) })])
    expect(found.doubts).toEqual(['`p2`(2) may still be woken by a timer'])
  })

  test('output that is full says what to do', () => {
    const full = tree(1, { call: write(1), fds: { 1: pipe(held(1), held(supervisor)) } })
    expect(said([full])).toMatchObject({
      advice: 'read its output, or send it to a file',
      doubts: ['its reader lives, and may read on'],
    })
  })
})

describe('handlers that a runtime has for itself', () => {
  const catching = (name: string, signal: 'USR1' | 'USR2') =>
    verdict(said([tree(1, { name, call: read(0), fds: { 0: stdin }, catches: [signal] })]))
  test.each<[string, 'USR1' | 'USR2']>([
    ['node', 'USR1'],
    ['make', 'USR1'],
    ['gmake', 'USR1'],
    ['java', 'USR2'],
  ])('%s: SIG%s wakes nothing of the program, the other may', (name, own) => {
    expect(catching(name, own)).toBe('stdin proven blocked')
    expect(catching(name, own === 'USR1' ? 'USR2' : 'USR1')).toBe('stdin inferred')
  })
})

test('a tree of which only the leader’s threads are left is judged by them, before its children', () => {
  const threads = [thread(1, still, { state: 'Z' }), thread(11, read(0))]
  const found = said([tree(1, { threads, fds: { 0: stdin } }), tree(2, { call: asleep(9e5) })])
  expect(found.cause).toBe('stdin')
  expect(found.chain.map(({ tid }) => tid)).toEqual([11])
})
