/** Programs that something wakes of which their files do not tell, and runtimes that wake by themselves: looked at while they run. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { childrenOf } from '../../src/os/proc/stat.ts'
import { diagnose } from '../../src/process/closure/diagnose.ts'
import type { Diagnosis } from '../../src/process/diagnosis.ts'
import { linuxReader } from '../../src/process/linux/linux-reader.ts'
import { temporaryFolder } from '../support/lull.ts'
import { until } from '../support/until.ts'

const isLinux = process.platform === 'linux'
const isRoot = process.geteuid?.() === 0
const folder = temporaryFolder()
const source = path.resolve(import.meta.dirname, '../../bench/process/programs/unseen.c')
const program = path.join(folder, 'unseen')
const ringSource = path.resolve(import.meta.dirname, '../../bench/process/programs/deceive/rings.c')
const rings = path.join(folder, 'rings')

const reader = linuxReader()
const started: ChildProcess[] = []
const start = (
  words: readonly string[],
  stdout: 'ignore' | 'pipe' = 'ignore',
): ChildProcess & { pid: number } => {
  const child = spawn(words[0] ?? '', words.slice(1), { stdio: ['pipe', stdout, 'ignore'] })
  started.push(child)
  if (child.pid === undefined) throw new Error(`${words[0]} did not start`)
  return child as ChildProcess & { pid: number }
}

const has = (tool: string): boolean => {
  try {
    execFileSync('which', [tool], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

beforeAll(() => {
  if (isLinux && has('gcc')) execFileSync('gcc', ['-O1', '-pthread', '-w', '-o', program, source])
})
afterEach(() => {
  for (const { pid: first = 0 } of started.splice(0)) {
    for (const pid of [first, ...childrenOf(first), ...reader.known(first).keys()])
      try {
        if (pid > 1) process.kill(pid, 'SIGKILL')
      } catch {
        // It has ended by itself.
      }
  }
})

/** What is said of it once two looks agree that it has come to rest, and say what is expected. */
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
const isClosed = ({ isBlocked, doubts }: Diagnosis): boolean =>
  isBlocked || (doubts.length === 1 && /interval timer/.test(doubts[0] ?? ''))

describe.runIf(isLinux && has('gcc'))('what no file of a process tells of', () => {
  const cases: readonly (readonly [mode: string, cause: string, says: RegExp])[] = [
    ['signal 40', 'stdin', /signal may wake/],
    ['signal 29', 'stdin', /signal may wake/],
    ['signal 28', 'stdin', /signal may wake/],
    ['signal 15 own', 'closed_wait', /SIGTERM/],
    ['signal-file', 'closed_wait', /SIGTERM/],
    ['queue', 'stdin', /signal may wake/],
    ['seccomp', 'outsider', /seccomp/],
    ['files', 'unknown', /a file of its own/],
    ['aio', 'outsider', /aio/],
    ['flight', 'unknown', /unseen/],
    ['memory', 'closed_wait', /shared memory/],
  ]
  test.each(cases)('%s', async (mode, cause, says) => {
    const { pid } = start([program, ...mode.split(' ')])
    const told = (found: Diagnosis): string => [found.summary, ...found.doubts].join()
    const found = await settled(pid, one => one.cause === cause && says.test(told(one)))
    expect(found.isBlocked).toBe(false)
    expect(found.proof).not.toBe('proven')
    expect(found.summary).not.toContain('no timer, socket or other process')
  })

  /** The parent is outside of the tree that is looked at. */
  const childOf = (pid: number): Promise<number> =>
    until(
      () => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')),
      child => child > 0,
    )

  test.each([
    ['timer-of-parent', /a timer that is not set that .* holds/],
    ['epoll-of-parent', /an epoll that .* holds/],
  ])('a file that its parent has open, too: %s', async (mode, says) => {
    const parent = start([program, mode])
    const found = await settled(await childOf(parent.pid), ({ summary }) => says.test(summary))
    expect(found).toMatchObject({ cause: 'outsider', isBlocked: false })
    expect(found.summary).toContain(`(${parent.pid})`)
  })

  test('a timer that nobody else has open, as no other process on the machine can set it', async () => {
    const found = await settled(start([program, 'own-timer']).pid, isClosed)
    expect(found).toMatchObject({ cause: 'closed_wait' })
    expect(found.summary).toContain('a timer that is not set of its own')
  })

  test.runIf(isRoot)('fault', async () => {
    const found = await settled(start([program, 'fault']).pid, ({ cause }) => cause === 'outsider')
    expect(found.summary).toContain('userfaultfd')
  })

  test.each(['event', 'poll'])('an event counter that an io_uring counts up: %s', async mode => {
    execFileSync('gcc', ['-O1', '-w', '-o', rings, ringSource])
    if (mode === 'poll') execFileSync('mkfifo', [path.join(folder, 'fifo')])
    const { pid } = start([rings, mode, folder])
    const found = await settled(pid, ({ summary }) => summary.includes('an event counter'))
    expect(found).toMatchObject({ cause: 'outsider', proof: 'inferred', isBlocked: false })
    expect(found.summary).toContain('io_uring')
  })

  test('a debugger from outside, that let it go on', async () => {
    const cat = start(['cat'])
    expect(await settled(cat.pid, isClosed)).toMatchObject({ cause: 'stdin' })
    start([program, 'trace', `${cat.pid}`])
    expect(await settled(cat.pid, ({ cause }) => cause === 'outsider')).toMatchObject({ isBlocked: false })
  })

  test.runIf(isRoot && has('unshare'))('who holds a pipe above lull’s own namespace of pids', async () => {
    // A pipe that bash above keeps open as well: both ends, as lull has them.
    const above = 'exec 5<> <(:); unshare --pid --fork --kill-child --mount-proc "$@"; true'
    const src = path.resolve(import.meta.dirname, '../../src/process')
    const script = `
      const { linuxReader } = await import('${src}/linux/linux-reader.ts')
      const { diagnose } = await import('${src}/closure/diagnose.ts')
      const { spawn } = await import('node:child_process')
      const reader = linuxReader()
      const causes = [5, 'pipe'].map(async stdin => {
        const cat = spawn('cat', { stdio: [stdin, 'ignore', 'ignore'] })
        for (let before; ; before = reader.snapshot(cat.pid, 'calls')) {
          await new Promise(resolve => setTimeout(resolve, 50))
          const after = reader.snapshot(cat.pid, 'calls')
          // A look at a program that still starts finds it busy.
          const calls = [before, after].map(look => look?.processes[0]?.threads[0]?.call)
          if (!calls.every(call => call?.name === 'read' && call.fds[0].fd === 0)) continue
          cat.kill('SIGKILL')
          return diagnose({ before, after }).cause
        }
      })
      console.log(...(await Promise.all(causes)))`
    const inside = start(
      ['bash', '-c', above, 'bash', process.execPath, '--input-type=module', '-e', script],
      'pipe',
    )
    const [told] = await once(inside.stdout as NodeJS.ReadableStream, 'data')
    // What lull made itself nobody above can hold.
    expect(`${told}`.trim()).toBe('unknown stdin')
  })

  test('what ignores its alarm is as closed as ever', async () => {
    const found = await settled(start([program, 'ignored-alarm']).pid, ({ isBlocked }) => isBlocked)
    expect(found).toMatchObject({ cause: 'stdin', proof: 'proven' })
  })
})

const write = (name: string, text: string): string => {
  const file = path.join(folder, name)
  writeFileSync(file, text)
  return file
}

const goPipe = `package main
import "os/exec"
func main() { c := exec.Command("yes"); c.StdoutPipe(); c.Start(); c.Wait() }`
const goAsks = `package main
import ("os"; "os/signal"; "syscall")
func main() { c := make(chan os.Signal, 1); signal.Notify(c, syscall.SIGNAL); os.Stdin.Read(make([]byte, 1)) }`
const javaPipe = `public class Pipe { public static void main(String[] a) throws Exception {
  System.exit(new ProcessBuilder("yes").start().waitFor()); } }`

const builtGo = (name: string, text: string): string[] => {
  const file = write(`${name}.go`, text)
  const env = { ...process.env, GOCACHE: path.join(folder, 'go'), GO111MODULE: 'off' }
  execFileSync('go', ['build', '-o', path.join(folder, name), file], { env })
  return [path.join(folder, name)]
}

type Stuck = {
  readonly name: string
  readonly tool: string
  readonly words: () => readonly string[]
  readonly cause: string
  /** closed: nothing of the runtime’s stands in the way. likely: its handlers can’t be told from the program’s. open: nor its clock. */
  readonly is: 'closed' | 'likely' | 'open'
}

describe.runIf(isLinux)('a runtime’s threads, timers and handlers excuse nothing', () => {
  const cases: readonly Stuck[] = [
    {
      name: 'Go, a full pipe',
      tool: 'go',
      words: () => builtGo('pipe', goPipe),
      cause: 'output',
      is: 'closed',
    },
    {
      name: 'Go, input, a handler for the word to end',
      tool: 'go',
      words: () => builtGo('term', goAsks.replace('SIGNAL', 'SIGTERM')),
      cause: 'stdin',
      is: 'closed',
    },
    {
      name: 'Go, input, a handler for news',
      tool: 'go',
      words: () => builtGo('usr1', goAsks.replace('SIGNAL', 'SIGUSR1')),
      cause: 'stdin',
      is: 'open',
    },
    {
      name: 'Java, a full pipe',
      tool: 'java',
      words: () => ['java', write('Pipe.java', javaPipe)],
      cause: 'output',
      is: 'closed',
    },
    {
      name: 'Ruby, a full pipe',
      tool: 'ruby',
      words: () => ['ruby', '-e', 'i = IO.popen("yes"); Process.wait(i.pid)'],
      cause: 'output',
      is: 'likely',
    },
    {
      name: 'PHP, a full pipe',
      tool: 'php',
      words: () => ['php', '-r', '$p = popen("yes", "r"); pcntl_wait($s);'],
      cause: 'output',
      is: 'likely',
    },
    { name: 'Erlang, input', tool: 'erl', words: () => ['erl', '-noshell'], cause: 'stdin', is: 'open' },
    {
      name: 'node, input',
      tool: 'node',
      words: () => [process.execPath, '-e', 'process.stdin.resume()'],
      cause: 'stdin',
      is: 'closed',
    },
    {
      name: 'python, a lock',
      tool: 'python3',
      words: () => ['python3', '-c', 'import threading; threading.Event().wait()'],
      cause: 'closed_wait',
      is: 'closed',
    },
  ]
  test.for(cases)('$name', async ({ tool, words, cause, is }, { skip }) => {
    if (!has(tool)) skip(`${tool} is not installed`)
    const isIt = (found: Diagnosis): boolean => {
      if (found.cause !== cause) return false
      if (is === 'open') return found.isOpen === true
      const ofHandlers = found.unseen?.some(what => what.includes('handlers of its own')) ?? false
      return is === 'likely'
        ? !found.isBlocked && (ofHandlers || isClosed(found))
        : isClosed(found) && !ofHandlers
    }
    const found = await settled(start(words()).pid, isIt)
    expect(found.cause).toBe(cause)
    if (is !== 'closed') expect(found.isBlocked).toBe(false)
  })
})
