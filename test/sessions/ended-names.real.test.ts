/** The name that a person gave a pane, once that has ended: what else is called so is not meant for a while. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openTerminal } from '../../src/drive/open-terminal.ts'
import { markOf } from '../../src/os/proc/alive.ts'
import {
  endedNamed,
  type NamedTerminal,
  nameTerminal,
  noteEnded,
  readNamed,
} from '../../src/sessions/terminals/named-terminals.ts'
import { terminalProvider } from '../../src/sessions/terminals/terminal-provider.ts'
import { realClock } from '../../src/track/clock.ts'
import { temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { isAlive } from '../support/ralph.ts'
import { bash, hasProgram, tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

const canRun = hasProgram('tmux') && existsSync('/proc/self/syscall')
if (!canRun) console.warn('skipped: terminals need tmux, and a /proc that tells of system calls')

const minute = 60_000

function namesIn(folder: string): Record<string, Partial<NamedTerminal>> {
  return JSON.parse(readFileSync(path.join(folder, 'terminals.json'), 'utf8'))
}

function change(folder: string, name: string, more: Partial<NamedTerminal>): void {
  const names = namesIn(folder)
  writeFileSync(
    path.join(folder, 'terminals.json'),
    JSON.stringify({ ...names, [name]: { ...names[name], ...more } }),
  )
}

describe('the file of names', () => {
  /** A pane whose program is a process of the test's. */
  function pane(pane: string, name: string): { terminal: NamedTerminal; end(): Promise<void> } {
    const child: ChildProcess = spawn('sleep', ['60'], { stdio: 'ignore' })
    onTestFinished(() => void child.kill('SIGKILL'))
    const { pid, start = '' } = markOf(child.pid as number)
    return {
      terminal: { name, socket: '/x', pane, tty: '/dev/pts/0', pid, start },
      async end() {
        child.kill('SIGKILL')
        await once(child, 'exit')
      },
    }
  }

  test('keeps the name of one that has ended, for ten minutes from when that was noticed', async () => {
    const folder = temporaryFolder()
    const { terminal, end } = pane('%1', 'build')
    await nameTerminal(folder, terminal)
    expect(endedNamed(folder, 'build')).toBeUndefined()
    await end()
    const before = Date.now()
    expect(endedNamed(folder, 'build')?.endedAt).toBeGreaterThanOrEqual(before)
    expect(endedNamed(folder, 'valueOf')).toBeUndefined()

    await noteEnded(folder, [terminal])
    expect(namesIn(folder).build).toEqual({
      ...{ socket: '/x', pane: '%1', tty: '/dev/pts/0', pid: terminal.pid, start: terminal.start },
      endedAt: expect.any(Number),
    })
    const noted = endedNamed(folder, 'build')?.endedAt ?? 0
    await noteEnded(folder, [terminal])
    expect(endedNamed(folder, 'build')?.endedAt).toBe(noted)
    change(folder, 'build', { endedAt: Date.now() - 9.9 * minute })
    expect(endedNamed(folder, 'build')).toBeDefined()
    change(folder, 'build', { endedAt: Date.now() - 10.1 * minute })
    expect(endedNamed(folder, 'build')).toBeUndefined()
    expect(readNamed(folder)).toEqual([])
  })

  test('that can’t be read is said: whose a name is nobody knows then', async () => {
    const folder = temporaryFolder()
    const file = path.join(folder, 'terminals.json')
    expect(endedNamed(folder, 'build')).toBeUndefined()
    const { terminal } = pane('%1', 'build')
    await nameTerminal(folder, terminal)
    const whole = readFileSync(file, 'utf8')
    writeFileSync(file, '{')
    expect(() => endedNamed(folder, 'build')).toThrow(
      /terminals\.json can't be read: it is no JSON object; .*mend it/,
    )
    writeFileSync(file, whole.replace(/"pid": \d+/, '"pid": "12"'))
    expect(() => endedNamed(folder, 'build')).toThrow(/can't be read: its entry for build; .*mend it/)
    expect(endedNamed(folder, 'other')).toBeUndefined()
    rmSync(file)
    execFileSync('mkfifo', [file])
    expect(() => endedNamed(folder, 'build')).toThrow(/terminals\.json/)
    rmSync(file)
    writeFileSync(file, whole)
    chmodSync(folder, 0o777)
    expect(() => endedNamed(folder, 'build')).toThrow(folder)
  })

  test('keeps no name for longer where the clock was ahead', async () => {
    const folder = temporaryFolder()
    const { terminal, end } = pane('%1', 'build')
    await nameTerminal(folder, terminal)
    await end()
    change(folder, 'build', { endedAt: Date.now() + 24 * 60 * minute })
    expect(endedNamed(folder, 'build')).toBeUndefined()
  })

  test('notes an end with the next name that is given, also of what ran in that pane, and leaves out what is long over', async () => {
    const folder = temporaryFolder()
    const [first, second, third] = [pane('%1', 'old'), pane('%1', 'new'), pane('%2', 'third')] as const
    await nameTerminal(folder, first.terminal)
    await first.end()
    await nameTerminal(folder, second.terminal)
    expect(Object.keys(namesIn(folder))).toEqual(['old', 'new'])
    expect(namesIn(folder).old?.endedAt).toBeGreaterThan(Date.now() - minute)
    change(folder, 'old', { endedAt: Date.now() - 11 * minute })
    await nameTerminal(folder, third.terminal)
    expect(Object.keys(namesIn(folder))).toEqual(['new', 'third'])
    // One that lives, and has another name by now, was told so by the person.
    await nameTerminal(folder, { ...third.terminal, name: 'other' })
    expect(Object.keys(namesIn(folder))).toEqual(['new', 'other'])
  })

  test('of one that lives the end that another lull has noted is not believed, but that of its pane', async () => {
    const folder = temporaryFolder()
    const { terminal } = pane('%1', 'build')
    await nameTerminal(folder, { ...terminal, endedAt: Date.now() })
    expect(endedNamed(folder, 'build')).toBeUndefined()
    expect(readNamed(folder)).toHaveLength(1)
    await noteEnded(folder, [terminal])
    expect(endedNamed(folder, 'build')).toMatchObject({ isClosed: true })
  })
})

describe.runIf(canRun)('a pane that was named and has ended', () => {
  const server = tmuxServer()

  /** Closes a pane; its shell has ended then, which on a busy machine hears of it later. */
  async function close(pane: string): Promise<void> {
    const pid = Number(server.tmux('display-message', '-p', '-t', pane, '#{pane_pid}'))
    server.tmux('kill-pane', '-t', pane)
    await until(
      () => isAlive(pid),
      alive => !alive,
      'the end of the shell',
    )
  }

  test('is noted by who follows it, though its process outlives the pane', async () => {
    for (const [command, isClosed] of [
      [bash, undefined],
      [['bash', '-c', 'trap "" HUP; echo deaf; while :; do sleep 0.1; done'], true],
    ] as const) {
      const id = server.start(...command)
      await until(
        () => server.screen(id),
        screen => /deaf|\$/.test(screen),
      )
      const [pid, tty = ''] = server
        .tmux('display-message', '-p', '-t', id, '#{pane_pid} #{pane_tty}')
        .trim()
        .split(' ')
      const { start = '' } = markOf(Number(pid))
      onTestFinished(() => {
        if (markOf(Number(pid)).start === start) process.kill(Number(pid), 'SIGKILL')
      })
      const folder = temporaryFolder()
      const { socket } = server
      await nameTerminal(folder, { name: 'a', socket, pane: id, tty, pid: Number(pid), start })
      const provider = terminalProvider(folder, realClock())
      provider.start(() => undefined)
      onTestFinished(() => provider.close())
      await provider.ready?.()
      expect(provider.list()).toHaveLength(1)
      // A shell that is hung up ends a moment after its pane, on a busy machine later: whether it lived when that was noted is open.
      if (isClosed) server.tmux('kill-pane', '-t', id)
      else process.kill(Number(pid), 'SIGKILL')
      const { a } = await until(
        () => namesIn(folder),
        ({ a }) => a?.endedAt !== undefined,
      )
      expect(a?.isClosed).toBe(isClosed)
      await provider.ready?.()
      expect(provider.list()).toEqual([])
    }
  })

  test('while it lives has its name in a program that has no other connection, too', async () => {
    const state = temporaryFolder()
    vi.stubEnv('XDG_STATE_HOME', state)
    onTestFinished(() => void vi.unstubAllEnvs())
    const folder = path.join(temporaryFolder(), 'web')
    mkdirSync(folder)
    const named = server.start(...bash)
    const agent = server
      .tmux(...'new-window -d -P -F #{pane_id} -c'.split(' '), folder, "exec bash -c 'exec -a claude cat'")
      .trim()
    onTestFinished(() => void server.tmux('kill-pane', '-t', agent))
    const name = ['name', `tmux:${named}`, 'web', '--socket', server.socket]
    expect((await lullHere(name, { XDG_STATE_HOME: state, TMUX: '' })).code).toBe(0)
    await using terminal = await openTerminal('web')
    expect(terminal.pane.id).toBe(named)
    await close(named)
    await expect(openTerminal('web')).rejects.toThrow('the terminal web')
  })

  test.each([['a host'], ['no host']])(
    'with %s its name means nothing else, until it is given anew or forgotten',
    { timeout: 150_000 },
    async how => {
      const state = temporaryFolder()
      const env = {
        XDG_STATE_HOME: state,
        XDG_RUNTIME_DIR: temporaryFolder(),
        LULL_RUNTIME_DIR: temporaryFolder(),
        TMUX: '',
      }
      const run = (...words: readonly string[]) => lullHere(words, env)
      // No other test's agent is called so.
      const api = `api${process.pid}`
      const folder = path.join(temporaryFolder(), api)
      mkdirSync(folder)
      const name = (pane: string) => run('name', `tmux:${pane}`, api, '--socket', server.socket)
      const named = server.start(...bash)
      // With what tmux tells its programs: the agent could be typed to.
      const agent = server
        .tmux(...'new-window -d -P -F #{pane_id} -c'.split(' '), folder, "exec bash -c 'exec -a claude cat'")
        .trim()
      onTestFinished(() => void server.tmux('kill-pane', '-t', agent))
      if (how === 'a host') {
        expect((await run('host', 'start')).code).toBe(0)
        onTestFinished(async () => void (await run('host', 'stop')))
      }
      expect((await name(named)).code).toBe(0)
      expect((await run('send', api, 'echo one', '--wait')).stdout).toContain('one')

      await close(named)
      const refused = {
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(
          /^lull: the terminal api\d+ \(%\d+\) has ended: use the id of another session .*--forget api\d+\n$/,
        ),
      }
      for (const words of [
        ['send', api, 'rm -rf build'],
        ['keys', api, 'y'],
        ['answer', api, 'yes'],
        ['read', api],
        ['go', api],
        ['wait', api],
        ['wait', api, '--ready'],
      ])
        expect({ words, ...(await run(...words)) }).toMatchObject({ words, ...refused })
      expect(server.screen(agent)).not.toMatch(/rm|y/)
      expect(await run('wait', api, '--appear', '--timeout', '0.5s')).toMatchObject({ code: 124 })

      const own = path.join(state, 'lull')
      change(own, api, { endedAt: Date.now() - 11 * minute })
      expect(await run('read', api)).toMatchObject({ code: 0, stderr: '' })
      change(own, api, { endedAt: Date.now() })
      expect(await run('read', api)).toMatchObject(refused)

      const anew = server.start(...bash)
      expect((await name(anew)).code).toBe(0)
      expect((await run('send', api, 'echo two', '--wait')).stdout).toContain('two')
      server.tmux('respawn-pane', '-k', '-t', anew, 'env', ...bash)
      // Before the host has looked, the refusal names the process that is gone.
      const keys = await until(
        () => run('keys', api, 'y'),
        ({ stderr }) => stderr.includes('has ended'),
      )
      expect(keys).toMatchObject(refused)
      expect((await run('name', '--forget', api)).code).toBe(0)
      expect(await run('read', api)).toMatchObject({ code: 0, stderr: '' })
    },
  )
})
