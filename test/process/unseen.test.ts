/** What may wake a tree besides what its threads wait on, and what of it can't be seen: docs/process.md#assumptions. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { diagnose } from '../../src/process/closure/diagnose.ts'
import { handlersOf, runtimes } from '../../src/process/closure/runtimes.ts'
import { kindOf, signals } from '../../src/process/closure/signals.ts'
import { mayBePending } from '../../src/process/linux/wakers.ts'
import type { Call, Process, Snapshot, Target, Thread } from '../../src/process/snapshot.ts'
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
} from '../support/process-tree.ts'

const stdin = pipe(held(supervisor))
const reader = tree(1, { call: read(0), fds: { 0: stdin } })
const alone = tree(1, { call: still })
const seen: Partial<Snapshot> = { intervalTimers: [] }
/** Told as ms from now; the looks of `pairOf` are taken at 10 s. */
const absolute = (more: Partial<Snapshot>): Partial<Snapshot> =>
  Array.isArray(more.intervalTimers)
    ? { ...more, intervalTimers: more.intervalTimers.map((ms: number) => 10_000 + ms) }
    : more
const said = (process: Process, more: Partial<Snapshot> = seen, ...others: readonly Process[]) =>
  diagnose(pairOf([process, ...others], absolute(more)))
const verdict = (...of: Parameters<typeof said>): string => {
  const { cause, proof, isBlocked, unseen, isOpen } = said(...of)
  return `${cause} ${proof}${isBlocked ? ' blocked' : ''}${unseen ? ' unseen' : ''}${isOpen ? ' open' : ''}`
}
const catching = (process: Process, ...catches: readonly string[]): Process => ({ ...process, catches })

describe('an interval timer (alarm, setitimer)', () => {
  test('none is set on this machine: nothing of it is left to doubt', () =>
    expect(verdict(reader)).toBe('stdin proven blocked'))

  test('the kernel does not list them to this user: likely, and the sentence says so', () => {
    const { summary, doubts } = said(reader, { intervalTimers: 'unseen' })
    expect(verdict(reader, { intervalTimers: 'unseen' })).toBe('stdin inferred unseen')
    expect(summary).toMatch(
      /nothing that can be seen wakes the tree, and it can't be seen whether a timer .*alarm/,
    )
    expect(summary).not.toContain('no timer, socket or other process')
    expect(doubts.join()).toContain('alarm')
  })

  test('it does nothing to who ignores its signal', () => {
    const deaf: Process = { ...reader, ignoresAlarm: true }
    for (const intervalTimers of ['unseen', [25_000], [3_600_000]] as const)
      expect(verdict(deaf, { intervalTimers })).toBe('stdin proven blocked')
    expect(verdict(deaf, { intervalTimers: 'unseen' }, tree(2))).toBe('stdin inferred unseen')
  })

  test.each<[string, readonly number[], string]>([
    ['of seconds may be its own, and is waited for', [25_000], 'stdin bounded'],
    ['the first of several', [900_000, 25_000], 'stdin bounded'],
    ['of an hour excuses nothing, and leaves it likely', [3_600_000], 'stdin inferred unseen'],
    ['that ticks, too', [900], 'stdin inferred unseen'],
  ])('%s', (_, intervalTimers, expected) => expect(verdict(reader, { intervalTimers })).toBe(expected))

  test('tells when it fires', () => {
    const found = said(reader, { intervalTimers: [25_000] })
    expect(found.until).toBe(35_000)
    expect(found.doubts.join()).toContain('fires within 25 s')
    expect(said(alone, { intervalTimers: [25_000] })).toMatchObject({
      cause: 'closed_wait',
      proof: 'bounded',
      until: 35_000,
    })
  })

  test('nothing fires in what is stopped, frozen or over', () => {
    const is = (state: string, more = {}) =>
      verdict({ ...reader, threads: [thread(1, read(0), { state })], ...more }, { intervalTimers: 'unseen' })
    expect(is('T')).toBe('stopped proven blocked')
    expect(is('S', { isFrozen: true })).toBe('frozen proven blocked')
    expect(is('Z', { parent: 77 })).toBe('zombie proven blocked')
  })

  test('ends a ring of locks, too', () => {
    const lock = (owner: number) => ({ ...still, owner })
    const ring = tree(1, { threads: [thread(1, lock(11)), thread(11, lock(1))] })
    expect(verdict(ring)).toBe('deadlock proven blocked')
    expect(verdict(ring, { intervalTimers: 'unseen' })).toBe('deadlock inferred unseen')
  })
})

describe('a signal', () => {
  const events = ['USR1', 'USR2', 'IO', 'URG', 'PWR', 'WINCH', 'CONT', 'CHLD', 'RT34', 'RT64']
  const ends = ['HUP', 'INT', 'QUIT', 'TERM', 'TSTP', 'TTIN', 'TTOU']
  const own = ['SEGV', 'PIPE', 'XCPU', 'VTALRM', 'PROF', 'ABRT', 'RT32', 'RT33']

  test.each(events)('SIG%s carries news: its handler leaves it open, whatever it waits for', name => {
    expect(verdict(catching(reader, name))).toBe('stdin inferred open')
    expect(verdict(catching(alone, name))).toBe('signal inferred')
  })

  test.each(ends)(
    'SIG%s ends programs: stuck at its input, and nobody ends it where it may wait for the word',
    name => {
      expect(verdict(catching(reader, name))).toBe('stdin proven blocked')
      expect(verdict(catching(alone, name))).toBe('closed_wait inferred unseen')
      expect(said(catching(alone, name)).summary).toContain(`waits for the SIG${name} that it handles`)
    },
  )

  test.each(own)('SIG%s comes of what a program does itself: none reaches a sleeper', name => {
    expect(verdict(catching(reader, name))).toBe('stdin proven blocked')
    expect(verdict(catching(alone, name))).toBe('closed_wait proven blocked')
  })

  test('SIGALRM that it handles is a timer where one may be set, and somebody’s word where none is', () => {
    expect(verdict(catching(reader, 'ALRM'), { intervalTimers: 'unseen' })).toBe('stdin bounded')
    expect(verdict(catching(reader, 'ALRM'), { intervalTimers: [25_000] })).toBe('stdin bounded')
    expect(verdict(catching(reader, 'ALRM'))).toBe('stdin inferred open')
  })

  test('of its children, who stand in the graph; of the terminal that it reads, which it draws anew', () => {
    const child = tree(2, { call: read(0), fds: { 0: stdin } })
    const parent = tree(1, { call: anyChild })
    expect(verdict(catching(parent, 'CHLD'), seen, child)).toBe('stdin inferred unseen')
    expect(verdict(catching({ ...parent, program: 'bash' }, 'CHLD'), seen, child)).toBe(
      'stdin proven blocked',
    )
    const atTerminal = tree(1, {
      call: read(0),
      fds: { 0: { type: 'tty', path: '/dev/pts/9', master: held(supervisor) } },
    })
    expect(verdict(catching(atTerminal, 'WINCH', 'CONT'))).toBe('stdin proven blocked')
    expect(verdict(catching(atTerminal, 'WINCH', 'USR1'))).toBe('stdin inferred open')
  })

  test('of children, that somebody else sends, and a trap of who waits: no proof, and likely by silence alone', () => {
    const inner = tree(2, { call: read(0), fds: { 0: stdin } })
    const waits = (program: string, ...catches: readonly string[]) =>
      said(catching({ ...tree(1, { call: anyChild }), program }, ...catches), seen, inner)
    expect(waits('tool', 'CHLD')).toMatchObject({ isBlocked: false, mayAwaitWord: true })
    expect(waits('tool', 'CHLD').summary).toContain('waits for a SIGCHLD that comes of no child')
    expect(waits('bash', 'CHLD', 'HUP')).toMatchObject({ isBlocked: false, mayAwaitWord: true })
    expect(waits('bash', 'CHLD', 'INT')).toMatchObject({ isBlocked: true })
    expect(waits('make', 'CHLD', 'HUP', 'INT')).toMatchObject({ isBlocked: true })
  })

  test('of a runtime may be the program’s: patience; of who cleans up it is none', () => {
    const of = (program: string, ...catches: readonly string[]) =>
      said(catching({ ...reader, program }, ...catches))
    expect(of('php8.2', 'USR1').mayAwaitWord).toBe(true)
    expect(of('ssh-keygen', 'HUP', 'TERM', 'ALRM')).toMatchObject({ proof: 'inferred' })
    expect(of('ssh-keygen', 'HUP', 'TERM', 'ALRM').mayAwaitWord).toBeUndefined()
    // bash's `read -s`: all that end programs, to put the echo back; of its own it has one for INT alone.
    const silentRead = of('bash', 'INT', 'HUP', 'TERM', 'ALRM', 'USR1', 'USR2', 'XCPU', 'XFSZ', 'SYS')
    expect(silentRead).toMatchObject({ proof: 'inferred' })
    expect(silentRead.mayAwaitWord).toBeUndefined()
  })

  test('of a message queue (mq_notify) may be any', () => {
    const queue: Process = { ...reader, fds: { 0: stdin, 5: { type: 'other', link: 'mqueue:/jobs' } } }
    expect(verdict(queue)).toBe('stdin inferred open')
  })

  test('has a source, and a kind; the manual’s page of the kernel names no other', () => {
    for (const [name, [, source]] of Object.entries(signals))
      expect([name, source]).toEqual([name, expect.stringMatching(/\(\d\w?\)|_tty/)])
    expect([kindOf('ALRM'), kindOf('RT40'), kindOf('RT33')]).toEqual(['event', 'event', 'own'])
  })
})

describe('handlers of a runtime', () => {
  const of = (program: string, ...catches: readonly string[]) => catching({ ...reader, program }, ...catches)

  test.each<[string, readonly string[], string]>([
    ['node', ['USR1', 'CHLD', 'INT'], 'stdin proven blocked'],
    ['node', ['USR1', 'USR2'], 'stdin inferred open'],
    ['make', ['USR1', 'CHLD', 'TERM'], 'stdin proven blocked'],
    ['java', ['HUP', 'INT', 'TERM', 'USR2', 'RT62'], 'stdin proven blocked'],
    ['java', ['USR1', 'USR2'], 'stdin inferred open'],
    ['bash', ['CHLD'], 'stdin proven blocked'],
    ['python3.11', ['INT'], 'stdin proven blocked'],
    ['python3.11', ['INT', 'USR1'], 'stdin inferred open'],
    // They are there from the start, and a program's own look the same: neither an excuse nor a proof.
    ['ruby', ['HUP', 'INT', 'ALRM', 'TERM', 'USR1', 'USR2', 'CHLD'], 'stdin inferred unseen'],
    ['ruby', ['USR1', 'WINCH'], 'stdin inferred open'],
    ['mono-sgen', ['RT35', 'RT36', 'RT37'], 'stdin proven blocked'],
    ['mono-sgen', ['RT35', 'RT38'], 'stdin inferred open'],
    ['guile', ['PWR', 'XCPU'], 'stdin proven blocked'],
    ['sbcl', ['USR2', 'ALRM', 'CHLD', 'URG'], 'stdin inferred unseen'],
    ['dotnet', ['RT34', 'CHLD', 'CONT', 'WINCH'], 'stdin proven blocked'],
    ['dotnet', ['RT34', 'RT35'], 'stdin inferred open'],
    ['dotnet', ['RT34', 'USR1'], 'stdin inferred open'],
    ['php8.2', ['HUP', 'INT', 'TERM', 'USR1', 'USR2', 'PROF'], 'stdin inferred unseen'],
    ['beam.smp', ['INT', 'TERM', 'USR1'], 'stdin inferred unseen'],
    // readpassphrase(3), readline: to put the terminal back.
    [
      'ssh-keygen',
      ['HUP', 'INT', 'QUIT', 'PIPE', 'ALRM', 'TERM', 'TSTP', 'TTIN', 'TTOU'],
      'stdin inferred unseen',
    ],
    // openssl, bash and vim handle all there is.
    [
      'openssl',
      ['HUP', 'TERM', 'ALRM', 'IO', 'USR1', 'XCPU', 'XFSZ', 'VTALRM', 'PROF', 'SYS'],
      'stdin inferred unseen',
    ],
  ])('%s with %j: %s', (program, catches, expected) =>
    expect(verdict(of(program, ...catches))).toBe(expected),
  )

  test('say nothing of its own word to end in a closed wait; a program’s own do', () => {
    const waits = (program: string, ...catches: readonly string[]) =>
      verdict(catching({ ...alone, program }, ...catches))
    expect(waits('python3', 'INT')).toBe('closed_wait proven blocked')
    expect(waits('python3', 'INT', 'TERM')).toBe('closed_wait inferred unseen')
    expect(waits('java', 'HUP', 'INT', 'TERM', 'QUIT')).toBe('closed_wait proven blocked')
  })

  test('a program is known by its file, and not by what it calls itself', () => {
    expect(handlersOf({ ...reader, name: 'make', program: 'evil', catches: ['USR1'] }).events).toEqual([
      'USR1',
    ])
    expect(handlersOf({ ...reader, name: 'make', catches: ['USR1'] }).events).toEqual([])
  })

  test('each was measured, and docs/process.md says with which version', () => {
    const page = readFileSync('docs/process.md', 'utf8')
    for (const { seen: version } of runtimes) expect(page).toContain(version)
  })
})

describe('a runtime’s clock', () => {
  const within = (timeout: number) => ({ ...still, timeout }) as Call
  const pool = (name: string, timeout: number, more: Partial<Thread> = {}) => ({
    ...reader,
    program: name,
    threads: [thread(1, read(0)), thread(9, within(timeout), more)],
  })
  test('of Go’s monitor, told by what it does, is none of the program', () => {
    expect(verdict(pool('tool', 60_000))).toBe('stdin inferred')
    expect(verdict(pool('tool', 60_000, { isRuntimes: true }))).toBe('stdin proven blocked')
  })
  test('of BEAM, which is the program’s, too, neither excuses nor proves', () => {
    const main = thread(1, read())
    const beam: Process = {
      ...reader,
      program: 'beam.smp',
      threads: [main, thread(9, within(45_000)), thread(10, read(0))],
    }
    expect(verdict(beam)).toBe('stdin inferred open')
    expect(verdict({ ...beam, fds: { 0: pipe(held(1)) } })).toBe('timer bounded')
  })
})

describe('somebody else stands between', () => {
  test.each([
    ['seccomp_do_user_notification', 'system calls'],
    ['handle_userfault', 'memory'],
    ['fanotify_get_response', 'open a file'],
    ['request_wait_answer', 'FUSE'],
    ['rpc_wait_bit_killable', 'NFS'],
  ])('%s', (wchan, who) => {
    for (const state of ['S', 'D']) {
      const found = said({ ...reader, threads: [thread(1, read(0), { wchan, state })] })
      expect(found).toMatchObject({ cause: 'outsider', isBlocked: false })
      expect(found.summary).toContain(who)
    }
  })

  test('a debugger from outside, that let it go on', () => {
    const outsiders = [{ pid: 77, name: 'gdb', state: 'S' }]
    const traced: Process = { ...reader, tracer: 77 }
    expect(verdict(traced, { ...seen, outsiders })).toBe('outsider inferred')
    expect(said(traced, { ...seen, outsiders }).summary).toContain('its debugger `gdb`(77)')
  })

  test('a debugger inside of the tree waits with it', () => {
    const strace = tree(1, { name: 'strace', call: anyChild })
    const traced = tree(2, { call: read(0), fds: { 0: stdin }, tracer: 1 })
    expect(verdict(strace, seen, traced)).toBe('stdin proven blocked')
  })
})

test('a socket may have a limit of its own, where the system lets nobody ask it', () => {
  const ends: Target = { type: 'unix', inode: '7', isListening: false, peer: held(1) }
  const waits = (call: Call) => tree(1, { call, fds: { 3: ends } })
  expect(verdict(waits(read(3)))).toBe('closed_wait proven blocked')
  const doubted = waits({ ...read(3), isLimitUnseen: true } as Call)
  expect(verdict(doubted)).toBe('closed_wait inferred unseen')
  expect(said(doubted).summary).toContain('SO_RCVTIMEO')
})

describe('an event counter', () => {
  const counter = { type: 'eventfd', count: 0, holders: held(1) } as const
  const waits = tree(1, { call: read(3), fds: { 3: counter } })
  test('of its own', () => expect(verdict(waits)).toBe('closed_wait proven blocked'))
  test('that the kernel may count up: of aio, of a virtual machine', () =>
    expect(verdict({ ...waits, kernelCounts: 'aio' })).toBe('outsider inferred'))
  test('that a ring may count up, as long as it holds a request', () => {
    expect(mayBePending('CachedSqHead:\t1\nCqTail:\t0\nCachedCqTail:\t0\n')).toBe(true)
    expect(mayBePending('CachedSqHead:\t2\nCqTail:\t2\nCachedCqTail:\t2\n')).toBe(false)
    expect(mayBePending('')).toBe(true)
  })
  test('where control groups of version 1 limit memory', () => {
    expect(verdict(waits, { ...seen, hasOldMemoryGroups: true })).toBe('closed_wait inferred unseen')
    expect(verdict(reader, { ...seen, hasOldMemoryGroups: true })).toBe('stdin proven blocked')
  })
})

describe('the disk', () => {
  const inD = (call: Thread['call'], slices = 5) =>
    tree(1, { threads: [thread(1, call, { state: 'D', slices })] })
  test('is a guess where nothing moves, and certain where something does', () => {
    const sync = { type: 'disk', name: 'fsync' } as const
    expect(verdict(inD(sync))).toBe('disk inferred')
    const moved = diagnose({ ...pairOf([inD(sync, 6)], seen), before: pairOf([inD(sync)], seen).before })
    expect(`${moved.cause} ${moved.proof}`).toBe('disk proven')
  })
  test('is not what a sleep, a lock or a signal waits for: somebody holds it', () => {
    for (const call of [asleep(9e5), still, { type: 'signal', name: 'pause', timeout: undefined } as const])
      expect(verdict(inD(call))).toBe('unknown unknown')
    expect(verdict({ ...inD(still), isFrozen: true })).toBe('frozen proven blocked')
  })
  test('is not a file that the kernel tells of, nor one that bytes come from', () => {
    const file = (path: string, call: Thread['call'], more = {}) =>
      tree(1, { call, fds: { 3: { type: 'file', path }, ...more } })
    expect(verdict(file('/sys/fs/cgroup/memory.events', read(3)))).toBe('outsider inferred')
    expect(verdict(file('/mnt/x', read(3)))).toBe('outsider inferred')
    const sends = { type: 'fds', name: 'sendfile', timeout: undefined } as const
    const full = file(
      '/tmp/x',
      {
        ...sends,
        fds: [
          { fd: 3, want: 'read' },
          { fd: 1, want: 'write' },
        ],
      },
      { 1: pipe(held(1), held(1)) },
    )
    expect(verdict(full)).toBe('closed_wait proven blocked')
  })
})
