/** What /proc tells of processes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import { identify, isAlive, markOf, signalled } from '../../src/os/proc/alive.ts'
import { readArguments, readEnvironment } from '../../src/os/proc/command-line.ts'
import { readFile, readText } from '../../src/os/proc/proc-file.ts'
import { ancestors, childrenOf, endOfZombie, hasEnded, parseStat, readStat } from '../../src/os/proc/stat.ts'
import { endWithTest } from '../support/end-with-test.ts'
import { until } from '../support/until.ts'

/** No pid of Linux is as large (proc_sys_kernel(5), pid_max). */
const nobody = 2 ** 22 + 1

describe('the stat of a process', () => {
  test('a name with brackets and blanks', () => {
    const line = `12 (a) (b c) S 1 12 11 34816 13 4194304 10 0 3 0 1 2 0 0 20 0 1 0 4711 1000 250 1 4096 8192 12288 0`
    expect(parseStat(line)).toEqual({
      pid: 12,
      name: 'a) (b c',
      state: 'S',
      parent: 1,
      group: 12,
      session: 11,
      tty: 34816,
      foreground: 13,
      flags: 4194304,
      majorFaults: 3,
      threads: 1,
      startTicks: '4711',
      residentPages: 250,
      codeStart: '4096',
      stackStart: '12288',
    })
  })

  test.each(['', '12 (a', '12 (a) S 1 12'])('a line that is cut short tells nothing: %j', line => {
    expect(parseStat(line)).toBeUndefined()
  })

  test('of a process that is not there, nothing', () => {
    expect(readStat(nobody)).toBeUndefined()
    expect(readStat(process.pid)).toMatchObject({ pid: process.pid, parent: process.ppid })
  })
})

test('children of all threads are found', async () => {
  const program =
    'import subprocess, threading\n' +
    'def start():\n  child = subprocess.Popen(["cat"])\n  print(child.pid, flush=True)\n  child.wait()\n' +
    'threading.Thread(target=start).start()'
  const child = spawn('python3', ['-c', program], { stdio: ['pipe', 'pipe', 'inherit'] })
  endWithTest(child)
  const [text] = await once(child.stdout, 'data')
  expect(childrenOf(child.pid as number)).toEqual([Number(text)])
  expect(childrenOf(child.pid as number, [child.pid as number])).toEqual([])
})

describe('whether a process still runs', () => {
  test('it does under its own start, and is another one under another start', () => {
    const { pid, start = '' } = markOf(process.pid)
    expect(isAlive({ pid, start })).toBe(true)
    expect(isAlive({ pid, start: `${Number(start) - 1}` })).toBe(false)
  })

  test('without a start nothing is claimed of a pid that is in use', () => {
    expect(isAlive({ pid: process.pid })).toBeUndefined()
    expect(isAlive({ pid: nobody })).toBe(false)
    expect(markOf(nobody)).toEqual({ pid: nobody })
    expect([signalled(process.pid), signalled(nobody)]).toEqual(['taken', 'gone'])
  })

  test.each([
    ['exit 3', { code: 3 }],
    ['true', { code: 0 }],
    ['kill -9 $$', { signal: 'SIGKILL' }],
  ])('a zombie does not, and the kernel still knows how it ended: %s', async (script, end) => {
    // A shell that became another program reaps nothing: its child stays a zombie as long as it runs.
    const shell = spawn('sh', ['-c', `sh -c 'sleep 0.05; ${script}' & echo $!; exec sleep 60`], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    try {
      const [printed] = await once(shell.stdout, 'data')
      const child = markOf(Number(printed))
      await until(
        () => readStat(child.pid),
        stat => stat !== undefined && hasEnded(stat),
      )
      expect(isAlive(child)).toBe(false)
      expect(endOfZombie(child.pid)).toEqual(end)
      expect(endOfZombie(process.pid)).toEqual({})
    } finally {
      shell.kill('SIGKILL')
    }
  })
})

test('the processes above a process, itself first, and no more of them than asked for', () => {
  expect([...ancestors(process.pid, 2)]).toEqual([process.pid, process.ppid])
  expect([...ancestors(nobody, 3)]).toEqual([])
})

test('a process has one name, and its successor under the same pid another', () => {
  expect(identify(7, '100')).toMatch(/^[a-z][0-9a-z]{7}$/)
  expect(identify(7, '100')).toBe(identify(7, '100'))
  expect(identify(7, '101')).not.toBe(identify(7, '100'))
})

test('a file of /proc is read up to a limit; one that is gone is an empty text, or the code of the error', () => {
  expect(readText(`/proc/${process.pid}/cmdline`, 4)).toHaveLength(4)
  expect(readText(`/proc/${nobody}/cmdline`)).toBe('')
  expect(readFile(`/proc/${nobody}/cmdline`)).toEqual({ error: 'ENOENT' })
})

describe('what a process was started with', () => {
  async function started(words: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
    const [program = '', ...rest] = words
    const child = spawn(program, rest, { env, stdio: 'ignore' })
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child, 'spawn')
    await until(
      () => readArguments(child.pid ?? 0)[0],
      word => word === program,
    )
    return child.pid ?? 0
  }

  test('its words, as they were given', async () => {
    const pid = await started(['sleep', '60'], {})
    expect(readArguments(pid)).toEqual(['sleep', '60'])
    expect(readArguments(pid, 7)).toEqual(['sleep', '6'])
    expect(readArguments(nobody)).toEqual([''])
  })

  test('its environment, in any language, empty values included', async () => {
    const env = { HOME: '/home/jürgen', EMPTY: '', EQUALS: 'a=b' }
    expect(readEnvironment(await started(['sleep', '60'], env))).toEqual(env)
    expect(readEnvironment(nobody)).toEqual({})
  })
})
