/** Real programs of nobody's list, each made for this: how they wait for the terminal, whatever else they do. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/lull.ts'
import { has, openPane, type TestPane } from '../support/tmux-pane.ts'

const canRun = has('tmux') && existsSync('/proc/self/syscall')
if (!canRun) console.warn('skipped: terminals need tmux, and a /proc that tells of system calls')

beforeAll(() => {
  process.env.XDG_STATE_HOME = temporaryFolder()
})

const open = (...command: string[]): TestPane => openPane(command)

/** Reads lines for ever, in 29 bytes of 32-bit code behind the smallest header. */
function program32(): string {
  const [base, start] = [0x08048000, 0x54]
  const code = '31db b93c800408 ba08000000 b803000000 cd80 ebf0'.replaceAll(' ', '')
  const file = Buffer.alloc(start + code.length / 2)
  Buffer.from('7f454c46010101', 'hex').copy(file)
  const words: readonly (readonly [at: number, value: number])[] = [
    [0x10, 0x0003_0002],
    [0x14, 1],
    [0x18, base + start],
    [0x1c, 0x34],
    [0x28, 0x0020_0034],
    [0x2c, 1],
    // The one part that is loaded, and may be written.
    [0x34, 1],
    [0x3c, base],
    [0x40, base],
    [0x44, file.length],
    [0x48, file.length],
    [0x4c, 7],
    [0x50, 0x1000],
  ]
  for (const [at, value] of words) file.writeUInt32LE(value, at)
  Buffer.from(code, 'hex').copy(file, start)
  const name = path.join(temporaryFolder(), 'reads32')
  writeFileSync(name, file)
  chmodSync(name, 0o755)
  return name
}

/** Some kernels run no 32-bit programs. */
function runs32(file: string): boolean {
  try {
    execFileSync(file, { input: '', timeout: 300 })
    return true
  } catch (error) {
    return (error as { signal?: string }).signal === 'SIGTERM'
  }
}

describe.runIf(canRun && process.arch === 'x64')('a 32-bit program', () => {
  test('that reads a line asks, whatever its calls are numbered', async ({ skip }) => {
    const file = program32()
    if (!runs32(file)) skip('this kernel runs none')
    const asks = await open(file).says('waiting/input')
    expect(asks.tier).toBe('proven')
  })
})

describe.runIf(canRun && has('python3'))('a program', () => {
  const python = (code: string) => open('python3', '-c', code)

  test('that polls a list of its own, which holds the terminal, reads it', async () => {
    const nested = 'import os, select; e = select.epoll(); e.register(0, select.EPOLLIN); p = select.poll()'
    const waits = 'os.write(1, b"Name: "); p.register(e.fileno(), select.POLLIN); p.poll()'
    expect((await python(`${nested}; ${waits}`).says('waiting/input')).tier).toBe('proven')
  })

  test('that the terminal echoes keys for asks a line of them, or one', async () => {
    const keys =
      'import os, termios; t = termios.tcgetattr(0); t[3] &= ~termios.ICANON; termios.tcsetattr(0, 0, t)'
    await python(`${keys}; os.write(1, b"Your name: "); os.read(0, 4096)`).says('waiting/input')
    await python(`${keys}; os.write(1, b"calc> "); os.read(0, 4096)`).says('waiting/input')
    await python(`${keys}; os.write(1, b"Your name: "); os.read(0, 1)`).says('waiting/keypress')
    await python(`${keys}; os.write(1, b"Go on [g] "); os.read(0, 4096)`).says('waiting/keypress')
  })

  test('whose worker sleeps while it watches the keys in another thread runs', async () => {
    const raw = 'import os, subprocess, sys, threading, tty; tty.setraw(0)'
    const worker = 'subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])'
    const watch = 'threading.Thread(target=lambda: os.read(0, 1)).start()'
    await python(`${raw}; ${worker}; os.write(1, b"db> "); ${watch}`).says('working')
  })
})
