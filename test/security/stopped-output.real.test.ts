/** A terminal that somebody stopped by Ctrl-S is frozen, though its shell sleeps at its prompt; nothing stays on its line. */
import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { attempt } from '../../src/os/attempt.ts'
import { temporaryFile, temporaryFolder } from '../support/lull.ts'
import { bash, hasProgram, tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

const inner = path.join(temporaryFolder(), 'inner')
const isRoot = process.getuid?.() === 0

describe.runIf(hasProgram('tmux'))('a terminal that is stopped by Ctrl-S', () => {
  const server = tmuxServer()
  afterAll(() => void attempt(() => execFileSync('tmux', ['-S', inner, 'kill-server'])))
  const shown = (pane: string, pattern: RegExp) =>
    until(
      () => server.screen(pane),
      screen => pattern.test(screen),
      String(pattern),
    )
  const stopped = { code: 'REFUSED_TO_TYPE', exit: 4, facts: { outcome: 'stuck', typed: 0 } }

  test.concurrent.each([
    ['bash', bash, []],
    ['dash', ['PS1=$ ', 'dash'], ['dash']],
    ['cat', ['sh', '-c', 'echo "# "; exec cat'], []],
    ['bash behind script', ['PS1=$ ', 'script', '-qc', 'bash --norc', '/dev/null'], ['script']],
    [
      'bash behind sudo',
      ['script', '-qc', 'sudo PS1=# bash --norc', '/dev/null'],
      isRoot ? ['sudo'] : ['no root'],
    ],
    [
      'bash in an inner tmux',
      ['TMUX=', 'tmux', '-S', inner, '-f', '/dev/null', 'new', 'PS1=\\$\\  bash --norc'],
      [],
    ],
  ] as const)('gets nothing, and goes on as it was: %s', async (_, command, needs) => {
    if (needs.some(program => !hasProgram(program)))
      return void process.stderr.write(`skipped: ${needs} is wanted\n`)
    const pane = server.start(...command)
    const terminal = await server.of(pane)
    await shown(pane, /[$#]/)
    // It prints before it reads.
    await until(
      async () => (await terminal.settle()).verdict.state.kind,
      kind => kind !== 'working',
    )
    server.tmux('send-keys', '-t', pane, 'C-s')
    await until(
      async () => (await terminal.settle()).verdict.health.level,
      level => level === 'confirmed_stuck',
    )
    expect(await terminal.waitReady({ timeout: 20_000 })).toMatchObject({ outcome: 'stuck', state: 'frozen' })
    await expect(terminal.send('XYZZY')).rejects.toMatchObject(stopped)
    await expect(terminal.send('XYZZY', { force: true, append: true })).rejects.toMatchObject(stopped)
    await expect(terminal.keys(['x'])).rejects.toMatchObject(stopped)
    await terminal.keys(['C-q'])
    await terminal.send('echo on', { enter: false })
    expect(await shown(pane, /echo on/)).not.toMatch(/XYZZY|x$/m)
  })

  test('gets nothing while a program runs that prints nothing', async () => {
    const pane = server.start(...bash)
    const terminal = await server.of(pane)
    await terminal.waitReady({ timeout: 20_000 })
    await terminal.send('sleep 100')
    // Before it is there, the shell is stopped, and the key that ends it reaches the shell.
    await until(
      async () => (await terminal.observe()).verdict.why,
      why => why.startsWith('sleep'),
    )
    server.tmux('send-keys', '-t', pane, 'C-s')
    await until(
      async () => (await terminal.observe()).probe.isOutputStopped,
      isStopped => isStopped === true,
    )
    await expect(terminal.send('XYZZY')).rejects.toMatchObject(stopped)
    await terminal.keys(['C-c'])
    expect(await terminal.waitReady({ timeout: 20_000 })).toMatchObject({ state: 'ready' })
    expect(server.screen(pane)).not.toContain('XYZZY')
  })

  test.runIf(hasProgram('python3'))(
    'on another machine: what does not show is taken back, and Enter is not pressed',
    async () => {
      const file = path.join(temporaryFolder(), 'read')
      // The kernel calls a script as its file is called.
      const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], {
        encoding: 'utf8',
      })
      const far = `#!${python}import os, tty
tty.setraw(0)
os.write(1, b'far@box:~$ ')
while True: open('${file}', 'ab').write(os.read(0, 100))`
      const program = temporaryFile('ssh', far)
      chmodSync(program, 0o755)
      const pane = server.start(program)
      const terminal = await server.of(pane)
      await shown(pane, /far@box/)
      expect(await terminal.waitReady({ timeout: 20_000 })).toMatchObject({ state: 'ready' })
      await expect(terminal.send('rm x')).rejects.toMatchObject({ code: 'REFUSED_TO_TYPE', exit: 4 })
      await until(
        () => attempt(() => readFileSync(file, 'utf8')),
        read => read === 'rm x\u0015',
      )
    },
  )
})
