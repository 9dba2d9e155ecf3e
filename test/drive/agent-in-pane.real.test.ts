/** An agent in a pane: typed into while it takes instructions, waited for by its own track, never typed over a dialog. */
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connect } from '../../src/index.ts'
import { readStat } from '../../src/os/proc/stat.ts'
import { edge } from '../support/agent-screens.ts'
import { type Run, temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { ownPlaces, startLull } from '../support/running.ts'
import { hasProgram, keyReader, tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

const places = ownPlaces()
const env = { ...places, TMUX: '', TMUX_PANE: '', LULL_PANE: '' }
const run = (...args: readonly string[]): Promise<Run> => lullHere(args, env)

/** One that goes on in this process. Meanwhile no other command can run here. */
function begun(...args: readonly string[]) {
  let isOver = false
  const ended = run(...args).finally(() => {
    isOver = true
  })
  return { ended, isRunning: () => !isOver }
}

function writeWhole(file: string, content: string): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, content)
}

describe.runIf(hasProgram('tmux'))('an agent in a pane', () => {
  const server = tmuxServer()
  const at = () => ['--socket', server.socket] as const

  /**
   * A program that calls itself claude, tells its status in its file, and notes what it reads.
   * @param how by itself in its pane, below a shell, or with a program of its own that reads in its place
   */
  async function agent(how: 'alone' | 'in a shell' | 'with an editor' = 'alone') {
    const home = realpathSync(temporaryFolder())
    const out = path.join(home, 'out')
    const around = ['-e', `HOME=${home}`]
    const [node = '', ...reads] = keyReader(out)
    const open = `require('child_process').spawnSync('${node}', ${JSON.stringify(reads)}, { stdio: 'inherit' })`
    const words =
      how === 'with an editor' ? `${node} -e '${open.replaceAll("'", '"')}'` : keyReader(out).join(' ')
    const start = how === 'in a shell' ? ['bash', '--norc'] : ['bash', '-c', `exec -a claude ${words}`]
    const pane = server.tmux('new-window', '-d', '-P', '-F', '#{pane_id}', ...around, ...start).trim()
    // Each command of a later test would look at it, too.
    onTestFinished(() => void server.tmux('kill-pane', '-t', pane))
    if (how === 'in a shell') server.tmux('send-keys', '-t', pane, `(exec -a claude ${words})`, 'Enter')
    await until(
      () => server.screen(pane),
      screen => screen.includes('up'),
    )
    const tty = server.tmux('display-message', '-p', '-t', pane, '#{pane_tty}').trim()
    writeFileSync(tty, '\r\n❯ ')
    const first = Number(server.tmux('display-message', '-p', '-t', pane, '#{pane_pid}'))
    const pid =
      how === 'in a shell' ? Number(readFileSync(`/proc/${first}/task/${first}/children`, 'utf8')) : first
    const file = path.join(home, '.claude/sessions', `${pid}.json`)
    const note = { pid, procStart: readStat(pid)?.startTicks, sessionId: 'one', cwd: home }
    const status = (fields: object) =>
      writeWhole(file, JSON.stringify({ ...note, ...fields, statusUpdatedAt: Date.now() }))
    return {
      pane: `tmux:${pane}`,
      pid,
      out,
      status,
      typed: () => (existsSync(out) ? readFileSync(out, 'utf8') : ''),
    }
  }

  /** Until it is seen so. */
  async function shown(pid: number, state: string): Promise<void> {
    await using lull = await connect()
    await until(
      async () => (await lull.sessions()).find(one => one.pid === pid)?.session.verdict.state.kind,
      kind => kind === state,
    )
  }

  test('is typed into while it is idle, never into a permission, and not into what is not known', async () => {
    const { pane, status, typed } = await agent()
    expect(await run('send', pane, 'nobody knows', ...at())).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('--force'),
    })
    status({ status: 'waiting', waitingFor: 'permission prompt' })
    const refused = await run('send', pane, 'yes', '--force', ...at())
    expect(refused).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^lull: it is waiting for a permission.*: lull answer chooses an option/),
    })
    expect(typed()).toBe('')
    status({ status: 'idle' })
    // What a busy machine has not read in time is not known, and refused.
    await until(
      () => run('send', pane, 'do it', ...at()),
      ({ code }) => code === 0,
    )
    await until(typed, text => text === 'do it\r')
    expect(await run('wait', pane, '--ready', ...at())).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('claude'),
    })
    status({ status: 'waiting', waitingFor: 'permission prompt' })
    expect(await run('wait', pane, '--ready', ...at())).toMatchObject({ code: 3 })
  })

  test('a composer that is not empty is neither joined nor, where it can not be cleared, typed into', async () => {
    const { pane, status, typed } = await agent()
    status({ status: 'idle' })
    const tty = server.tmux('display-message', '-p', '-t', pane.slice('tmux:'.length), '#{pane_tty}').trim()
    writeFileSync(tty, ['', edge, '❯ half', edge, ''].join('\r\n'))
    const refused = await until(
      () => run('send', pane, 'do it', ...at()),
      ({ stderr }) => stderr.includes('"half"'),
    )
    expect(refused.code).toBe(3)
    expect(typed()).toBe('')
    // What a busy machine has not read in time is not known, and nothing is typed.
    const uncleared = await until(
      () => run('send', pane, 'do it', '--clear', ...at()),
      () => typed() !== '',
    )
    expect(uncleared.code).toBe(3)
    expect(typed()).toBe('\u0015')
    await until(
      () => run('send', pane, 'do it', '--append', ...at()),
      ({ code }) => code === 0,
    )
    await until(typed, text => text === '\u0015do it\r')
  })

  test('is waited for from its text on, until its turn is over', async () => {
    const { pane, pid, status, typed } = await agent()
    status({ status: 'idle' })
    const sending = begun('send', pane, 'do it', '--wait', '--json', ...at())
    await until(typed, text => text === 'do it\r')
    status({ status: 'busy' })
    // The turn has to be seen before it is over.
    await shown(pid, 'working')
    expect(sending.isRunning()).toBe(true)
    status({ status: 'idle' })
    const { code, stdout } = await sending.ended
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      code: 0,
      event: 'ended',
      outcome: 'reached',
      sent: { entered: true },
    })
  })

  const unseen = 'waiting for the agent’s composer; nothing has been typed yet'

  test('that has just begun gets its first prompt once it takes one, within the timeout', async () => {
    const { pane, pid, status, typed } = await agent()
    const sending = startLull(['send', pane, 'do it', '--wait', ...at()], env)
    await sending.says(unseen)
    expect(typed()).toBe('')
    status({ status: 'idle' })
    await until(typed, text => text === 'do it\r')
    status({ status: 'busy' })
    await shown(pid, 'working')
    expect(sending.isRunning()).toBe(true)
    status({ status: 'idle' })
    expect(await sending.ended).toMatchObject({ code: 0 })
  })

  test('that has just begun is waited for by the library, too', async () => {
    const { pane, status, typed } = await agent()
    const terminal = await server.of(pane.slice('tmux:'.length))
    const sending = terminal.send('do it', { wait: { timeout: 20_000 } })
    expect(await terminal.agent()).toBeDefined()
    expect(typed()).toBe('')
    status({ status: 'idle' })
    await until(typed, text => text === 'do it\r')
    await sending
  })

  test('that has just begun is not waited for by who has called it off', async () => {
    const { pane, typed } = await agent()
    const terminal = await server.of(pane.slice('tmux:'.length))
    const off = new AbortController()
    const sending = terminal.send('do it', { wait: { timeout: 60_000 }, signal: off.signal })
    expect(await terminal.agent()).toBeDefined()
    off.abort()
    await expect(sending).rejects.toThrow('it was called off')
    expect(typed()).toBe('')
  })

  test('that asks something at its start gets no prompt: the dialog is named', async () => {
    const { pane, status, typed } = await agent()
    const sending = startLull(['send', pane, 'do it', '--wait', ...at()], env)
    await sending.says(unseen)
    status({ status: 'waiting', waitingFor: 'permission prompt' })
    expect(await sending.ended).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('it is waiting for a permission'),
    })
    expect(typed()).toBe('')
  })

  test('that shows nothing within the timeout gets no prompt', async () => {
    const { pane, typed } = await agent()
    expect(await run('send', pane, 'do it', '--wait', '--timeout', '1', ...at())).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('what it does is not known'),
    })
    expect(typed()).toBe('')
  })

  test('is waited for as long as was said, and it is that time which is told', async () => {
    const { pane, status, typed } = await agent()
    status({ status: 'idle' })
    const send = () => begun('send', pane, 'do it', '--wait', '--timeout', '9', ...at())
    let sending = send()
    // Beside load the time may be over before Enter was pressed.
    await until(
      () => {
        if (!sending.isRunning() && !typed().endsWith('\r')) sending = send()
        return typed()
      },
      text => text.endsWith('\r'),
    )
    status({ status: 'busy' })
    const { code, stdout } = await sending.ended
    expect(code).toBe(124)
    expect(stdout).toMatch(/^not reached within 9\.0 s: claude /)
    expect(stdout).not.toContain('It took')
  })

  test('whose own command begins no turn: that is said where the wait is over', async () => {
    const { pane, status } = await agent()
    status({ status: 'idle' })
    // Beside load the time may be over before it is known that an agent is there.
    const waited = await until(
      () => run('send', pane, '/status', '--wait', '--timeout', '3', ...at()),
      ({ stderr }) => stderr.includes('no turn has begun since'),
    )
    expect(waited.code).toBe(124)
  })

  test('whose dialog was answered by keys is waited for from these on, not from what was so before', async () => {
    const { pane, pid, status, typed } = await agent()
    const waiting = ['wait', `pid:${pid}`]
    status({ status: 'waiting', waitingFor: 'permission prompt' })
    expect(await run(...waiting)).toMatchObject({ code: 3 })
    // Its own word comes late, as it does. 3 s after the keys it counts again: a busy machine may begin the wait later.
    const waited = async () => {
      expect(await run('keys', pane, '1', 'Enter', ...at())).toMatchObject({ code: 0 })
      const one = startLull(waiting, env)
      await until(
        () => one.stderr().includes('waiting since') || !one.isRunning(),
        hasBegun => hasBegun,
        'a wait',
      )
      return one
    }
    const ended = await until(waited, one => one.isRunning())
    status({ status: 'busy' })
    await until(typed, text => /^(1\r)+$/.test(text))
    await shown(pid, 'working')
    expect(ended.isRunning()).toBe(true)
    status({ status: 'idle' })
    expect(await ended.ended).toMatchObject({ code: 0 })
  })

  test('whose dialog stands though keys were pressed still waits for a person', async () => {
    const { pane, pid, status } = await agent()
    status({ status: 'waiting', waitingFor: 'permission prompt' })
    expect(await run('keys', pane, 'Down', ...at())).toMatchObject({ code: 0 })
    expect(await run('wait', `pid:${pid}`)).toMatchObject({ code: 3 })
  })

  test('whose turn leaves a command in the background is done with it, where that is asked for', async () => {
    const { pane, pid, status, typed } = await agent()
    status({ status: 'idle' })
    const sending = begun('send', pane, 'do it', '--wait', '--json', ...at(), '--ignore-background')
    await until(typed, text => text === 'do it\r')
    status({ status: 'busy' })
    await shown(pid, 'working')
    status({ status: 'shell' })
    const { code, stdout } = await sending.ended
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, event: 'ended', outcome: 'reached' })
  })

  test('of what is asked of its wait, what makes no sense is said before anything is typed', async () => {
    const { pane, status, typed } = await agent()
    status({ status: 'idle' })
    for (const [words, said] of [
      [['--ignore-background'], '--ignore-background need --wait'],
      [['--wait', '--ignore-background=others'], 'the kinds are task, server, teammate and remote'],
      [['--wait', '--ignore-background', '--for', 'question'], 'a terminal has no turns'],
    ] as const)
      expect(await run('send', pane, 'do it', ...at(), ...words)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(said),
      })
    expect(typed()).toBe('')
  })

  test('that left its terminal to a shell is not typed to: its shell would run what it is told', async () => {
    const { pane, pid, out, status } = await agent('in a shell')
    status({ status: 'idle' })
    process.kill(pid, 'SIGSTOP')
    await until(
      () => server.screen(pane.slice('tmux:'.length)),
      screen => screen.includes('Stopped'),
    )
    for (const words of [
      ['send', `pid:${pid}`, 'echo ran'],
      ['send', `pid:${pid}`, 'echo ran', '--force'],
      ['keys', `pid:${pid}`, 'Enter'],
    ])
      expect(await run(...words, ...at())).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('not in the foreground'),
      })
    expect(await run('send', pane, 'echo ra""n', '--wait', ...at())).toMatchObject({ code: 0 })
    const screen = server.screen(pane.slice('tmux:'.length))
    expect(screen.match(/^ran$/gm)).toHaveLength(1)
    expect(existsSync(out)).toBe(false)
  })

  test('in whose terminal another program reads is not typed to: an editor that it opened takes keys', async () => {
    const { pane, status, typed } = await agent('with an editor')
    status({ status: 'idle' })
    expect(await run('send', pane, 'dGo', ...at())).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('another program reads'),
    })
    expect(typed()).toBe('')
    expect(await run('send', pane, 'x', '--force', ...at())).toMatchObject({ code: 0 })
    await until(typed, text => text === 'x\r')
  })
})
