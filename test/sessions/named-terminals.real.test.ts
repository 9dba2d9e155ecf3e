/** Terminals that somebody named, in `lull ps` and wherever a session is meant; a pane that was not named, once. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { attempt } from '../../src/os/attempt.ts'
import { readStat } from '../../src/os/proc/stat.ts'
import { isTerminalName } from '../../src/owned/terminal-name.ts'
import { localSessions } from '../../src/sessions/local-sessions.ts'
import type { LiveSession } from '../../src/sessions/session-source.ts'
import { nameTerminal, readNamed } from '../../src/sessions/terminals/named-terminals.ts'
import { realClock } from '../../src/track/clock.ts'
import { temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { has } from '../support/tmux-pane.ts'
import { until } from '../support/until.ts'

const canRun = has('tmux') && existsSync('/proc/self/syscall')
if (!canRun) console.warn('skipped: terminals need tmux, and a /proc that tells of system calls')

const state = temporaryFolder()
const socket = path.join(temporaryFolder(), 'tmux')
const env = {
  XDG_STATE_HOME: state,
  XDG_RUNTIME_DIR: temporaryFolder(),
  LULL_RUNTIME_DIR: temporaryFolder(),
  TMUX: '',
}
const tmux = (...args: readonly string[]): string =>
  execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' })
afterAll(() => {
  if (canRun) tmux('kill-server')
})

const run = (...args: readonly string[]) => lullHere(args, env)
const rows = async (...args: readonly string[]): Promise<Record<string, unknown>[]> =>
  JSON.parse((await run('ps', '--json', ...args)).stdout).sessions.filter(
    // Other tests' agents run on this machine, too.
    ({ agent }: { agent: string }) => agent === 'terminal',
  )

describe.runIf(canRun)('a terminal', () => {
  test('is shown once by its address, and followed under a name', async () => {
    tmux(
      'new-session',
      '-d',
      '-s',
      'work',
      '-x',
      '100',
      '-y',
      '30',
      'env',
      'PS1=ready: ',
      'bash',
      '--norc',
      '--noprofile',
    )
    const [row] = await until(
      () => rows('tmux:work', '--socket', socket),
      ([one]) => one?.state === 'idle',
    )
    expect(row).toMatchObject({ agent: 'terminal', pane: '%0', tmux: socket })
    expect(row).toMatchObject({ why: expect.stringMatching(/^Idle: bash /) })
    expect(row).not.toHaveProperty('held')
    expect(await rows()).toEqual([])

    expect(await run('name', 'tmux:work', 'build', '--socket', socket)).toMatchObject({
      code: 0,
      stdout: 'work:0.0 (%0) is build\n',
    })
    expect(await rows()).toMatchObject([{ name: 'build', state: 'idle', needsMe: false }])
    expect((await run('ps')).stdout).toContain('terminal build')

    tmux('send-keys', '-t', 'work', 'read -p "Continue? [y/N] " x', 'Enter')
    await until(
      () => rows('build'),
      ([one]) => one?.for === 'confirmation',
    )
    expect((await run('ps', '--needs-me')).stdout).toContain('waiting/confirmation')
    expect((await run('wait', 'build')).code).toBe(3)
    tmux('send-keys', '-t', 'work', 'Enter')
    // Until the shell has read it, the question stands.
    await until(
      () => rows('build'),
      ([one]) => one?.for !== 'confirmation',
    )
    expect(await run('wait', 'build')).toMatchObject({ code: 0 })

    expect((await run('name', '--forget', 'build')).code).toBe(0)
    expect(await rows()).toEqual([])
    expect(await run('name', '--forget', 'build')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('build'),
    })
  })

  test.each([['claude'], ['tmux:x'], ['-x'], ['1st'], ['a b']])('is not named %j', async name => {
    const { code, stderr } = await run('name', 'tmux:work', '--socket', socket, '--', name)
    expect({ code, stderr: stderr.split('\n').length }).toEqual({ code: 2, stderr: 2 })
  })

  test('whose file can’t be read is not named: the names that stand there are not written over', async () => {
    const own = temporaryFolder()
    const file = path.join(own, 'lull', 'terminals.json')
    mkdirSync(path.dirname(file), { mode: 0o700 })
    const name = (...words: readonly string[]) =>
      lullHere(['name', ...words], { ...env, XDG_STATE_HOME: own })
    const nothingThere = path.join(own, 'elsewhere')
    for (const [damage, said] of [
      [() => writeFileSync(file, '{"web": {'), 'it is no JSON object'],
      [() => mkdirSync(file), 'is a folder, not a file'],
      [() => symlinkSync(nothingThere, file), 'no such file'],
    ] as const) {
      damage()
      const before = attempt(() => readFileSync(file, 'utf8'))
      for (const words of [
        ['tmux:work', 'build', '--socket', socket],
        ['--forget', 'web'],
      ])
        expect(await name(...words)).toMatchObject({
          code: 1,
          stdout: '',
          stderr: expect.stringMatching(
            new RegExp(
              `terminals\\.json.*${said}.*; the names of terminals are in it: mend it, or move it away`,
            ),
          ),
        })
      expect(attempt(() => readFileSync(file, 'utf8'))).toBe(before)
      rmSync(file, { recursive: true })
    }
    writeFileSync(file, '')
    expect((await name('tmux:work', 'build', '--socket', socket)).code).toBe(0)
    expect(readNamed(path.dirname(file)).map(({ name }) => name)).toEqual(['build'])
  })

  test('has its name as soon as that is given, whoever had it before, though a host looks each second alone', async () => {
    for (const name of ['one', 'two']) tmux('new-session', '-d', '-s', name, 'bash', '--norc', '--noprofile')
    const shown = (name: string) => tmux('capture-pane', '-p', '-t', name)
    try {
      expect((await run('host', 'start')).code).toBe(0)
      for (const name of ['one', 'two', 'one', 'two']) {
        expect((await run('name', `tmux:${name}`, 'mine', '--socket', socket)).code).toBe(0)
        expect((await run('send', 'mine', `: for ${name}`)).code).toBe(0)
        await until(
          () => shown(name),
          screen => screen.includes(`: for ${name}`),
        )
      }
      expect(shown('one')).not.toContain('for two')
      expect(shown('two')).not.toContain('for one')
    } finally {
      await run('host', 'stop')
      for (const name of ['one', 'two']) tmux('kill-session', '-t', name)
    }
  })

  test('is followed as it changes, until it is gone', async () => {
    tmux('new-session', '-d', '-s', 'live', 'bash', '--norc', '--noprofile')
    const [pid, tty, pane] = tmux('display-message', '-p', '-t', 'live', '#{pane_pid} #{pane_tty} #{pane_id}')
      .trim()
      .split(' ') as [string, string, string]
    const folder = temporaryFolder()
    const start = readStat(Number(pid))?.startTicks ?? ''
    const clock = realClock()
    const live = localSessions(clock, { stateFolder: folder, followsTerminals: true })
    const heard: LiveSession[] = []
    const gone: string[] = []
    const changes = await live.changes()
    const listening = (async () => {
      for await (const change of changes) {
        if (change.type === 'changed' && change.session.agent === 'terminal') heard.push(change.session)
        if (change.type === 'gone') gone.push(change.id)
      }
    })()
    const says = (kind: string) =>
      until(
        () => heard.at(-1)?.session.verdict.state.kind,
        last => last === kind,
        kind,
      )
    try {
      await nameTerminal(folder, { name: 'a', socket, pane, tty, pid: Number(pid), start })
      await says('idle')
      tmux('send-keys', '-t', 'live', 'sleep 60', 'Enter')
      await says('working')
      // Before it is there, the key that ends it reaches the shell.
      await until(
        () => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' '),
        children => children.some(child => readStat(Number(child))?.name === 'sleep'),
        'sleep',
      )
      tmux('send-keys', '-t', 'live', 'C-c')
      await says('idle')
      await nameTerminal(folder, { name: 'b', socket, pane, tty, pid: Number(pid), start })
      await until(
        async () => (await live.list()).flatMap(({ name }) => name ?? []),
        names => names.join() === 'b',
      )
      const before = gone.length
      tmux('kill-session', '-t', 'live')
      await until(
        () => gone.length,
        count => count > before,
      )
      expect(readNamed(folder)).toEqual([])
    } finally {
      await live.close()
      await listening
    }
  })
})

test('names are words that mean nothing else', () => {
  expect(['build', 'api-2', '_x', 'v1.2'].every(isTerminalName)).toBe(true)
  expect(['', '%3', 'pid:1', './api', '1', 'a/b', 'x'.repeat(65)].some(isTerminalName)).toBe(false)
})
