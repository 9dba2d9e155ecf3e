/** `lull open`, `close` and what works on a pane, on terminals of lull's own: real shells, in processes of their own. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { attempt } from '../../src/os/attempt.ts'
import { readStat } from '../../src/os/proc/stat.ts'
import { lull, temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { type OwnTerminals, ownTerminals } from '../support/own-terminals.ts'
import { startLull } from '../support/running.ts'
import { until } from '../support/until.ts'

/** Of those that are called so: other tests run agents meanwhile, which any lull finds. */
const rowsOf = async (own: OwnTerminals, name: string) => {
  const { sessions } = JSON.parse((await own.lull('ps', '--json')).stdout)
  return (sessions as Record<string, unknown>[]).filter(({ terminal }) => terminal === name)
}

const shell = ['--', 'bash', '--norc', '--noprofile'] as const

/** The tests that end its server are the last ones. */
const own = ownTerminals(afterAll)

test('a terminal outlives the command that opened it, and everything that works on a pane works on it by its name', async () => {
  const folder = temporaryFolder()
  const opened = await lull(['open', 'build', '--cwd', folder, '--json', ...shell], [], own.env)
  expect(opened).toMatchObject({ code: 0, stderr: '' })
  const { pid, tty } = JSON.parse(opened.stdout)
  await until(
    () => readStat(pid)?.name,
    name => name === 'bash',
  )
  expect(tty).toMatch(/^\/dev\/pts\/\d+$/)
  const sent = await own.lull('send', 'build', 'pwd; seq 3', '--wait', '--json')
  expect(sent.code).toBe(0)
  expect(JSON.parse(sent.stdout)).toMatchObject({ state: 'ready' })
  expect((await own.lull('read', 'build')).stdout).toContain(`${folder}\n1\n2\n3\n`)
  expect(await rowsOf(own, 'build')).toMatchObject([
    { agent: 'terminal', name: 'build', terminal: 'build', state: 'idle' },
  ])
  expect(await own.lull('keys', 'build', 'Up')).toMatchObject({ code: 0 })
  // A key is read before its line is drawn.
  await until(
    async () => (await own.lull('read', 'build')).stdout,
    shown => /[$#] pwd; seq 3\n$/.test(shown),
  )
  expect(await own.lull('close', 'build')).toMatchObject({ code: 0, stdout: 'build is closed\n' })
  expect(readStat(pid)).toBeUndefined()
  expect(await rowsOf(own, 'build')).toEqual([])
})

test('a key is pressed only where the rows that were looked at stand on it at that moment', async () => {
  await own.lull(
    'open',
    'asks',
    '--',
    'sh',
    '-c',
    'printf "Run it? (y/n)\\n1. Yes\\n"; read -r line; echo "got $line"',
  )
  const { pid } = await own.requests.describe('asks')
  await until(
    () => own.requests.lines('asks', 'screen', false),
    lines => lines.includes('1. Yes'),
  )
  const press = (...shown: readonly string[]) => own.requests.press('asks', pid, 'y', shown)
  expect(await press('Run it? (y/n)', '2. No')).toEqual({ isTyped: false })
  expect(await press('Run it? (y/n)', '1. Ye')).toEqual({ isTyped: false })
  expect(await press('Run it? (y/n)', '1. Yes')).toEqual({ isTyped: true })
  await own.requests.press('asks', pid, 'Enter', [])
  await until(
    () => own.requests.lines('asks', 'screen', false),
    lines => lines.includes('got y'),
  )
})

test('a question, a password, a pager and a REPL are told apart as on a pane, and no text goes into a password', async () => {
  await own.lull('open', 'prompts', ...shell)
  const question = await own.lull('send', 'prompts', 'read -p "Continue? [y/N] " x', '--wait', '--json')
  expect(JSON.parse(question.stdout)).toMatchObject({ state: 'question' })
  await own.lull('send', 'prompts', 'y', '--wait')
  const password = await own.lull('send', 'prompts', 'read -s -p "Password: " x', '--wait', '--json')
  expect(JSON.parse(password.stdout)).toMatchObject({ state: 'password' })
  expect(await own.lull('send', 'prompts', 'secret')).toMatchObject({ code: 3 })
  await own.lull('keys', 'prompts', 'C-c')
  const pager = await own.lull('send', 'prompts', 'seq 500 | less', '--wait', '--json')
  expect(JSON.parse(pager.stdout)).toMatchObject({ kind: 'waiting', for: 'pager' })
  await own.lull('keys', 'prompts', 'q')
  await own.lull('wait', 'prompts', '--ready')
  const repl = await own.lull('send', 'prompts', 'python3 -q', '--wait', '--json')
  expect(JSON.parse(repl.stdout)).toMatchObject({ state: 'ready', kind: 'idle' })
})

test('a name that is taken, a name that is none, a command and a folder that are not there: a sentence and a code each', async () => {
  await own.lull('open', 'taken', ...shell)
  expect(await own.lull('open', 'taken')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^lull: a terminal called taken is open already \(pid \d+\): lull close taken ends it\n$/,
    ),
  })
  expect(await own.lull('open', 'a/b')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"a/b" cannot name a terminal'),
  })
  expect(await own.lull('open', 'claude')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('avoid names of agents'),
  })
  expect(await own.lull('open', 'x', '--', 'no-such-command')).toMatchObject({
    code: 127,
    stderr: 'lull: no-such-command: no such command: check its spelling, or PATH\n',
  })
  expect(await own.lull('open', 'x', '--cwd', '/no/such')).toMatchObject({ code: 2 })
  expect(await own.lull('open', 'x', '--size', '0x9')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('like 120x40'),
  })
  expect(await own.lull('open', 'x', '--env', 'A')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('NAME=value'),
  })
  expect(await own.lull('close', 'nothing')).toMatchObject({
    code: 2,
    stderr: 'lull: no terminal of lull’s own is called "nothing": lull ps lists them\n',
  })
  expect(await own.lull('attach', 'taken')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('there is none here'),
  })
  expect(await own.lull('attach', 'nothing')).toMatchObject({
    code: 2,
    stderr: 'lull: no terminal of lull’s own is called "nothing": lull open nothing opens one\n',
  })
})

test('what it was given is what its program sees: size, variables, folder; nothing of the terminal around lull', async () => {
  const env = { ...own.env, TMUX: '/tmp/x,1,0', TMUX_PANE: '%9' }
  await lullHere(['open', 'see', '--size', '77x11', '--env', 'A=b c', ...shell], env)
  const asked = 'stty size; echo "[$A] [$TMUX] [$TERM] [$LULL_TERMINAL]"'
  await own.lull('send', 'see', asked, '--wait')
  expect((await own.lull('read', 'see')).stdout).toContain('11 77\n[b c] [] [xterm-256color] [see]\n')
  // One that does not stand where the terminal server does.
  const { stdout } = await own.lull('open', 'there', '--cwd', 'test', '--json', ...shell)
  expect(JSON.parse(stdout)).toMatchObject({ cwd: path.resolve('test') })
})

test('what ignores the hangup runs on, and is named; with --force it is killed', async () => {
  await own.lull('open', 'stays', '--', 'bash', '-c', 'trap "" HUP; echo up; while :; do read -t 1 x; done')
  await until(
    () => own.requests.lines('stays', 10, false),
    lines => lines.includes('up'),
    'its first line',
  )
  const { pid } = await own.requests.describe('stays')
  expect(await own.lull('close', 'stays')).toMatchObject({
    code: 1,
    stderr: `lull: stays was hung up, and process ${pid} ignores it: lull close stays --force kills it\n`,
  })
  expect(readStat(pid)).toBeDefined()
  expect(await own.lull('close', 'stays', '--force')).toMatchObject({ code: 0 })
  expect(readStat(pid)).toBeUndefined()
})

test('a program that has ended: its last screen is read, its end is told, its name is free again', async () => {
  await own.lull('open', 'short', '--', 'bash', '-c', 'echo done; exit 3')
  await until(
    () => own.requests.describe('short'),
    ({ end }) => end !== undefined,
    'the end of the program',
  )
  expect((await own.lull('read', 'short')).stdout).toContain('done')
  expect(await own.lull('explain', 'short')).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('the terminal short has ended: its program exited with 3 '),
  })
  expect(await own.lull('wait', 'short', '--ready', '--json')).toMatchObject({ code: 5 })
  // As a wait that began before the end, whenever it begins.
  expect(await own.lull('wait', 'short')).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('the terminal short has ended: its program exited with 3 '),
  })
  expect(await own.lull('open', 'short', ...shell)).toMatchObject({ code: 0 })
})

test('the name of one that was closed does not fall to whatever else is called so, until it is opened anew', async () => {
  // No other test's agent is called so.
  const api = `api${process.pid}`
  const folder = path.join(temporaryFolder(), api)
  mkdirSync(folder)
  const other = await own.lull(
    'open',
    'other',
    '--cwd',
    folder,
    '--',
    'bash',
    '-c',
    'exec -a claude sleep 300',
  )
  expect(other).toMatchObject({ code: 0 })
  expect(await own.lull('open', api, ...shell)).toMatchObject({ code: 0 })
  expect(await own.lull('close', api)).toMatchObject({ code: 0 })
  for (const words of [
    ['send', api, 'rm -rf build'],
    ['read', api],
    ['ps', api],
    ['wait', api],
    ['explain', api],
  ])
    expect(await own.lull(...words)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /the terminal api\d+ was closed.*: use the id of another session.* lull name --forget api\d+/,
      ),
    })
  expect(await own.lull('name', '--forget', api)).toMatchObject({
    code: 0,
    stdout: `forgot the name ${api}\n`,
  })
  expect((await own.lull('ps', api)).stdout).toMatch(/claude .*other/)
  expect(await own.lull('name', '--forget', api)).toMatchObject({
    code: 2,
    stderr: `lull: no terminal is named "${api}"\n`,
  })
  expect(await own.lull('open', api, ...shell)).toMatchObject({ code: 0 })
  expect(await own.lull('send', api, 'echo again', '--wait')).toMatchObject({ code: 0 })
})

test('a wait that a program’s end ends says so, and not what the program did before', async () => {
  const go = path.join(temporaryFolder(), 'go')
  await own.lull('open', 'brief', '--', 'sh', '-c', `until [ -e ${go} ]; do sleep 0.05; done`)
  const waits = [['--for', 'exited'], []].map(words => startLull(['wait', 'brief', ...words], own.env))
  await Promise.all(waits.map(wait => wait.says('waiting since')))
  writeFileSync(go, '')
  const [ends, wait] = await Promise.all(waits.map(({ ended }) => ended))
  // A look may still find the process that has ended, or nothing any more.
  const stdout = expect.stringMatching(/not there any more; last seen: |: Gone for /)
  expect(ends).toMatchObject({ code: 0, stdout })
  expect(wait).toMatchObject({ code: 5, stdout })
})

test('a server that is stopped: nothing hangs, and the sentence says how it goes on', async () => {
  await own.lull('open', 'held', ...shell)
  const server = (await own.serverPid()) as number
  process.kill(server, 'SIGSTOP')
  await until(
    () => readStat(server)?.state,
    state => state === 'T',
  )
  try {
    expect(await own.lull('open', 'other')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('kill -CONT'),
    })
    expect(await own.lull('send', 'held', 'true')).toMatchObject({ code: 1 })
  } finally {
    process.kill(server, 'SIGCONT')
  }
  expect(await own.lull('send', 'held', 'true', '--wait')).toMatchObject({ code: 0 })
})

/** A terminal whose program runs on has not ended while its server is stopped, and the sessions are answered for. */
async function answeredWhileStopped(own: OwnTerminals, via: 'host' | 'own'): Promise<void> {
  await own.lull('open', 'sleeps', '--', 'sleep', '1000')
  const { pid } = await own.requests.describe('sleeps')
  await until(
    () => rowsOf(own, 'sleeps'),
    rows => rows[0]?.state === 'working',
  )
  const server = (await own.serverPid()) as number
  const waiting = startLull(['wait', 'sleeps', '--for', 'exited'], own.env)
  await waiting.says('waiting since')
  process.kill(server, 'SIGSTOP')
  try {
    // Longer than several looks, each of which would be over within a second.
    for (const from = performance.now(); performance.now() < from + 5000; await pause(500)) {
      const { stdout, stderr } = await own.lull('ps', 'sleeps', '--json')
      expect(stderr).toBe('')
      expect(JSON.parse(stdout)).toMatchObject({
        via,
        sessions: [{ terminal: 'sleeps', state: 'working', pid }],
      })
    }
    expect(waiting.isRunning()).toBe(true)
  } finally {
    process.kill(server, 'SIGCONT')
  }
  await own.lull('close', 'sleeps', '--force')
  expect(await waiting.ended).toMatchObject({ code: 0 })
}

test('while its server is stopped, a terminal whose program runs on has not ended', () =>
  answeredWhileStopped(own, 'own'))

describe('with a host', () => {
  const own = ownTerminals(afterAll)
  beforeAll(() => own.lull('host', 'start'))
  afterAll(() => own.lull('host', 'stop'))

  test('a terminal is there for the command right after the one that opened it', async () => {
    for (const name of ['one', 'two', 'three']) {
      expect(await own.lull('open', name, ...shell)).toMatchObject({ code: 0 })
      expect(await own.lull('ps', name)).toMatchObject({ code: 0, stdout: expect.stringContaining(name) })
    }
  })

  test('while its server is stopped, a terminal whose program runs on has not ended', () =>
    answeredWhileStopped(own, 'host'))

  test('that is renewed, the terminals go on, and it says how many', async () => {
    for (const name of ['build', 'other']) await own.lull('open', name, ...shell)
    const { length } = await own.requests.list()
    const { stderr, code } = await own.lull('host', 'restart')
    expect(code).toBe(0)
    expect(stderr).toMatch(
      /^lull: \d+ terminals of lull's own go on: another process \(pid \d+\) holds them\n$/,
    )
    expect(stderr).toContain(` ${length} terminals `)
    expect(await own.lull('send', 'build', 'true', '--wait')).toMatchObject({ code: 0 })
  })
})

test('its socket and its note are this user’s alone', async () => {
  await own.lull('open', 'noted', ...shell)
  expect(existsSync(own.places.terminals)).toBe(true)
  expect(JSON.parse(readFileSync(`${own.places.runtime}/terminals.json`, 'utf8'))).toHaveProperty('noted')
})

test('the server was killed: the command says so, and that its program ended with it; a new one opens', async () => {
  await own.lull('open', 'build', ...shell)
  const { pid } = await own.requests.describe('build')
  process.kill((await own.serverPid()) as number, 'SIGKILL')
  await until(
    () => readStat(pid),
    stat => stat === undefined || stat.state === 'Z',
    'the end of the shell',
  )
  const { code, stderr } = await own.lull('send', 'build', 'true')
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^lull: the terminal build is gone: .* its program ended with it\n$/),
  })
  expect(await rowsOf(own, 'build')).toEqual([])
  expect(await own.lull('open', 'build', ...shell)).toMatchObject({ code: 0 })
})

test('no terminal holds another: where one ignores that the server was killed, the others are hung up all the same', async () => {
  await own.lull('open', 'other', ...shell)
  await own.lull('open', 'deaf', '--', 'sh', '-c', "trap '' HUP; echo deaf; sleep 300; true")
  await until(
    () => own.lull('read', 'deaf'),
    ({ stdout }) => stdout.includes('deaf'),
  )
  const [other, deaf] = [await own.requests.describe('other'), await own.requests.describe('deaf')]
  onTestFinished(() => void attempt(() => process.kill(-deaf.pid, 'SIGKILL')))
  process.kill((await own.serverPid()) as number, 'SIGKILL')
  await until(
    () => readStat(other.pid),
    stat => stat === undefined || stat.state === 'Z',
    'the end of the shell',
  )
  // It lives, whatever it waits for.
  expect(readStat(deaf.pid)?.state).toMatch(/[RSD]/)
  expect(await own.lull('close', 'deaf')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/still runs, without a terminal: lull close deaf --force ends it\n$/),
  })
  expect(await own.lull('close', 'deaf', '--force')).toMatchObject({ code: 0 })
  await until(
    () => readStat(deaf.pid),
    stat => stat === undefined || stat.state === 'Z',
    'the end of what was left',
  )
})
