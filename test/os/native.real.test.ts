/** What is asked of the system by way of the C library: real terminals, pipes and files. */
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { spawn } from '@lydell/node-pty'
import { describe, expect, test } from 'vitest'
import { exchange, hasWriter } from '../../src/os/file/exchange.ts'
import { cFunction } from '../../src/os/native/c-library.ts'
import { isReady, moveBytes, newPipe, waitingBytes } from '../../src/os/native/pipe.ts'
import { readStat } from '../../src/os/proc/stat.ts'
import { isTerminal, ptsOf, readSettings, terminalPath } from '../../src/os/tty/tty.ts'
import { temporaryFolder } from '../support/lull.ts'
import { until } from '../support/until.ts'

const isLinux = process.platform === 'linux'
if (!isLinux) console.warn('skipped: terminals and pipes are asked in this way on Linux alone')

test('a function that the C library lacks is none, and can be asked for again', () => {
  const none = cFunction<() => number>('int lull_has_no_such_function(int)')
  expect([none(), none()]).toEqual([undefined, undefined])
})

/** A child has its terminal a moment after it was started. */
const terminalOf = async (pid: number): Promise<string> =>
  (await until(
    () => ptsOf(readStat(pid)?.tty ?? 0),
    tty => tty !== undefined,
  )) as string

describe.runIf(isLinux)('a terminal', () => {
  test.each([
    ['sane', { canonical: true, echo: true, signals: true }],
    ['-echo', { canonical: true, echo: false, signals: true }],
    ['raw', { canonical: false, signals: false }],
    ['-icanon min 0 time 3', { canonical: false, wait: 300 }],
  ])('tells how it was set: stty %s', async (settings, expected) => {
    const pty = spawn('sh', ['-c', `stty ${settings}; exec cat > /dev/null`], {})
    try {
      const tty = await terminalOf(pty.pid)
      expect(isTerminal(tty)).toBe(true)
      await until(
        () => readSettings(tty),
        now => now !== undefined && isDeepStrictEqual({ ...now, ...expected }, now),
      )
    } finally {
      pty.kill('SIGKILL')
    }
  })

  test('tells how much was typed that nobody has read', async () => {
    const pty = spawn('sleep', ['60'], {})
    try {
      const tty = await terminalOf(pty.pid)
      expect(readSettings(tty)?.queued).toBe(0)
      pty.write('hello\r')
      await until(
        () => readSettings(tty)?.queued,
        queued => queued === 6,
      )
    } finally {
      pty.kill('SIGKILL')
    }
  })

  test('what is none tells nothing', () => {
    expect(readSettings('/dev/null')).toBeUndefined()
    expect(readSettings('/dev/pts/none')).toBeUndefined()
  })

  test('device numbers have names', () => {
    const device = (major: number, minor: number) => (major << 8) | (minor & 0xff) | ((minor & 0xfff00) << 12)
    expect(terminalPath(device(136, 3))).toBe('/dev/pts/3')
    expect(terminalPath(device(136, 300))).toBe('/dev/pts/300')
    expect(terminalPath(device(4, 1))).toBe('/dev/tty1')
    expect(terminalPath(device(4, 65))).toBe('/dev/ttyS1')
    expect([terminalPath(0), ptsOf(device(4, 1))]).toEqual([undefined, undefined])
  })
})

describe.runIf(isLinux)('a pipe', () => {
  test('tells what waits in it, and hands it on to another', () => {
    const [from, to] = [newPipe(), newPipe()]
    if (!from || !to) throw new Error('no pipes')
    expect([
      waitingBytes(from.read),
      isReady(from.read, 'read', 0),
      moveBytes(from.read, to.write, 9),
    ]).toEqual([0, false, -1])
    writeSync(from.write, 'a few bytes')
    expect([waitingBytes(from.read), isReady(from.read, 'read', 0)]).toEqual([11, true])
    expect(moveBytes(from.read, to.write, 5)).toBe(5)
    expect([waitingBytes(from.read), waitingBytes(to.read)]).toEqual([6, 5])
    closeSync(from.write)
    expect([moveBytes(from.read, to.write, 100), moveBytes(from.read, to.write, 100)]).toEqual([6, 0])
    for (const fd of [from.read, to.read, to.write]) closeSync(fd)
  })
})

describe.runIf(isLinux)('two files', () => {
  test('take each other’s place; nothing happens where one is not there', () => {
    const [a, b] = ['a', 'b'].map(name => path.join(temporaryFolder(), name)) as [string, string]
    writeFileSync(a, 'first')
    expect(exchange(a, b)).toBe(false)
    writeFileSync(b, 'second')
    expect(exchange(a, b)).toBe(true)
    expect([readFileSync(a, 'utf8'), readFileSync(b, 'utf8')]).toEqual(['second', 'first'])
  })

  test('of a file is known whether somebody may still write into it', () => {
    const file = path.join(temporaryFolder(), 'a')
    const writer = openSync(file, 'w')
    const reader = openSync(file, 'r')
    expect(hasWriter(reader)).toBe(true)
    closeSync(writer)
    expect(hasWriter(reader)).toBe(false)
    closeSync(reader)
  })
})
