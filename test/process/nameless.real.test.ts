/** What only those share who have it already: memory, queues and pipes whose names are gone. Looked at while they are waited for. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { attempt } from '../../src/os/attempt.ts'
import { diagnose } from '../../src/process/closure/diagnose.ts'
import type { Diagnosis } from '../../src/process/diagnosis.ts'
import { linuxReader } from '../../src/process/linux/linux-reader.ts'
import { temporaryFolder } from '../support/lull.ts'
import { until } from '../support/until.ts'

const hasPython = attempt(() => execFileSync('python3', ['-c', 'import os; os.splice'])) !== undefined
const folder = temporaryFolder()
const reader = linuxReader()
const started: ChildProcess[] = []

afterEach(() => {
  for (const { pid = 0 } of started.splice(0)) attempt(() => pid > 1 && process.kill(-pid, 'SIGKILL'))
})
afterAll(() => {
  // A queue outlives its programs.
  for (let made = 0; made < count; made++)
    attempt(() => execFileSync('python3', ['-c', `${tools}unlink_queue()`, nameOf(made)]))
})

const tools = `
import ctypes, mmap, os, sys
c, rt = ctypes.CDLL(None), ctypes.CDLL('librt.so.1')
name = sys.argv[1]
def semaphore(fd=-1):
    memory = mmap.mmap(fd, 4096)
    at = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    c.sem_init(ctypes.c_void_p(at), 1, 0)
    return memory, lambda: c.sem_wait(ctypes.c_void_p(at))
def queue():
    fd = rt.mq_open(('/' + name.replace('/', '-')).encode(), os.O_RDWR | os.O_CREAT, 0o600, None)
    return fd, lambda: rt.mq_receive(fd, ctypes.create_string_buffer(9000), 9000, None)
def unlink_queue():
    rt.mq_unlink(('/' + name.replace('/', '-')).encode())
`

let count = 0
const nameOf = (made: number): string => path.join(folder, `${made}`)
/** Its pid, once it has begun. */
async function start(script: string): Promise<number> {
  const name = nameOf(count++)
  const child = spawn('python3', ['-c', `${tools}${script}`, name], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  started.push(child)
  const [told] = await once(child.stdout, 'data')
  return Number(told)
}

/** What is said of it once two looks agree. */
async function settled(pid: number, isIt: (found: Diagnosis) => boolean): Promise<Diagnosis> {
  let before = reader.snapshot(pid, 'calls')
  const look = () => {
    const after = reader.snapshot(pid, 'calls')
    const found = before && after && diagnose({ before, after })
    before = after
    return found
  }
  return (await until(look, found => found !== undefined && isIt(found))) as Diagnosis
}

/** Other programs of this machine may have an alarm set meanwhile: that alone is no matter here. */
const isClosed = ({ cause, isBlocked, doubts }: Diagnosis): boolean =>
  cause === 'closed_wait' && (isBlocked || (doubts.length === 1 && /interval timer/.test(doubts[0] ?? '')))

const told = 'print(os.getpid(), flush=True)\n'

describe.runIf(process.platform === 'linux' && hasPython)(
  'what has no name is shared with nobody else',
  () => {
    test('memory of a parent and its child', async () => {
      const pid = await start(`
memory, wait = semaphore()
if os.fork() == 0: wait()
else:
    ${told}    os.wait()`)
      const { summary } = await settled(pid, isClosed)
      expect(summary).toContain('memory that it shares')
    })

    test('memory of a file that could have been handed on: no proof, and patience', async () => {
      const pid = await start(`
fd = os.memfd_create('x')
os.ftruncate(fd, 4096)
memory, wait = semaphore(fd)
os.close(fd)
${told}wait()`)
      const { isBlocked, mayAwaitWord, unseen } = await settled(pid, ({ cause }) => cause === 'closed_wait')
      expect({ isBlocked, mayAwaitWord }).toEqual({ isBlocked: false, mayAwaitWord: true })
      expect(unseen?.join()).toContain('handed')
    })

    test('memory whose other user stands outside', async () => {
      const child = await start(`
memory, wait = semaphore()
if os.fork() == 0:
    ${told}    wait()
else: os.wait()`)
      expect(await settled(child, ({ cause }) => cause === 'outsider')).toMatchObject({ isBlocked: false })
    })

    for (const isGone of [true, false]) {
      const how = isGone ? 'unlinked' : 'with a name'
      test(`a message queue, ${how}`, async () => {
        const pid = await start(`
fd, wait = queue()
${isGone ? 'unlink_queue()' : ''}
${told}wait()`)
        await settled(pid, isGone ? isClosed : ({ cause }) => cause === 'unknown')
      })

      test(`a named pipe, ${how}`, async () => {
        const pid = await start(`
os.mkfifo(name)
fd = os.open(name, os.O_RDWR)
${isGone ? '' : "os.link(name, name + '-too')"}
os.unlink(name)
${told}os.read(fd, 1)`)
        const is = isGone ? isClosed : ({ cause }: Diagnosis) => cause === 'server'
        expect((await settled(pid, is)).isBlocked && !isGone).toBe(false)
      })
    }

    test('a semaphore and a queue with a limit, which ends the wait', async () => {
      const limit = 'limit = (ctypes.c_long * 2)(int(__import__("time").time()) + 600, 0)\n'
      const waits = [
        `memory, _ = semaphore()
at = ctypes.addressof(ctypes.c_char.from_buffer(memory))
${limit}${told}c.sem_timedwait(ctypes.c_void_p(at), limit)`,
        `fd, _ = queue()
unlink_queue()
${limit}${told}rt.mq_timedreceive(fd, ctypes.create_string_buffer(9000), 9000, None, limit)`,
      ]
      for (const wait of waits) {
        const {
          isBlocked,
          proof,
          until: end,
        } = await settled(await start(wait), one => one.cause === 'timer')
        expect({ isBlocked, proof }).toEqual({ isBlocked: false, proof: 'bounded' })
        expect((end ?? 0) - Number(process.hrtime.bigint()) / 1e6).toBeGreaterThan(500_000)
      }
    })

    test('a lock on a file that it holds itself, by another descriptor', async () => {
      const pid = await start(`
import fcntl
a, b = open(name, 'w'), open(name, 'w')
fcntl.flock(a, fcntl.LOCK_EX)
${told}fcntl.flock(b, fcntl.LOCK_EX)`)
      const { summary } = await settled(pid, ({ cause }) => cause === 'deadlock')
      expect(summary).toContain(`waits for the lock of ${nameOf(count - 1)} that it holds itself`)
    })

    test('a pipe of its own that it splices from, though it could write what it splices to', async () => {
      const pid = await start(`
a, b = os.pipe()
c, d = os.pipe()
${told}os.splice(a, d, 4096)`)
      const { summary } = await settled(pid, isClosed)
      expect(summary).toContain('splice(3)')
    })
  },
)
