/** Real shells and programs in a tmux of the test's own, judged by the kernel and the screen. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { classify } from '../../src/terminal/classify/classify.ts'
import { learn } from '../../src/terminal/classify/learn.ts'
import { nothingLearned } from '../../src/terminal/classify/learned.ts'
import { isConsumed } from '../../src/terminal/consumption.ts'
import { probeTerminal } from '../../src/terminal/probe/probe.ts'
import { readingOf } from '../../src/terminal/probe/probed.ts'
import { isSteady } from '../../src/terminal/probe/steady.ts'
import { temporaryFile, temporaryFolder } from '../support/lull.ts'
import { has, openPane, type TestPane } from '../support/tmux-pane.ts'
import { until } from '../support/until.ts'

const canRun = has('tmux') && existsSync('/proc/self/syscall')
if (!canRun) console.warn('skipped: terminals need tmux, and a /proc that tells of system calls')

beforeAll(() => {
  process.env.XDG_STATE_HOME = temporaryFolder()
})

const open = (...command: string[]): TestPane => openPane(command)

/** Types a line, and says what lull then says. */
async function run(pane: TestPane, line: string, expected: string): Promise<void> {
  pane.type(line)
  pane.keys('Enter')
  await pane.says(expected)
  if (line.startsWith('sleep ')) await sleeps(pane)
}

/** Before that the shell itself has the terminal, and a key that ends or stops the command reaches the shell. */
const sleeps = (pane: TestPane) =>
  until(
    () => pane.says('working'),
    ({ why }) => why.startsWith('sleep is in'),
  )

describe.runIf(canRun)('bash', () => {
  test('at its prompt, at questions that read alike, and while it runs', async () => {
    const pane = open('bash', '--norc')
    const ready = await pane.says('idle/shell')
    expect(ready).toMatchObject({ tier: 'proven', reader: pane.pid })
    await run(pane, "PS1='ready: '", 'idle/shell')
    for (const [line, expected] of [
      ['read -e -p "Name: " x', 'waiting/input'],
      ['read -p "Continue? [y/N] " x', 'waiting/confirmation'],
      ['read -s -p "Secret: " x', 'waiting/password'],
      ['read -s -n 1 -p "Press any key " x', 'waiting/keypress'],
      ['sleep 60', 'working'],
      ['while :; do :; done', 'working'],
      ['cat', 'waiting/input'],
      ['echo "abc', 'waiting/input'],
    ] as const) {
      await run(pane, line, expected)
      pane.keys('C-c')
      await pane.says('idle/shell')
    }
    await run(pane, 'read -n1 x', 'waiting/keypress')
    pane.keys('Enter')
    await pane.says('idle/shell')
    pane.type('typed but not ent')
    await until(
      () => pane.says('idle/shell'),
      ({ prompt }) => prompt === 'ready: typed but not ent',
    )
    pane.keys('C-c', 'C-s')
    pane.type('echo frozen')
    await pane.says('frozen')
    pane.keys('C-q', 'C-c')
    await pane.says('idle/shell')
  })

  test('at a second prompt of any look, and at a first one that looks like a second', async () => {
    const pane = open('bash', '--norc')
    await pane.says('idle/shell')
    await run(pane, "PS2='│ '", 'idle/shell')
    for (const line of ['for i in 1 2; do', 'f() {', 'echo a \\', "echo 'a", 'cat <<EOF']) {
      await run(pane, line, 'waiting/input')
      expect(await pane.cold()).toMatchObject({ state: { kind: 'waiting', for: 'input' }, tier: 'proven' })
      pane.keys('C-c')
      await pane.says('idle/shell')
    }
    await run(pane, "PS1='> '", 'idle/shell')
    expect(await pane.cold()).toMatchObject({ state: { kind: 'idle' }, tier: 'proven' })
  })

  test('is told from its own questions by who sees it for the first time', async () => {
    const pane = open('bash', '--norc')
    await pane.says('idle/shell')
    await run(pane, 'PS1=', 'idle/shell')
    expect((await pane.cold()).state).toEqual({ kind: 'idle', at: 'shell' })
    await run(pane, 'read -e x', 'waiting/input')
    expect((await pane.cold()).state).toEqual({ kind: 'waiting', for: 'input' })
  })

  test('with jobs in the background, stopped, and one shell in another', async () => {
    const pane = open('bash', '--norc')
    await pane.says('idle/shell')
    await run(pane, '(while :; do echo tick; sleep 0.1; done) &', 'idle/shell')
    await run(pane, 'kill %1', 'idle/shell')
    await run(pane, 'sleep 60', 'working')
    pane.keys('C-z')
    await pane.says('idle/shell')
    pane.type('exec bash --norc')
    pane.keys('Enter')
    await pane.says('idle/shell')
    await run(pane, 'bash --norc --noediting', 'idle/shell')
    await run(pane, 'read x', 'waiting/input')
  })

  test('in a terminal of script, and under a script that asks', async () => {
    const pane = open('script', '-qc', 'bash --norc', '/dev/null')
    expect((await pane.says('idle/shell')).reader).not.toBe(pane.pid)
    await run(pane, 'sleep 60', 'working')
    pane.keys('C-c')
    await pane.says('idle/shell')
    const asking = temporaryFile('ask.sh', 'read -e -p "$ " x\n')
    await run(pane, `bash ${asking}`, 'waiting/input')
    // script outlives a terminal that hangs up while something runs in it.
    pane.keys('C-c')
    await pane.says('idle/shell')
    pane.type('exit')
    pane.keys('Enter')
    await until(
      () => classify(probeTerminal(pane.tty, pane.pid)).state.kind,
      kind => kind === 'exited',
    )
  })

  test('that has ended', async () => {
    const pane = open('bash', '--norc')
    await pane.says('idle/shell')
    const before = await pane.probe()
    process.kill(pane.pid, 'SIGKILL')
    await until(
      () => classify(probeTerminal(pane.tty, pane.pid)).state.kind,
      kind => kind === 'exited',
    )
    expect(isSteady(before, probeTerminal(pane.tty, pane.pid))).toBe(false)
  })
})

describe.runIf(canRun)('other shells', () => {
  test('dash', async () => {
    const pane = open('dash')
    await pane.says('idle/shell')
    await run(pane, 'read x', 'waiting/input')
    pane.keys('Enter')
    await pane.says('idle/shell')
    await run(pane, "echo 'abc", 'waiting/input')
    pane.keys('C-c')
    // With its signal the terminal throws away what is typed.
    await pane.says('idle/shell')
    await run(pane, 'sleep 60', 'working')
  })
  test.runIf(has('zsh'))('zsh', async () => {
    const pane = open('zsh', '-f')
    await pane.says('idle/shell')
    await run(pane, "PROMPT='➜ git:(main) '", 'idle/shell')
    await run(pane, 'vared PROMPT', 'waiting/input')
    pane.keys('C-c')
    await pane.says('idle/shell')
    await run(pane, 'read -q', 'waiting/keypress')
    pane.keys('y')
    await pane.says('idle/shell')
    // What stands behind a prompt, and is none.
    await run(pane, "PROMPT='box%% '", 'idle/shell')
    for (const keys of ['C-r', 'M-x']) {
      pane.keys(keys)
      await pane.says('waiting/input')
      expect((await pane.cold()).state.kind).toBe('waiting')
      pane.keys('C-g')
      await pane.says('idle/shell')
    }
    await run(pane, "vared -p 'box%% ' -c answer", 'waiting/input')
    pane.keys('C-c')
    await pane.says('idle/shell')
    await run(pane, 'echo "abc', 'waiting/input')
  })
  test.runIf(has('fish'))('fish', async () => {
    const pane = open('fish', '--no-config', '--private')
    await pane.says('idle/shell')
    await run(pane, 'read x', 'waiting/input')
    pane.type('a')
    pane.keys('Enter')
    await pane.says('idle/shell')
    await run(pane, 'echo "abc', 'waiting/input')
  })
})

describe.runIf(canRun)('other programs', () => {
  test.runIf(has('python3'))('Python, which is ready at >>> alone', async () => {
    const pane = open('python3', '-q')
    await pane.says('idle/repl')
    await run(pane, 'input("N? ")', 'waiting/input')
    pane.keys('Enter')
    await pane.says('idle/repl')
    await run(pane, 'import time; time.sleep(60)', 'working')
    pane.keys('C-c')
    await pane.says('idle/repl')
    await run(pane, 'import getpass; getpass.getpass()', 'waiting/password')
  })
  test.runIf(has('python3'))(
    'Python, whatever its prompt, and what it runs that asks as it does',
    async () => {
      const pane = open('python3', '-q', '-E', '-s')
      await pane.says('idle/repl')
      const byReadline = (await pane.cold()).tier === 'proven'
      if (!byReadline) return
      await run(pane, 'def f(): return input(chr(62) * 3 + chr(32))', 'waiting/input')
      pane.keys('Enter')
      await pane.says('idle/repl')
      await run(pane, 'f()', 'waiting/input')
      expect((await pane.cold()).state).toEqual({ kind: 'waiting', for: 'input' })
      pane.keys('Enter')
      await run(pane, 'import sys; sys.ps1 = "ready: "', 'idle/repl')
      expect(await pane.cold()).toMatchObject({ state: { kind: 'idle', at: 'repl' }, tier: 'proven' })
      await run(pane, '(1 +', 'waiting/input')
    },
  )
  test.runIf(has('python3'))('a REPL that nobody listed, from its first answer on', async () => {
    const file = temporaryFile('calc.py', 'while True: print(eval(input("calc> ")))')
    const pane = open('python3', file)
    await pane.says('waiting/input')
    await run(pane, '1 + 1', 'idle/repl')
    expect(await pane.cold()).toMatchObject({ state: { kind: 'idle', at: 'repl' }, tier: 'inferred' })
  })
  test('Node, which awaits beside its prompt', async () => {
    const pane = open(process.execPath)
    await pane.says('idle/repl')
    await run(pane, 'await new Promise(done => setTimeout(done, 60000))', 'working')
  })
  test.runIf(has('less'))('a pager', async () => {
    const file = temporaryFile('long', 'line\n'.repeat(500))
    await open('less', file).says('waiting/pager')
  })
  test('a tmux in the terminal', async () => {
    const socket = path.join(temporaryFolder(), 'inner')
    const pane = open('tmux', '-f', '/dev/null', '-S', socket, 'new-session', 'bash --norc')
    try {
      await pane.says('idle/shell')
      // Its own question takes the keys, and its prompt below is no shell's.
      pane.keys('C-b', '&')
      await until(
        () => pane.cold(),
        ({ state }) => state.kind === 'waiting',
      )
      pane.keys('n')
      await pane.says('idle/shell')
      // Copy mode takes the keys of a shell that is at its prompt, and a command runs on below it.
      pane.keys('C-b', '[')
      await pane.says('waiting/pager')
      pane.keys('q')
      await pane.says('idle/shell')
      execFileSync('tmux', ['-S', socket, 'set-option', '-g', 'status-position', 'top'])
      await run(pane, 'clear', 'idle/shell')
      expect((await pane.cold()).tier).toBe('proven')
      await run(pane, 'sleep 60', 'working')
      pane.keys('C-b', '[')
      await until(
        () => pane.probe(),
        ({ relay }) => relay?.isInMode === true,
      )
      await pane.says('working')
    } finally {
      execFileSync('tmux', ['-S', socket, 'kill-server'])
    }
  })
  test.runIf(process.getuid?.() === 0 && has('setpriv'))(
    'of another user are no more than guessed at',
    async () => {
      const pane = open('bash', '--norc')
      await pane.says('idle/shell')
      const asked = `
      const { probeTerminal } = await import(${JSON.stringify(path.resolve('src/terminal/probe/probe.ts'))})
      const { classify } = await import(${JSON.stringify(path.resolve('src/terminal/classify/classify.ts'))})
      console.log(JSON.stringify(classify(probeTerminal(${JSON.stringify(pane.tty)}, ${pane.pid}))))`
      const words = [process.execPath, '--input-type=module', '-e', asked]
      const told = execFileSync('setpriv', ['--reuid', '65534', '--clear-groups', ...words], {
        encoding: 'utf8',
      })
      expect(JSON.parse(told)).toMatchObject({
        behind: expect.stringContaining('bash'),
        tier: 'inferred',
        state: { kind: 'working' },
      })
    },
  )
})

describe.runIf(canRun)('what was sent', () => {
  test.each([['bash', '--norc'], ['dash']])(
    'is consumed before %s is believed to be ready again',
    // A hundred programs are started, which takes minutes on a busy machine.
    { timeout: 400_000 },
    async (...command) => {
      const pane = open(...command)
      await pane.says('idle/shell')
      const file = path.join(temporaryFolder(), 'done')
      writeFileSync(file, '')
      const line = `sleep 0.02; echo >> ${file}`
      for (let sent = 1; sent <= 25; sent++) {
        const before = probeTerminal(pane.tty, pane.pid)
        const learned = learn(nothingLearned, await pane.probe())
        pane.type(line)
        pane.keys('Enter')
        await until(
          () => probeTerminal(pane.tty, pane.pid),
          now =>
            isConsumed(before, now, line.length + 1) === true &&
            now.processes.some(readingOf) &&
            ['idle', 'unknown'].includes(classify(now, learned).state.kind),
        )
        expect(readFileSync(file, 'utf8')).toBe('\n'.repeat(sent))
      }
    },
  )
})
