/** Waits on real terminals: what they end with, whatever happens to the pane, the screen or tmux in between. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Terminal } from '../../src/drive/open-terminal.ts'
import type { WaitOptions } from '../../src/drive/terminal-options.ts'
import { readGoals } from '../../src/drive/wait/terminal-goals.ts'
import { bin, temporaryFile, temporaryFolder } from '../support/lull.ts'
import { bash, hasProgram, tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

const timeout = 20_000
const ready = { outcome: 'reached', state: 'ready' }

describe.runIf(hasProgram('tmux'))('a wait', () => {
  const server = tmuxServer()
  async function shell(): Promise<Terminal> {
    const terminal = await server.terminal(...bash)
    expect(await terminal.waitReady({ timeout })).toMatchObject(ready)
    return terminal
  }
  /** A command that goes on until a file is there. */
  function gate(): { command: string; open(): void } {
    const file = path.join(temporaryFolder(), 'go')
    return { command: `until [ -e ${file} ]; do sleep 0.05; done`, open: () => writeFileSync(file, '') }
  }
  /** The first wait that ends otherwise than unreached and in the dark: beside load a short one is over before a look is. */
  const runsOn = (terminal: Terminal, options: WaitOptions) =>
    until(
      () => terminal.waitReady(options),
      answer => answer?.outcome !== 'timeout' || answer.state === 'running',
    )
  /** A wait that runs, and what happens meanwhile. */
  async function meanwhile(terminal: Terminal, act: () => void | Promise<void>, options: WaitOptions = {}) {
    const waiting = terminal.waitReady({ timeout, ...options })
    await act()
    return waiting
  }

  test('ends when the command does, not before', async () => {
    const terminal = await shell()
    const { command, open } = gate()
    await terminal.send(command)
    expect(await runsOn(terminal, { timeout: 300 })).toMatchObject({ outcome: 'timeout', state: 'running' })
    expect(await meanwhile(terminal, open)).toMatchObject({ ...ready, screen: expect.any(Array) })
  })

  test('looks through lull’s own terminal', async () => {
    const program = [process.execPath, bin, 'run', '--pty', '--', ...bash.slice(1)]
    const places = [`LULL_RUNTIME_DIR=${temporaryFolder()}`, `XDG_STATE_HOME=${temporaryFolder()}`]
    const terminal = await server.terminal(...places, 'PS1=$ ', ...program)
    expect(await terminal.waitReady({ timeout })).toMatchObject(ready)
    const { answer } = await terminal.send('sleep 0.3; echo done', { wait: { timeout } })
    expect(answer).toMatchObject({ ...ready, screen: expect.arrayContaining(['done']) })
  })

  /** Of the first command nothing is told where its output comes too late: until a mark was heard, none is waited for. */
  async function markingShell(): Promise<Terminal> {
    const marks = "PROMPT_COMMAND=printf '\\e]133;D;%s\\a' $?"
    const terminal = await server.terminal(marks, 'PS1=\\[\\e]133;A\\a\\]$ ', ...bash.slice(1))
    await until(
      () => terminal.send('true', { wait: { timeout } }),
      ({ answer }) => answer?.exitCode === 0,
    )
    return terminal
  }

  test('tells the exit code of a shell that marks its prompts', async () => {
    const terminal = await markingShell()
    for (const exitCode of [7, 0]) {
      const { answer } = await terminal.send(`(exit ${exitCode})`, { wait: { timeout } })
      expect(answer).toMatchObject({ ...ready, exitCode })
    }
  })

  test('tells no exit code of an earlier command where the output comes too late', async () => {
    const terminal = await markingShell()
    const failed = await terminal.send('(exit 7)', { wait: { timeout } })
    expect(failed.answer).toMatchObject({ ...ready, exitCode: 7 })
    const program = server.tmux('display', '-p', '#{pid}').trim()
    const helper = Number(execFileSync('pgrep', ['-n', '-P', program, '-x', 'dd'], { encoding: 'utf8' }))
    process.kill(helper, 'SIGSTOP')
    try {
      const { answer } = await terminal.send('true', { wait: { timeout } })
      expect(answer).toMatchObject(ready)
      expect(answer).not.toHaveProperty('exitCode')
    } finally {
      process.kill(helper, 'SIGCONT')
    }
  })

  test('finds an empty pane after clear ready', async () => {
    const terminal = await shell()
    expect((await terminal.send('clear', { wait: { timeout } })).answer).toMatchObject(ready)
  })

  test('for a question, a password, and output', async () => {
    const terminal = await shell()
    const asked = await terminal.send('sleep 0.2; read -p "Go on? [y/N] " x', {
      wait: { timeout, for: readGoals('question') },
    })
    expect(asked.answer).toMatchObject({ outcome: 'reached', state: 'question' })
    await terminal.send('n', { wait: { timeout } })
    const password = { timeout, for: readGoals('password') }
    const secret = await terminal.send('sleep 0.2; read -s -p "Key: " x', { wait: password })
    expect(secret.answer).toMatchObject({ outcome: 'reached', state: 'password' })
    await terminal.keys(['C-c'])
    const output = { timeout, for: readGoals('output:/^line 3$/') }
    const printed = await terminal.send('for i in 1 2 3 4; do echo line $i; sleep 0.1; done', {
      wait: output,
    })
    expect(printed.answer).toMatchObject({
      outcome: 'reached',
      evidence: ['printed: line 3', expect.any(String)],
    })
  })

  test('for output does not take the echo of what was typed for it', async () => {
    const terminal = await shell()
    const wait = { timeout: 600, for: readGoals('output:/done/') }
    expect((await terminal.send('sleep 30; echo done', { wait })).answer).toMatchObject({
      outcome: 'timeout',
    })
    await terminal.keys(['C-c'])
    const cat = await server.terminal('cat')
    await until(
      async () => (await cat.settle()).verdict.state.kind,
      kind => kind === 'waiting',
    )
    const { answer } = await cat.send('done', { wait: { ...wait, timeout } })
    // It came twice: the terminal's echo, then cat's.
    expect(answer).toMatchObject({ outcome: 'reached' })
    expect(answer?.screen).toEqual(['done', 'done'])
  })

  test('for one thing is told of another that only a person can answer', async () => {
    const terminal = await shell()
    const { answer } = await terminal.send('read -p "Name? " x', {
      wait: { timeout, for: readGoals('password') },
    })
    expect(answer).toMatchObject({ outcome: 'waitsForPerson', state: 'question' })
  })

  test('tells of a terminal that Ctrl-S has frozen', async () => {
    const terminal = await shell()
    const { command, open } = gate()
    await terminal.send(`${command}; seq 1 200000`)
    await terminal.keys(['C-s'])
    open()
    expect(await terminal.waitReady({ timeout })).toMatchObject({ outcome: 'stuck', state: 'frozen' })
    await expect(terminal.send('x')).rejects.toMatchObject({ facts: { outcome: 'stuck' } })
    await terminal.keys(['C-q'])
    expect(await terminal.waitReady({ timeout })).toMatchObject(ready)
  })

  test('survives a resize and a switch of the screen', async () => {
    const terminal = await shell()
    const { command, open } = gate()
    await terminal.send(`printf '\\033[?1049h'; ${command}; printf '\\033[?1049l'`)
    const answer = await meanwhile(terminal, async () => {
      for (const [columns, rows] of [
        [40, 10],
        [200, 60],
        [100, 30],
      ])
        server.tmux('resize-window', '-t', terminal.pane.id, '-x', `${columns}`, '-y', `${rows}`)
      open()
    })
    expect(answer).toMatchObject(ready)
  })

  test('goes on where somebody else takes the pane’s output, and where somebody had it before', async () => {
    const terminal = await shell()
    for (const when of ['while it waits', 'before']) {
      const { command, open } = gate()
      await terminal.send(`${command}; echo over ${when}`)
      const goals = readGoals(`output:/^over ${when}/`)
      const answer = await meanwhile(
        terminal,
        () => {
          server.tmux('pipe-pane', '-t', terminal.pane.id, 'cat >/dev/null')
          open()
        },
        { for: goals },
      )
      expect(answer).toMatchObject({ outcome: 'reached' })
    }
    expect(server.tmux('display-message', '-p', '-t', terminal.pane.id, '#{pane_pipe}').trim()).toBe('1')
  })

  test('is not shaken by escape floods and by what is no UTF-8', async () => {
    const noise = temporaryFile(
      'noise',
      Buffer.from(
        Array.from({ length: 40_000 }, (_, n) => [
          0x1b,
          0x5b,
          0x80 + (n % 128),
          0x1b,
          0x5d,
          n % 256,
          0xff,
          0x1b,
        ]).flat(),
      ),
    )
    const terminal = await shell()
    const { answer } = await terminal.send(`cat ${noise}; printf '\\033c\\033\\\\\\n'`, { wait: { timeout } })
    expect(answer).toMatchObject(ready)
  })

  test('goes on beside a pane that floods, and is silent where nothing happens', async () => {
    const flood = server.start('sh', '-c', 'while :; do seq 1 1000; done')
    const terminal = await shell()
    expect((await terminal.send('sleep 0.1; echo calm', { wait: { timeout } })).answer).toMatchObject(ready)
    server.tmux('kill-pane', '-t', flood)
    const { command, open } = gate()
    await terminal.send(command)
    const used = process.cpuUsage()
    const began = performance.now()
    await terminal.waitReady({ timeout: 700 })
    const { user, system } = process.cpuUsage(used)
    open()
    // A busy loop would take all of the time.
    expect((user + system) / 1000 / (performance.now() - began)).toBeLessThan(0.5)
  })

  test.each([
    ['1', '1'],
    ['1000', '1000'],
  ])('works on a screen of %s by %s', async (columns, rows) => {
    const terminal = await shell()
    server.tmux('resize-window', '-t', terminal.pane.id, '-x', columns, '-y', rows)
    const { answer } = await terminal.send('true', { wait: { timeout } })
    expect(answer).toMatchObject(ready)
  })

  test('ends where the pane is killed, or its program', async () => {
    const [first, second] = [await shell(), await shell()]
    await first.send('sleep 100')
    const gone = { outcome: 'gone', state: 'exited' }
    expect(await meanwhile(first, () => void server.tmux('kill-pane', '-t', first.pane.id))).toMatchObject(
      gone,
    )
    expect(
      await meanwhile(second, () => void process.kill(second.pane.pid, 'SIGKILL'), {
        for: readGoals('question'),
      }),
    ).toMatchObject(gone)
  })

  test.each([
    ['ends by itself', 'echo out; sleep 0.3; exit 7', { exitCode: 7, promptLine: 'out' }],
    ['is killed', 'echo out; sleep 0.3; kill -9 $$', { signal: 'SIGKILL', promptLine: 'out' }],
  ] as const)(
    'leaves no listener on a pane that is kept although its program %s',
    async (_, script, told) => {
      server.tmux('set', '-g', 'remain-on-exit', 'on')
      const tmux = server.tmux('display', '-p', '#{pid}').trim()
      const helpers = (): readonly string[] =>
        execFileSync('ps', ['-o', 'args=', '--ppid', tmux], { encoding: 'utf8' }).match(/^dd .*$/gm) ?? []
      const before = helpers()
      const terminal = await server.terminal('sh', '-c', script)
      const answer = await terminal.waitReady({ timeout: 10_000 })
      expect(answer).toMatchObject({ outcome: 'gone', ...told })
      // tmux may not have said so yet.
      expect(answer?.screen.filter(row => !row.startsWith('Pane is dead'))).toEqual(['out'])
      await terminal.close()
      await until(helpers, now => now.every(helper => before.includes(helper)), 'the end of its helper')
      server.tmux('set', '-g', 'remain-on-exit', 'off')
    },
  )

  test('ends where another program takes the pane', async () => {
    const terminal = await shell()
    const answer = await meanwhile(
      terminal,
      () => void server.tmux('respawn-pane', '-k', '-t', terminal.pane.id, 'cat'),
      { for: readGoals('password') },
    )
    expect(answer).toMatchObject({ outcome: 'gone' })
  })

  test.each([
    ['kernel', 'exec sleep 600'],
    ['pattern', 'while :; do date +%N; sleep 0.2; done'],
  ] as const)(
    'ends at once where another program takes the pane, though the one before lives on (%s)',
    async (strategy, lives) => {
      const terminal = await server.terminal('sh', '-c', `trap '' HUP; echo 1; ${lives}`)
      await until(
        () => server.screen(terminal.pane.id),
        screen => /\d/.test(screen),
      )
      const other = ['respawn-pane', '-k', '-t', terminal.pane.id, 'env', ...bash]
      // Told at the deadline, it would be told too late.
      const endless = { strategy, timeout: 600_000 }
      const answer = await meanwhile(terminal, () => void server.tmux(...other), endless)
      process.kill(terminal.pane.pid, 'SIGKILL')
      expect(answer).toMatchObject({
        outcome: 'gone',
        state: 'exited',
        evidence: [expect.stringMatching(/another program|was closed/)],
      })
    },
  )

  test('ends where tmux is killed', async () => {
    const own = tmuxServer()
    const terminal = await own.terminal(...bash)
    await terminal.waitReady({ timeout })
    await terminal.send('sleep 100')
    const answer = await meanwhile(terminal, () => {
      const pid = Number(own.tmux('display-message', '-p', '#{pid}'))
      process.kill(pid, 'SIGKILL')
    })
    expect(answer).toMatchObject({ outcome: 'gone' })
    await expect(terminal.read()).rejects.toMatchObject({ code: 'ENDED' })
  })

  test('ends where tmux is killed right after the pane was opened', async () => {
    const own = tmuxServer()
    const pane = own.start(...bash)
    const pid = Number(own.tmux('display-message', '-p', '#{pid}'))
    const terminal = await own.of(pane)
    process.kill(pid, 'SIGKILL')
    expect(await terminal.waitReady({ timeout })).toMatchObject({ outcome: 'gone' })
  })

  test('ends without an answer where it is told to', async () => {
    const terminal = await shell()
    await terminal.send('sleep 100')
    const stop = new AbortController()
    const answer = await meanwhile(terminal, () => stop.abort(), { signal: stop.signal })
    expect(answer).toBeUndefined()
  })

  test('a prompt pattern of one’s own decides, unless the program surely runs', async () => {
    const terminal = await shell()
    const options = { promptPattern: /opencode> $/, timeout: 500 }
    const unmatched = 'bash reads at its prompt, but its last line does not match'
    // Beside load half a second may be over before it has been looked at.
    const inVain = await until(
      () => terminal.waitReady(options),
      answer => answer?.evidence.some(line => line.includes(unmatched)) === true,
    )
    expect(inVain).toMatchObject({ outcome: 'timeout', state: 'unknown' })
    await terminal.send(`printf 'opencode> '; sleep 100`)
    expect(await runsOn(terminal, options)).toMatchObject({ outcome: 'timeout', state: 'running' })
    await terminal.keys(['C-c'])
    const shown = await terminal.send(`read -p 'opencode> ' x`, { wait: { ...options, timeout } })
    expect(shown.answer).toMatchObject({
      outcome: 'reached',
      state: 'ready',
      evidence: [expect.stringContaining('its last line matches opencode> $; bash reads a line')],
    })
  })

  describe('with the strategy pattern', () => {
    const strategy = 'pattern' as const
    test('is ready at a prompt, and not on account of one that scrolled by', async () => {
      const terminal = await shell()
      // On a busy machine the command may last for some captures.
      const { answer } = await terminal.send('echo "$ prompt example"; sleep 0.6', {
        wait: { timeout, strategy, stableCaptures: 9 },
      })
      expect(answer).toMatchObject({ outcome: 'reached', state: 'ready', confidence: 0.5 })
      expect(answer?.screen).toContain('$ prompt example')
    })
    test('calls a quiet command stable, never ready', async () => {
      const terminal = await shell()
      const { answer } = await terminal.send('sleep 100', { wait: { timeout, strategy } })
      expect(answer).toMatchObject({ outcome: 'stable', state: 'stable' })
      expect(answer?.screen.at(-1)).toBe('$ sleep 100')
    })
    test('waits for its timeout on a question that goes on printing', async () => {
      const terminal = await shell()
      const wait = { timeout: 1500, strategy }
      // So often that also on a busy machine no two captures are equal.
      const { answer } = await terminal.send(
        'for i in {1..200}; do sleep 0.02; echo "$i: Continue? [y/N]"; done',
        { wait },
      )
      expect(answer).toMatchObject({ outcome: 'timeout', state: 'unknown' })
    })
    test('does not find an empty screen stable', async () => {
      const terminal = await server.terminal('sh', '-c', 'clear; exec sleep 100')
      expect(await terminal.waitReady({ timeout: 2000, strategy })).toMatchObject({ outcome: 'timeout' })
    })
    test('names what to check where the capture fails', async () => {
      const terminal = await shell()
      const answer = await meanwhile(terminal, () => void server.tmux('kill-pane', '-t', terminal.pane.id), {
        strategy,
      })
      expect(answer).toMatchObject({
        outcome: 'gone',
        evidence: [expect.stringContaining('Does the pane still exist')],
      })
    })
  })
})
