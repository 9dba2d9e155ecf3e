import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isKernel, readStat } from '../../src/os/proc/stat.ts'
import { lullHere } from '../support/lull-here.ts'
import { ownPlaces, startLull } from '../support/running.ts'
import { until } from '../support/until.ts'

type Row = { readonly type: string; readonly pid: number; readonly label: string; readonly severity?: string }

const program = (command: string) => {
  const child = spawn('bash', ['-c', command], { stdio: ['pipe', 'ignore', 'ignore'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

test('a process that nothing can wake is stuck, with its severity and label', async () => {
  const env = ownPlaces()
  // Both ends of the pipe that it reads are its own.
  const { pid } = program(`exec perl -e 'pipe(R, W); sysread(R, $got, 1)'`)
  const words = ['wait', `pid:${pid}`, '--for', 'stuck,exited', '--dwell', '1s', '--json', '--timeout', '30s']
  const said = await lullHere(words, env)
  expect(said.code).toBe(0)
  const row = JSON.parse(said.stdout)
  expect(row).toMatchObject({ pid, health: { level: expect.stringMatching(/stuck/) } })
  expect(row.severity).toMatch(/^(warning|critical)$/)
  expect(row.label).toContain('stuck')
})

test('a process that ends; and one that ends where its being stuck was waited for', async () => {
  const env = ownPlaces()
  for (const [goals, code] of [
    [['--for', 'exited'], 0],
    [[], 0],
    [['--for', 'stuck'], 5],
  ] as const) {
    const child = program('read line')
    const waiting = startLull(['wait', `pid:${child.pid}`, ...goals, '--dwell', '1h', '--json'], env)
    await waiting.says(/waiting until pid:\d+ is (exited|stuck); now it is healthy/)
    child.stdin.end('\n')
    expect(await waiting.ended).toMatchObject({ code })
  }
})

test('a process that does not come to it in time is told with what it does', async () => {
  const env = ownPlaces()
  const child = program('read line')
  const words = ['wait', `pid:${child.pid}`, '--for', 'exited', '--dwell', '1h', '--timeout', '1s', '--json']
  // Beside load the time may be over before it was looked at.
  const waited = await until(
    () => lullHere(words, env),
    ({ stdout }) => stdout !== '',
  )
  expect(waited).toMatchObject({ code: 124, stderr: expect.stringContaining('not exited within 1.0 s') })
  expect(JSON.parse(waited.stdout)).toMatchObject({ pid: child.pid, severity: expect.any(String) })
  child.stdin.end('\n')
})

/** The rows that `lull watch` prints of a process that sleeps, up to the first one that is wanted; it is called off then. */
async function watched(
  env: Readonly<Record<string, string>>,
  flags: readonly string[],
  isLast: (rows: readonly Row[]) => boolean,
) {
  const child = program('exec sleep 600')
  const watch = startLull(['watch', `pid:${child.pid}`, '--json', ...flags], env)
  const rows = () =>
    watch
      .stdout()
      .split('\n')
      .slice(0, -1)
      .map(row => JSON.parse(row) as Row)
  await until(rows, isLast)
  child.kill()
  expect(await watch.ended).toMatchObject({ code: 0 })
  return rows()
}

const isSilent = ({ label }: Row): boolean => label.startsWith('healthy, and silent for')

test('silence alone is never stuck: a timer is healthy, and silent', async () => {
  const env = ownPlaces()
  const rows = await watched(env, ['--silence', '2s'], all => all.some(isSilent))
  expect(rows.at(-1)).toMatchObject({ type: 'exited', pid: expect.any(Number) })
  expect(rows.find(isSilent)).toMatchObject({ severity: 'notice' })
  expect(rows.some(({ label }) => /stuck/.test(label))).toBe(false)
})

test('limits of one’s own: by flags, in a file, a flag before the file; and what is so is told again', async () => {
  const env = ownPlaces()
  const folder = path.join(String(env.HOME), '.config/lull')
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, 'process.yaml')
  writeFileSync(file, 'silence: 1h # of all processes\nevery: 1\n')
  const byFile = await watched(env, [], rows => rows.filter(({ label }) => label === 'healthy').length > 2)
  expect(byFile.some(isSilent)).toBe(false)
  const byFlags = await watched(env, ['--silence', '1s', '--every', '1h'], rows => rows.some(isSilent))
  expect(byFlags.filter(({ label }) => label === 'healthy').length).toBeLessThan(2)
  writeFileSync(file, 'silence: 5m\ncpus: 3\n')
  const wrong = await lullHere(['watch', `pid:${process.pid}`], env)
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringMatching(/process\.yaml:2:\d+: cpus is no field that lull knows: did you mean cpu\?/),
  ])
})

const kernelThread = readdirSync('/proc')
  .filter(name => /^\d+$/.test(name))
  .find(name => {
    const stat = readStat(Number(name))
    return stat !== undefined && isKernel(stat)
  })

test.each([
  [['wait', 'pid:999999999', '--for', 'exited'], 5, /no process 999999999 runs/],
  [['watch', 'pid:999999999'], 5, /no process 999999999 runs/],
  [['watch', 'web', '--json'], 2, /no session "web"/],
  [['watch', '--dwell', '1s'], 2, /need one process: pid:N/],
  [['wait', 'web', '--dwell', '1s'], 2, /need one process: pid:N/],
  [['wait', 'pid:1', '--for', 'idle', '--dwell', '1s'], 2, /stuck, exited or both/],
  [['watch', `pid:${process.pid}`, '--preset', 'x'], 2, /--preset x: must be one of conservative, balanced/],
  [['watch', `pid:${process.pid}`, '--cpu', '101'], 2, /--cpu 101: must be percent of a processor/],
  [['watch', `pid:${process.pid}`, '--escalate', 'soon'], 2, /--escalate soon: must be a duration/],
  [['watch', `pid:${process.pid}`, '--limits', '/nowhere.yaml'], 2, /\/nowhere.yaml: no such file/],
] as const)('%j is a sentence', async (words, code, sentence) => {
  const env = ownPlaces()
  const said = await lullHere(words, env)
  expect([said.code, said.stderr]).toEqual([code, expect.stringMatching(sentence)])
})

test.skipIf(kernelThread === undefined)('a thread of the kernel is a sentence', async () => {
  const env = ownPlaces()
  const said = await lullHere(['watch', `pid:${kernelThread}`], env)
  expect([said.code, said.stderr]).toEqual([2, expect.stringMatching(/kernel|another user/)])
})
