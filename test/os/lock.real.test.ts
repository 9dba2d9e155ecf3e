/** The lock between processes: one holder at a time, and a dead one's is taken over by exactly one. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { acquireLock, holderOf, waitForLock } from '../../src/os/file/lock.ts'
import { readStat } from '../../src/os/proc/stat.ts'
import { temporaryFolder } from '../support/lull.ts'

const newFile = (): string => path.join(temporaryFolder(), 'host.lock')
const names = (file: string): string[] => readdirSync(path.dirname(file))
const lockModule = fileURLToPath(new URL('../../src/os/file/lock.ts', import.meta.url))

/** A process that runs `body` with the lock module; what it printed. */
function inProcess(body: string): Promise<string> {
  const script = `import { acquireLock, waitForLock } from ${JSON.stringify(lockModule)}
import fs from 'node:fs'
${body}`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.on('data', data => {
    printed += data
  })
  return new Promise(resolve => child.once('close', () => resolve(printed.trim())))
}

test('held once; free after it is given back, and nothing is left behind', () => {
  const file = newFile()
  const lock = acquireLock(file)
  expect(() => acquireLock(file)).toThrow(expect.objectContaining({ code: 'LOCKED' }))
  expect(holderOf(file)).toMatchObject({ pid: process.pid, start: readStat(process.pid)?.startTicks })
  lock.release()
  lock.release()
  acquireLock(file).release()
  expect(names(file)).toEqual([])
})

test('whoever waits gets it when it is given back, and not later than patience lasts', async () => {
  const file = newFile()
  const lock = acquireLock(file)
  await expect(waitForLock(file, 0)).rejects.toThrow(`held by process ${process.pid}`)
  const waiting = waitForLock(file, 60_000)
  lock.release()
  const next = await waiting
  expect(() => acquireLock(file)).toThrow(expect.objectContaining({ code: 'LOCKED' }))
  next.release()
})

describe('a holder that is gone', () => {
  test('was killed while it held the lock', async () => {
    const file = newFile()
    await inProcess(`acquireLock(${JSON.stringify(file)}); process.kill(process.pid, 'SIGKILL')`)
    expect(names(file)).toContain('host.lock')
    const lock = acquireLock(file)
    expect(holderOf(file)).toMatchObject({ pid: process.pid })
    lock.release()
    expect(names(file)).toEqual([])
  })

  test('its pid was given to another process', () => {
    const file = newFile()
    writeFileSync(file, JSON.stringify({ pid: process.pid, start: '1', id: 'dead' }))
    acquireLock(file).release()
  })

  test.each(['', '{"pid":', '[]', '{"pid":1,"id":"../../etc"}'])('left %j after a power cut', text => {
    const file = newFile()
    writeFileSync(file, text)
    acquireLock(file).release()
  })

  test('a living holder whose system tells no start time is believed', () => {
    const file = newFile()
    const text = JSON.stringify({ pid: process.pid, id: 'alive' })
    writeFileSync(file, text)
    expect(() => acquireLock(file)).toThrow(expect.objectContaining({ code: 'LOCKED' }))
    expect(readFileSync(file, 'utf8')).toBe(text)
  })
})

describe.each([
  ['a folder', (file: string) => void mkdirSync(file)],
  ['a pipe', (file: string) => void execFileSync('/usr/bin/mkfifo', [file])],
  ['a link to nothing', (file: string) => symlinkSync('/nowhere', file)],
  ['a link to a device', (file: string) => symlinkSync('/dev/zero', file)],
  ['a link to a folder', (file: string) => symlinkSync('.', file)],
])('%s in its place', (_, put) => {
  test('is said, and left alone', async () => {
    const file = newFile()
    put(file)
    const said = expect.objectContaining({ code: 'BAD_PLACE', message: expect.stringContaining(file) })
    expect(() => acquireLock(file)).toThrow(said)
    await expect(waitForLock(file, 60_000)).rejects.toThrow(said)
    expect(names(file)).toEqual(['host.lock'])
  })

  test('is said where a dead one’s lock is to be cleared', () => {
    const file = newFile()
    writeFileSync(file, JSON.stringify({ pid: process.pid, start: '1', id: 'dead' }))
    put(`${file}.dead`)
    expect(() => acquireLock(file)).toThrow(expect.objectContaining({ code: 'BAD_PLACE' }))
  })
})

test('where none can be written, that is said, and not waited for', async () => {
  const file = path.join(temporaryFolder(), 'none', 'host.lock')
  const said = expect.objectContaining({ code: 'REFUSED_FILE', message: expect.stringContaining(file) })
  await expect(waitForLock(file, 60_000)).rejects.toThrow(said)
})

test('many processes at a dead lock and at each other: never two at once', async () => {
  const file = newFile()
  const inside = `${file}.inside`
  const rounds = 40
  // Each holder leaves the lock to a dead process every third time.
  const body = `
let times = 0
for (let i = 0; i < ${rounds}; i++) {
  const lock = await waitForLock(${JSON.stringify(file)}, 60000)
  fs.writeFileSync(${JSON.stringify(inside)}, '', { flag: 'wx' })
  times++
  fs.unlinkSync(${JSON.stringify(inside)})
  if (i % 3 === 0) fs.writeFileSync(${JSON.stringify(file)}, JSON.stringify({ pid: process.pid, start: '1', id: 'd' + process.pid + '-' + i }))
  else lock.release()
}
console.log(times)`
  const times = await Promise.all(Array.from({ length: 4 }, () => inProcess(body)))
  expect(times).toEqual(Array.from({ length: 4 }, () => String(rounds)))
})
