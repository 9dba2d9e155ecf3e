/** What a host keeps of an agent: told after the agent is gone, and the host too. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../support/lull.ts'
import { ownTerminals } from '../support/own-terminals.ts'
import { startLull } from '../support/running.ts'
import { until } from '../support/until.ts'

const program = path.resolve(import.meta.dirname, '../support/scripted-agent.ts')

/** For tests that a host runs beside. */
const own = ownTerminals(afterAll)
const { lull } = own
afterAll(() => lull('host', 'stop'))

type Away = { readonly cwd?: string; readonly outcome: string; readonly finished: number }

type Row = { readonly agent: string; readonly state: string; readonly name?: string; readonly lost?: string }

test('a terminal that a person closes has ended; one that ends by itself has its code', async () => {
  expect(await lull('host', 'start')).toMatchObject({ code: 0 })
  const last = async (name: string): Promise<Row & { readonly code?: number }> =>
    JSON.parse((await lull('history', name, '--json')).stdout.trim().split('\n').at(-1) ?? '{}')
  for (const [name, end] of [
    ['closed', () => lull('close', 'closed')],
    ['fails', () => lull('send', 'fails', 'exit 3')],
  ] as const) {
    expect(await lull('open', name, '--', 'bash', '--norc')).toMatchObject({ code: 0 })
    await until(
      () => last(name).catch(() => ({ state: '' })),
      ({ state }) => state === 'idle',
    )
    expect(await end()).toMatchObject({ code: 0 })
    const row = await until(
      () => last(name),
      ({ state }) => state === 'exited',
    )
    expect(row).not.toHaveProperty('lost')
    expect(row.code).toBe(name === 'fails' ? 3 : undefined)
  }
  const { stdout } = await lull('history')
  expect(stdout).toMatch(/ ended .*terminal closed/)
  expect(stdout).toMatch(/ died \(code 3\) .*terminal fails/)
})

test('a night: a turn, an end while no host runs, and what lull history and lull since tell of it', async () => {
  const folder = temporaryFolder()
  const [notes, over] = [path.join(folder, 'notes'), path.join(folder, 'over')]
  writeFileSync(notes, '')
  expect(await lull('host', 'start')).toMatchObject({ code: 0 })
  const start = `cd ${folder} && exec -a claude ${process.execPath} ${program} ${notes} ${own.env.HOME} ${over}`
  expect(await lull('open', 'web', '--', 'bash', '-c', start)).toMatchObject({ code: 0 })
  const rows = async (...words: readonly string[]) =>
    (await lull('history', folder, '--json', ...words)).stdout
      .split('\n')
      .filter(row => row !== '')
      .map(row => JSON.parse(row) as Row)
  // Before bash becomes the agent, the terminal is one of any program: it may be seen at work.
  const states = async () =>
    (await rows()).filter(({ agent }) => agent === 'claude').map(({ state }) => state)
  await until(states, all => all.at(-1) === 'idle')
  expect(await lull('send', 'web', 'do it')).toMatchObject({ code: 0 })
  // The turn has to be seen before it is over.
  await until(states, all => all.at(-1) === 'working')
  writeFileSync(over, '')
  await until(states, all => all.length >= 3)
  expect(await states()).toEqual(['idle', 'working', 'idle'])
  expect(readFileSync(notes, 'utf8')).toBe('do it\n')
  const away = (await lull('since', '1h', '--json')).stdout
    .trim()
    .split('\n')
    .map(row => JSON.parse(row) as Away)
  // Beside its own, a host finds the agents of all tests that run meanwhile.
  expect(away.filter(({ cwd }) => cwd === folder)).toMatchObject([{ outcome: 'finished', finished: 1 }])
  const { stdout, stderr } = await lull('since', '1h')
  expect(stdout).toMatch(/; no history before \d\d:\d\d\n/)
  expect(stderr).toBe('')
  expect(stdout).toMatch(/^since .*\d+ finished.*\n(.*\n)*.*\bweb\b.* 1 done/)

  await lull('host', 'stop')
  await lull('close', 'web')
  await lull('host', 'start')
  await until(states, all => all.at(-1) === 'exited')
  expect((await rows()).at(-1)?.lost).toContain('no host')
  expect(await states()).toEqual(['idle', 'working', 'idle', 'exited'])
  expect((await lull('history', 'web')).stdout).toMatch(/gone .*claude web/)
  expect(await rows('--since', '2h', '--until', '1h')).toEqual([])
  expect(await lull('history', 'nobody')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('nobody'),
  })
})

test('where no host has been, nothing is said to have happened or not', async () => {
  const { lull } = ownTerminals()
  expect(await lull('since')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^since .*: no history; a host stores it\n$/),
    stderr: expect.stringContaining('new states are not stored: no host runs; `lull host start` starts one'),
  })
  expect((await lull('since', '--json')).stdout).toBe('')
})

test('a run is told to its end, with its code and its command', async () => {
  expect(await lull('host', 'start')).toMatchObject({ code: 0 })
  const go = path.join(temporaryFolder(), 'go')
  execFileSync('mkfifo', [go])
  const command = 'read word < $0; exit 4'
  // It ends the process by itself.
  const ran = startLull(['run', '--', 'sh', '-c', command, go], own.env)
  type Run = Row & { readonly code?: number; readonly note?: string }
  const rows = async () =>
    (await lull('history', '--json')).stdout
      .split('\n')
      .filter(row => row.includes(command))
      .map(row => JSON.parse(row) as Run)
  const [first] = await until(rows, all => all.length > 0, 'the run in the history')
  expect(first).toMatchObject({ agent: 'command', state: 'working' })
  writeFileSync(go, 'go\n')
  expect(await ran.ended).toMatchObject({ code: 4 })
  const told = await until(rows, all => all.at(-1)?.state === 'exited', 'its end')
  expect(told.at(-1)).toMatchObject({ code: 4, note: `run sh -c ${command} ${go}` })
  expect((await lull('since', '1h')).stdout).toContain(`run sh -c ${command}`)
  expect((await lull('since', '1h')).stdout).toMatch(/ died \(code 4\) /)
})
