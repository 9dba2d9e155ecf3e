/** Programs that only pass a terminal on, known by what they do: the program behind them is judged, or nothing is claimed. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { gate } from '../support/gate.ts'
import { temporaryFile, temporaryFolder } from '../support/lull.ts'
import { word } from '../support/probes.ts'
import { has, openPane, type TestPane } from '../support/tmux-pane.ts'
import { until } from '../support/until.ts'

const canRun = has('tmux') && existsSync('/proc/self/syscall')
if (!canRun) console.warn('skipped: terminals need tmux, and a /proc that tells of system calls')

const shell = ['env', 'PS1=$ ', 'bash', '--norc', '--noprofile']

/** pty.spawn copies between both in one select. */
const spawns = 'import pty, sys; pty.spawn(sys.argv[1:])'

/** A thread for each direction, as programs in Go and Rust have it. */
const threads = `
import os, pty, sys, threading, tty
pid, master = pty.fork()
if pid == 0: os.execvp(sys.argv[1], sys.argv[1:])
tty.setraw(0)
def show():
    while True: os.write(1, os.read(master, 9999))
threading.Thread(target=show, daemon=True).start()
while True: os.write(master, os.read(0, 999))
`

/** It keeps a shell for itself, and has a line of its own, which it reads beside. */
const ownLine = (sign: string) => `
sign = ${JSON.stringify(sign)}
import os, pty, select, sys, tty
pid, master = pty.fork()
if pid == 0: os.execvp(sys.argv[1], sys.argv[1:])
tty.setraw(0)
os.write(1, ('helper\\r\\n\\r\\n' + sign + ' ').encode())
while True:
    for fd in select.select([0, master], [], [])[0]: os.read(fd, 9999)
`

/** Two shells: which of them is shown, nobody can know. */
const twoShells = `
import os, pty, select, sys, tty
def start():
    pid, master = pty.fork()
    if pid == 0: os.execvp(sys.argv[1], sys.argv[1:])
    return master
one, two = start(), start()
tty.setraw(0)
while True:
    for fd in select.select([0, one, two], [], [])[0]:
        data = os.read(fd, 9999)
        if fd == one: os.write(1, data)
        if fd == 0: os.write(one, data)
`

const python = (script: string): readonly string[] => ['python3', '-c', script, ...shell]
const socket = (name: string): string => path.join(temporaryFolder(), name)

const relays: readonly (readonly [needs: string, how: string, command: () => readonly string[]])[] = [
  ['python3', 'a pty that an interpreter spawns', () => python(spawns)],
  ['python3', 'a thread for each direction', () => python(threads)],
  [
    'socat',
    'socat',
    () => ['socat', '-,raw,echo=0', `EXEC:${shell.slice(2).join(' ')},pty,stderr,setsid,ctty`],
  ],
  [
    'socat',
    'socat, in lines',
    () => ['socat', '-', `EXEC:${shell.slice(2).join(' ')},pty,stderr,setsid,ctty`],
  ],
  ['rlwrap', 'rlwrap', () => ['rlwrap', 'env', 'PS1=$ ', 'dash']],
  ['expect', 'expect', () => ['expect', '-c', 'spawn -noecho env {PS1=$ } bash --norc; interact']],
  ['dtach', 'dtach', () => ['dtach', '-A', socket('dtach'), ...shell]],
  ['screen', 'screen', () => ['screen', '-q', '-c', '/dev/null', ...shell]],
]

beforeAll(() => {
  process.env.XDG_STATE_HOME = temporaryFolder()
})

const screens = temporaryFolder()
const open = (command: readonly string[]): TestPane => openPane(command, ['PS1=$ ', `SCREENDIR=${screens}`])

async function run(pane: TestPane, line: string, expected: string): Promise<void> {
  pane.type(line)
  pane.keys('Enter')
  await pane.says(expected)
}

describe.runIf(canRun)('is looked through', () => {
  for (const [needs, how, command] of relays) {
    if (!has(needs)) console.warn(`skipped: ${needs} is missing (npm run setup-bench)`)
    test.runIf(has(needs))(how, async () => {
      const pane = open(command())
      const { reader } = await pane.says('idle/shell')
      expect(reader).not.toBe(pane.pid)
      const { command: waits, open: goOn } = gate()
      await run(pane, `${waits}; read answer`, 'working')
      goOn()
      await pane.says('waiting/input')
      pane.keys('Enter')
      await pane.says('idle/shell')
      pane.type('exit')
      pane.keys('Enter')
    })
  }
})

test.runIf(canRun && has('python3'))(
  'a prompt that no shell has is known by what bash has written',
  async () => {
    const pane = open(python(spawns))
    await pane.says('idle/shell')
    await run(pane, "PS1='\\[\\e[1m\\]two\\nlines \u276f\\[\\e[0m\\] '", 'idle/shell')
    await run(pane, 'read -p "lines \u276f " answer', 'waiting/input')
  },
)

describe.runIf(canRun && has('python3'))('is not called ready, nor a question for a key,', () => {
  test.each([
    ['what keeps a shell for itself and shows its own line', ownLine('\u276f')],
    ['what shows a line that ends as that of a shell', ownLine('helper#')],
    ['what has several shells', twoShells],
  ])('%s', async (_, script) => {
    const pane = open(['python3', temporaryFile('relay.py', script), ...shell])
    await until(
      () => pane.cold(),
      verdict => verdict.behind !== undefined && word(verdict) === 'unknown',
    )
    // What was seen before makes it no surer.
    await pane.says('unknown')
    await pane.says('unknown')
  })
  test.runIf(has('screen'))('a screen of several windows', async () => {
    const pane = open(['screen', '-q', '-c', '/dev/null', ...shell])
    await pane.says('idle/shell')
    pane.keys('C-a', 'c')
    await pane.says('unknown')
    pane.type('exit')
    pane.keys('Enter')
    await pane.says('idle/shell')
    pane.type('exit')
    pane.keys('Enter')
  })
})
