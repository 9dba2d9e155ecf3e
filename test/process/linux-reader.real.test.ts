import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import net from 'node:net'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { abilities } from '../../src/process/abilities.ts'
import { readCall } from '../../src/process/linux/call/call.ts'
import { decodeCall } from '../../src/process/linux/call/decode-call.ts'
import { parseEpoll } from '../../src/process/linux/call/epoll.ts'
import { parseLocks } from '../../src/process/linux/call/file-locks.ts'
import { parseRing } from '../../src/process/linux/call/io-ring.ts'
import type { ThreadContext } from '../../src/process/linux/call/thread-context.ts'
import { parseMounts } from '../../src/process/linux/cgroups.ts'
import { parsePosixTimers, parseStatus, signalsIn } from '../../src/process/linux/details.ts'
import { goFacts } from '../../src/process/linux/go-runtime.ts'
import {
  joinTimers,
  parseTimers,
  rememberTimers,
  type TimerMemory,
} from '../../src/process/linux/kernel-timers.ts'
import { linuxReader, whyHidden, whyNotOthers, whyNotUsers } from '../../src/process/linux/linux-reader.ts'
import { parseTcp } from '../../src/process/linux/sockets.ts'
import { withSide } from '../../src/process/linux/threads.ts'
import type { Call, Process, Snapshot, Target, Thread } from '../../src/process/snapshot.ts'
import { temporaryFolder } from '../support/lull.ts'
import { until } from '../support/until.ts'

// Many programs are started here, and a machine that builds may be busy.
const isLinux = process.platform === 'linux'
const isRoot = process.geteuid?.() === 0

const started: ChildProcess[] = []

afterEach(() => {
  for (const child of started.splice(0)) {
    for (const pid of reader.known(child.pid ?? 0).keys()) kill(pid)
    child.kill('SIGKILL')
  }
})

const kill = (pid: number) => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

const reader = linuxReader()

const goThread: Thread = {
  tid: 1,
  name: 'go',
  state: 'S',
  cpu: 0,
  delay: 0,
  slices: 1,
  wchan: 'futex_do_wait',
  call: { type: 'none' },
}

function start(command: string, ...parameters: string[]): ChildProcess & { readonly pid: number } {
  const child = spawn(command, parameters, { stdio: ['pipe', 'ignore', 'ignore'] })
  started.push(child)
  if (child.pid === undefined) throw new Error(`${command} did not start`)
  return child as ChildProcess & { readonly pid: number }
}

/** What is found in the first deep look that has it. */
async function lookUntil<T>(root: number, find: (snapshot: Snapshot) => T | undefined): Promise<T> {
  const look = () => {
    const snapshot = reader.snapshot(root, 'suspects')
    return snapshot && find(snapshot)
  }
  return (await until(look, found => found !== undefined)) as T
}

const waitsOn = (process: Process | undefined): Target | undefined => {
  for (const { call } of process?.threads ?? []) {
    const fd = call.type === 'fds' ? call.fds[0]?.fd : undefined
    const target = fd === undefined ? undefined : process?.fds[fd]
    if (target) return target
  }
  return undefined
}

describe.runIf(isLinux)('what a thread waits for', () => {
  /** The call of this name: a program that starts reads files, too. */
  const callOf = (pid: number, name: string) =>
    lookUntil(pid, ({ processes }) =>
      processes
        .flatMap(({ threads }) => threads.map(({ call }) => call))
        .find(call => ('name' in call ? call.name : call.type).startsWith(name)),
    )

  test('a read of its input', async () => {
    expect(await callOf(start('cat').pid, 'read')).toEqual({
      type: 'fds',
      name: 'read',
      fds: [{ fd: 0, want: 'read' }],
      timeout: undefined,
    })
  })

  test('a select in its memory, with its time', async () => {
    const { pid } = start('python3', '-c', 'import select; select.select([0], [], [], 600)')
    expect(await callOf(pid, 'pselect6')).toMatchObject({ fds: [{ fd: 0, want: 'read' }], timeout: 600_000 })
  })

  test('an epoll, by its members', async () => {
    const { pid } = start('python3', '-c', 'import select; e = select.epoll(); e.register(0, 1); e.poll(600)')
    expect(await callOf(pid, 'epoll')).toMatchObject({ fds: [{ fd: 0, want: 'read' }] })
  })

  test('a sleep, with the time it asked for', async () => {
    expect(await callOf(start('sleep', '600').pid, 'clock_nanosleep')).toMatchObject({ timeout: 600_000 })
  })

  test('a child, and the child', async () => {
    const { pid } = start('bash', '-c', 'sleep 600; true')
    const child = await lookUntil(pid, ({ processes }) => processes.find(({ name }) => name === 'sleep'))
    expect(child.parent).toBe(pid)
    expect(await callOf(pid, 'wait4')).toMatchObject({ type: 'child', pid: -1 })
  })

  test('a mutex that it holds itself: its owner', async () => {
    const { pid } = start(
      'python3',
      '-c',
      'import ctypes; c = ctypes.CDLL(None); m = ctypes.create_string_buffer(64); c.pthread_mutex_lock(m); c.pthread_mutex_lock(m)',
    )
    expect(await callOf(pid, 'futex')).toMatchObject({ isPrivate: true, owner: pid })
  })

  const mutexes = `
import ctypes, mmap, os
c = ctypes.CDLL(None)
memory = mmap.mmap(-1, 4096)
a, b = (ctypes.byref((ctypes.c_char * 64).from_buffer(memory, at)) for at in (0, 64))
attributes = ctypes.create_string_buffer(64)
c.pthread_mutexattr_init(attributes)
c.pthread_mutexattr_setpshared(attributes, 1)
c.pthread_mutex_init(a, attributes)
`
  test('a mutex that processes share: its owner, whichever of them that is', async () => {
    const script = `${mutexes}
c.pthread_mutex_lock(a)
if os.fork() == 0: c.pthread_mutex_lock(a)
os.wait()`
    const { pid } = start('python3', '-c', script)
    expect(await callOf(pid, 'futex')).toMatchObject({ isPrivate: false, owner: pid })
  })

  test.skipIf(!isRoot)(
    'in a namespace of its own: threads and children by the numbers of this machine',
    async () => {
      const script = `${mutexes}
child = os.fork()
if child == 0:
    m = ctypes.create_string_buffer(64)
    c.pthread_mutex_lock(m)
    c.pthread_mutex_lock(m)
os.waitpid(child, 0)`
      const { pid } = start('unshare', '-pf', '--mount-proc', 'python3', '-c', script)
      const locked = await lookUntil(pid, ({ processes }) =>
        processes.find(({ threads }) => threads.some(({ call }) => call.type === 'futex')),
      )
      expect(locked.threads[0]?.call).toMatchObject({ owner: locked.pid })
      const parent = await lookUntil(pid, ({ processes }) => processes.find(one => one.pid === locked.parent))
      expect(parent.threads[0]?.call).toMatchObject({ type: 'child', pid: locked.pid })
    },
  )

  test('a named pipe that is opened: its path, and what for', async () => {
    const folder = temporaryFolder()
    execFileSync('mkfifo', [path.join(folder, 'a pipe')])
    const { pid } = start('sh', '-c', `cd ${folder}; exec cat 'a pipe'`)
    expect(await callOf(pid, 'open')).toMatchObject({
      type: 'opens',
      path: path.join(folder, 'a pipe'),
      want: 'read',
    })
  })

  test('a lock on a file: who holds it, those that inherited it too', async () => {
    const file = path.join(temporaryFolder(), 'lock')
    const holder = start('flock', file, 'sleep', '600')
    await callOf(holder.pid, 'clock_nanosleep')
    const waiter = start('flock', file, 'true')
    const call = await callOf(waiter.pid, 'flock')
    expect(call).toMatchObject({ type: 'lock', name: 'flock' })
    const holders = [...reader.known(holder.pid).keys()]
    expect(holders).toHaveLength(2)
    expect(call.type === 'lock' && [...call.owners].sort()).toEqual(holders.sort())
  })

  test('a receive on a socket that was given a time before', async () => {
    const script =
      'import socket, struct; a, b = socket.socketpair(); a.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", 600, 0)); a.recv(1)'
    const { pid } = start('python3', '-c', script)
    expect(await callOf(pid, 'recvfrom')).toMatchObject({ timeout: 600_000 })
  })

  test('nothing that can be told of a process that is gone', () => {
    expect(readCall(2 ** 22 + 1)).toEqual({ type: 'hidden', why: 'ENOENT' })
    expect(reader.snapshot(2 ** 22 + 1, 'calls')).toBeUndefined()
  })

  test.runIf(isRoot)('nothing of a program of another user, whatever is asked', async () => {
    const { pid } = start('sleep', '600')
    const script = `
      const { linuxReader } = await import('${path.resolve(import.meta.dirname, '../../src/process/linux/linux-reader.ts')}')
      console.log(JSON.stringify(linuxReader().snapshot(${pid}, 'suspects').processes[0]))`
    const asOther = ['--reuid', '65534', '--regid', '65534', '--clear-groups', '--bounding-set=-all']
    const told = execFileSync(
      'setpriv',
      [...asOther, process.execPath, '--input-type=module', '-e', script],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    )
    const seen: Process = JSON.parse(told)
    expect(seen.threads[0]?.call).toMatchObject({ type: 'hidden' })
    expect(seen.hidden).toEqual(['syscall', 'mem', 'wchan', 'fd', 'io'])
    expect(seen.name).toBe('sleep')
  })
})

describe.runIf(isLinux)('who holds the other end', () => {
  test('of a pipe within the tree, and nobody else', async () => {
    const { pid } = start('bash', '-c', 'sleep 600 | cat; true')
    const { cat, sleep } = await lookUntil(pid, ({ processes }) => {
      const cat = processes.find(({ name }) => name === 'cat')
      const sleep = processes.find(({ name }) => name === 'sleep')
      // Until it waits for them, the shell may still hold both ends itself.
      const isWaited = processes[0]?.threads[0]?.call.type === 'child'
      return cat && sleep && isWaited && waitsOn(cat) ? { cat, sleep } : undefined
    })
    expect(waitsOn(cat)).toMatchObject({
      type: 'pipe',
      readers: { pids: [cat.pid], isWhole: true },
      writers: { pids: [sleep.pid], isWhole: true },
    })
  })

  test('of the socket that Node gives as standard input: this process', async () => {
    const { pid } = start('cat')
    const target = await lookUntil(pid, ({ processes }) => waitsOn(processes[0]))
    expect(target).toMatchObject({ type: 'unix', isListening: false, peer: { pids: [process.pid] } })
  })

  test('of a connection on this machine, with its counters', async () => {
    const server = net.createServer(socket => socket.write('hello'))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as net.AddressInfo
    const script = `import socket; s = socket.create_connection(("127.0.0.1", ${port})); s.recv(5, socket.MSG_WAITALL); s.recv(1)`
    const { pid } = start('python3', '-c', script)
    const target = await lookUntil(pid, ({ processes }) => {
      const found = waitsOn(processes[0])
      return found?.type === 'tcp' && found.received === 5 ? found : undefined
    })
    server.close()
    expect(target).toMatchObject({
      state: 'established',
      timer: 'none',
      remote: `127.0.0.1:${port}`,
      received: 5,
      sent: 0,
      peer: { pids: [process.pid] },
    })
  })

  test('of a terminal that asks for a password, by another name: it does not echo', async () => {
    const { pid } = start(
      'python3',
      '-c',
      'import pty; pty.spawn(["python3", "-c", "import getpass; getpass.getpass()"])',
    )
    const target = await lookUntil(pid, ({ processes }) => {
      const found = waitsOn(processes[1])
      return found?.type === 'tty' ? found : undefined
    })
    expect(target).toMatchObject({
      path: expect.stringMatching(/^\/dev\/pts\/\d+$/),
      echo: false,
      canonical: true,
    })
    expect(target.type === 'tty' && target.master?.pids).toEqual([pid])
  })
})

describe.runIf(isLinux)('the tree', () => {
  test('holds children of other threads than the first', async () => {
    const script =
      'import threading, subprocess; t = threading.Thread(target=lambda: subprocess.run(["sleep", "600"])); t.start(); t.join()'
    const { pid } = start('python3', '-c', script)
    const names = await lookUntil(pid, ({ processes }) =>
      processes.length > 1 && processes[1]?.name === 'sleep' ? processes.map(({ name }) => name) : undefined,
    )
    expect(names).toEqual(['python3', 'sleep'])
  })

  test('keeps an orphan whose parent it has seen, and one that it adopted unseen', () => {
    const at = (file: string) => path.resolve(import.meta.dirname, '../../src/process', file)
    const script = `
      const { spawn } = await import('node:child_process')
      const { linuxReader } = await import('${at('linux/linux-reader.ts')}')
      const { adoptOrphans, reap } = await import('${at('reaper.ts')}')
      if (!adoptOrphans()) throw new Error('not a sub-reaper')
      const child = spawn('bash', ['-c', '(setsid sleep 600 & echo $! ); exec sleep 601'], { stdio: ['ignore', 'pipe', 'inherit'] })
      const orphan = Number(String(await new Promise(told => child.stdout.once('data', told))))
      const isOwn = pid => pid === child.pid
      const reader = linuxReader({ adopts: { isOwn } })
      const look = () => reader.snapshot(child.pid, 'tree').processes
      const isSettled = processes => processes.length === 2 && processes.every(({ parent }) => parent === process.pid)
      // The shell between them ends in its own time.
      while (!isSettled(look())) await new Promise(done => setTimeout(done, 5))
      const processes = look()
      process.kill(orphan, 'SIGKILL')
      let reaped = []
      while (reaped.length === 0) { reaped = reap(isOwn); await new Promise(done => setTimeout(done, 5)) }
      child.kill('SIGKILL')
      const isOrphan = pid => pid === orphan || reader.known(child.pid).has(pid)
      console.log(JSON.stringify({ parents: processes.map(({ parent }) => parent === process.pid), reaped: reaped.every(isOrphan) }))`
    const told = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 60_000,
    })
    expect(JSON.parse(told)).toEqual({ parents: [true, true], reaped: true })
  })
})

describe('what moves bytes between two files', () => {
  const both = (name: string): Call => ({
    type: 'fds',
    name,
    fds: [
      { fd: 3, want: 'read' },
      { fd: 6, want: 'write' },
    ],
    timeout: undefined,
  })
  test.each([
    ['splice', 'pipe_wait_readable', [3]],
    ['splice', 'pipe_wait_writable', [6]],
    ['tee', 'pipe_wait_writable', [6]],
    ['vmsplice', 'pipe_wait_readable', [3]],
    ['sendfile', 'sock_alloc_send_pskb', [6]],
    ['splice', 'wait_woken', [3, 6]],
    ['poll', 'pipe_wait_readable', [3, 6]],
  ])('%s in %s waits for the side that it sleeps for', (name, wchan, expected) => {
    const call = withSide(both(name), wchan)
    expect(call.type === 'fds' && call.fds.map(({ fd }) => fd)).toEqual(expected)
  })
})

describe('what this machine allows', () => {
  test('each ability is tried, and what is lost without it is told', async () => {
    const found = await abilities()
    expect(found.every(({ lost, works, why }) => lost !== '' && works === (why === undefined))).toBe(true)
    if (isRoot && isLinux)
      expect(found.find(({ name }) => name === 'system calls of its own children')).toMatchObject({
        works: true,
      })
  })
})

describe('what the kernel writes', () => {
  test('who may see what other users hold', () => {
    expect(whyNotUsers('Name:\tx\nCapEff:\t0000000000080000\n')).toBeUndefined()
    expect(whyNotUsers('Name:\tx\nCapEff:\t0000000000000000\n')).toContain('root')
  })

  const around: ThreadContext = {
    machine: 'arm64',
    memory: () => undefined,
    thread: () => undefined,
    sharer: () => undefined,
    child: number => number,
    opening: () => undefined,
    clock: () => undefined,
    epoll: () => [{ fd: 7, want: 'read' }],
    pidfd: () => 812,
    lockOwners: () => [],
  }
  const stack = '0xffffd4c0a2e0 0xffff9b0c9a7c'

  test.each([
    ['running', { type: 'running' }],
    [`-1 ${stack}`, { type: 'none' }],
    [`63 0x0 0x0 0x0 0x0 0x0 0x0 ${stack}`, { type: 'fds', name: 'read' }],
    [`22 0x4 0x0 0x400 0xffffffff 0x0 0x8 ${stack}`, { name: 'epoll_pwait', fds: [{ fd: 7, want: 'read' }] }],
    [`128 0x0 0x0 0x0 0x0 0x0 0x0 ${stack}`, { type: 'sleep', timeout: 'unknown' }],
    [`95 0x3 0x5 0x0 0x4 0x0 0x0 ${stack}`, { type: 'child', name: 'waitid', pid: 812 }],
    [`73 0xffff0000 0x1 0x0 0x0 0x0 0x0 ${stack}`, { type: 'other', name: 'ppoll' }],
    [`999 0x0 0x0 0x0 0x0 0x0 0x0 ${stack}`, { type: 'other', name: 'call 999' }],
    ['3 0x0 0x0 0x0 0x0 0x0 0x0 0xffd4c0a0 0xf7f0a559', { type: 'other', name: '32-bit call 3' }],
    ['', { type: 'hidden' }],
    ['nonsense', { type: 'hidden' }],
  ])('arm64: %s', (line, call) => {
    expect(decodeCall(line, around)).toMatchObject(call)
  })

  test('poll: fds that are negative are skipped, and both directions are told', () => {
    const list = Buffer.alloc(24)
    list.writeInt32LE(3, 0)
    list.writeInt16LE(5, 4)
    list.writeInt32LE(-1, 8)
    list.writeInt32LE(4, 16)
    list.writeInt16LE(4, 20)
    const call = decodeCall('7 0x1000 0x3 0x3e8 0x0 0x0 0x0 0x7ffd4c0a2e00 0x7f00', {
      ...around,
      machine: 'x64',
      memory: () => list,
    })
    expect(call).toEqual({
      type: 'fds',
      name: 'poll',
      fds: [
        { fd: 3, want: 'read' },
        { fd: 3, want: 'write' },
        { fd: 4, want: 'write' },
      ],
      timeout: 1000,
    })
  })

  test('a mutex: an owner is believed only if it is a thread of the process', () => {
    const mutex = Buffer.alloc(20)
    mutex.writeUInt32LE(2, 0)
    mutex.writeInt32LE(4711, 8)
    const line = '202 0x1000 0x80 0x2 0x0 0x0 0x0 0x7ffd4c0a2e00 0x7f00'
    const known: ThreadContext = {
      ...around,
      machine: 'x64',
      memory: (_, length) => mutex.subarray(0, length),
    }
    expect(decodeCall(line, { ...known, thread: tid => (tid === 4711 ? tid : undefined) })).toMatchObject({
      owner: 4711,
    })
    expect(decodeCall(line, known)).not.toHaveProperty('owner')
  })

  test('an epoll member whose number means another file by now has an unknown source', () => {
    const info = 'pos:\t0\ntfd:        5 events:       19 data:  5  pos:0 ino:32c sdev:d\n'
    expect(parseEpoll(info, () => 'pipe:[812]')).toEqual([{ fd: 5, want: 'read' }])
    expect(parseEpoll(info, () => 'pipe:[813]')).toEqual([{ fd: -1, want: 'read' }])
  })

  test('locks: only the one that this process waits for, on this file', () => {
    const text = [
      '1: FLOCK  ADVISORY  WRITE 100 fe:00:55 0 EOF',
      '1: -> FLOCK  ADVISORY  WRITE 200 fe:00:55 0 EOF',
      '1:  -> FLOCK  ADVISORY  WRITE 201 fe:00:55 0 EOF',
      '2: POSIX  ADVISORY  WRITE 300 fe:00:66 0 EOF',
      '2: -> POSIX  ADVISORY  WRITE 200 fe:00:66 0 EOF',
      '3: OFDLCK ADVISORY  WRITE -1 fe:00:77 0 EOF',
      '3: -> OFDLCK ADVISORY  WRITE -1 fe:00:77 0 EOF',
      '',
    ].join('\n')
    expect(parseLocks(text, 200, 55)).toEqual({ owners: [100], isOfFile: true })
    expect(parseLocks(text, 201, 55)).toEqual({ owners: [100], isOfFile: true })
    expect(parseLocks(text, 200, 66)).toEqual({ owners: [300], isOfFile: false })
    expect(parseLocks(text, 200, 77)).toEqual({ owners: [], isOfFile: true })
  })

  test('tcp: state, timer, attempts, and IPv4 within IPv6', () => {
    const head =
      '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n'
    const rows = [
      '   0: 0100007F:1F90 0100007F:C350 01 00000005:00000000 01:00000014 00000003     0        0 41 1 0 20 4 30 10 -1',
      '   1: 0000000000000000FFFF00000100007F:1F90 0000000000000000FFFF00000200007F:0050 01 00000000:00000000 02:000A 00000000  0  4 42 1 0',
      '   2: 00000000:0016 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 43 1 0',
    ]
    expect(parseTcp(head + rows.join('\n'))).toMatchObject([
      {
        inode: '41',
        state: 'established',
        local: '127.0.0.1:8080',
        timer: 'retransmit',
        attempts: 3,
        sendQueue: 5,
      },
      { inode: '42', local: '127.0.0.1:8080', remote: '127.0.0.2:80', timer: 'keepalive', attempts: 4 },
      { inode: '43', state: 'listen', local: '0.0.0.0:22' },
    ])
  })

  test('a caught alarm, a debugger', () => {
    const text = 'Name:\tperl\nTracerPid:\t7\nUid:\t1000\t1000\t1000\t1000\nSigCgt:\t0000000000002000\n'
    expect(parseStatus(text)).toEqual({ uid: 1000, tracer: 7, catches: ['ALRM'], ignoresAlarm: false })
    expect(parseStatus(text.replace('2000', '0a00')).catches).toEqual(['USR1', 'USR2'])
    expect(parseStatus(text.replace('2000', '4002')).catches).toEqual(['INT', 'TERM'])
    expect(parseStatus(`${text}SigIgn:\t0000000000002000\n`).ignoresAlarm).toBe(true)
    expect(signalsIn(0x8000_0003_1000_0000n)).toEqual(['IO', 'RT33', 'RT34', 'RT64'])
  })

  test('timers that are armed on this machine, and nothing of a list that is cut or was put in its place', () => {
    const row = (at: number, what: string, ns: number) =>
      ` #${at}: <0000000072174ab0>, ${what}, S:01\n # expires at ${ns}-${ns} nsecs [in 5 to 5 nsecs]\n`
    const list = (...rows: readonly string[]) =>
      `Timer List Version: v0.10\nnow at 1 nsecs\n\nactive timers:\n${rows.join('')}\nTick Device: mode:     1\n`
    expect(parseTimers(list())).toEqual({ interval: [], hasPosix: false })
    expect(
      parseTimers(list(row(0, 'hrtimer_wakeup', 5), row(1, 'it_real_fn', 24e9), row(2, 'it_real_fn', 5e6))),
    ).toEqual({
      interval: [24_000, 5],
      hasPosix: false,
    })
    expect(parseTimers(list(row(0, 'posix_timer_fn', 5)))).toEqual({ interval: [], hasPosix: true })
    expect(parseTimers('')).toBeUndefined()
    expect(parseTimers(list(row(0, 'it_real_fn', 5)).replace(/Tick[\s\S]*/, ''))).toBeUndefined()
  })

  test('a timer that one reading of the list leaves out is in another', () => {
    const [all, some] = [
      { interval: [5, 7], hasPosix: false },
      { interval: [7], hasPosix: true },
    ]
    expect(joinTimers([some, all])).toEqual({ interval: [7, 5], hasPosix: true })
    // Left out before its threads were read, or after: it is there, and is not new at the next look.
    const look = (first: readonly number[], last: readonly number[]) => ({
      slices: 'a',
      first,
      last,
      isBefore: () => false,
    })
    const begun = rememberTimers(undefined, look([5], []))
    expect(begun.timers).toEqual([5])
    expect([...rememberTimers(begun, look([5], [5])).others]).toEqual([])
  })

  test('timers of other programs: set before the tree began, or while it slept', () => {
    const look = (slices: string, first: readonly number[], last = first) => ({
      slices,
      first,
      last,
      isBefore: (at: number) => at === 1,
    })
    const ownOf = ({ timers, others }: TimerMemory) => timers.filter(at => !others.has(at))
    const begun = rememberTimers(undefined, look('a', [1, 2]))
    expect(ownOf(begun)).toEqual([2])
    const slept = rememberTimers(begun, look('a', [1, 2, 3]))
    expect(ownOf(slept)).toEqual([2])
    // It ran: whose 4 is can't be told. 3 stays another's.
    expect(ownOf(rememberTimers(slept, look('b', [2, 3, 4])))).toEqual([2, 4])
    // It may have run after its threads were read, and set 5.
    expect(ownOf(rememberTimers(slept, look('a', [2, 3], [2, 3, 5])))).toEqual([2, 5])
  })

  test('POSIX timers, but for those that count the time of a processor', () => {
    const timer = (signal: number, clock: number) =>
      `ID: 0\nsignal: ${signal}/00007fb342bb1200\nnotify: signal/pid.28565\nClockID: ${clock}\n`
    expect(parsePosixTimers(timer(26, 1) + timer(14, 0))).toEqual(['VTALRM', 'ALRM'])
    expect(parsePosixTimers(timer(14, 2) + timer(14, 3) + timer(14, -6))).toEqual([])
    expect(parsePosixTimers('')).toEqual([])
  })

  test('where control groups are mounted', () => {
    const row = (root: string, folder: string, type: string, options: string) =>
      `30 25 0:26 ${root} ${folder} rw,nosuid shared:9 - ${type} cgroup ${options}\n`
    const text =
      row('/', '/sys/fs/cgroup/unified', 'cgroup2', 'rw') + row('/', '/x/memory', 'cgroup', 'rw,memory')
    expect(parseMounts(text)).toMatchObject({
      unified: { folder: '/sys/fs/cgroup/unified' },
      hasOldMemory: true,
    })
    expect(parseMounts(text).freezer).toBeUndefined()
    expect(parseMounts(row('/a', '/f', 'cgroup', 'rw,freezer')).freezer).toMatchObject({
      root: '/a',
      folder: '/f',
    })
  })

  test('what the runtime of Go was asked for, and which thread is its monitor', () => {
    const maps = `00400000-004dd000 r-xp 00000000 fe:00 22 /go-program
004dd000-004e2000 rw-p 000dd000 fe:00 22 /go-program
004e2000-00516000 rw-p 00000000 00:00 0${' '}
c000000000-c000400000 rw-p 00000000 00:00 0${' '}
7faf5464f000-7faf56a00000 rw-p 00000000 00:00 0${' '}
`
    const sleeps = (tid: number, address: string, timeout?: number): Thread => ({
      ...goThread,
      tid,
      call: { type: 'futex', address, isPrivate: true, timeout },
    })
    const sig = Buffer.alloc(60)
    sig.writeUInt32LE(0x8004, 20)
    sig.writeUInt32LE(1, 56)
    const handoff = Buffer.alloc(32)
    handoff[16] = 1
    const memory = new Map([
      [0x510e00n, sig],
      [0x510cb8n - 24n, handoff],
    ])
    const facts = (...threads: readonly Thread[]) => goFacts(1, threads, { maps, read: at => memory.get(at) })
    const usual = [sleeps(1, '0x4e25a8'), sleeps(2, '0x4e2958', 60_000), sleeps(3, '0xc00003c548')]
    expect(facts(...usual)).toEqual({ asked: [], own: new Set([2]) })
    expect(facts(...usual, sleeps(4, '0x510e00'), sleeps(5, '0x510cb8'))?.asked).toEqual(['INT', 'TERM'])
    // A thread of which it is not known what it sleeps on may be the one that takes signals.
    expect(facts(...usual, sleeps(4, '0x510f00'))?.asked).toBeUndefined()
    expect(facts(sleeps(2, '0x7faf54650000', 60_000))?.own).toEqual(new Set())
    expect(goFacts(1, usual, { maps: maps.replace('c0000', 'd0000'), read: () => undefined })).toBeUndefined()
  })

  test('a ring: the fd of the last entry with the opcode that is pending, or nothing', () => {
    const entries = Buffer.alloc(128)
    entries.writeUInt8(22, 64)
    entries.writeInt32LE(5, 68)
    expect(parseRing('PollList:\n  op=22, task_works=0\n', entries)).toEqual([{ fd: 5, want: 'read' }])
    expect(parseRing('PollList:\n  op=27, task_works=0\n', entries)).toBeUndefined()
    expect(parseRing('PollList:\n', entries)).toBeUndefined()
  })

  test('why others can not be looked into', () => {
    const mount = (options: string) => `22 27 0:21 / /proc rw,relatime shared:5 - proc proc rw${options}\n`
    expect(whyHidden(mount(''))).toBeUndefined()
    expect(whyHidden(mount(',hidepid=invisible'))).toBe('/proc is mounted with hidepid=invisible')
    expect(whyNotOthers('0\n')).toBeUndefined()
    expect(whyNotOthers('1\n')).toMatch(/only programs that lull started/)
    expect(whyNotOthers('2\n')).toMatch(/only with CAP_SYS_PTRACE/)
    expect(whyNotOthers('3\n')).toMatch(/is 3: nobody may/)
    expect(whyNotOthers('')).toBeUndefined()
  })
})
