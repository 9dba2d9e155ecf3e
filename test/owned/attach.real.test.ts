/** `lull attach`: a real terminal shows one of lull's own. */
import { spawn } from '@lydell/node-pty'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createEmulator } from '../../src/owned/emulator/emulator.ts'
import { bin } from '../support/lull.ts'
import { type OwnTerminals, ownTerminals } from '../support/own-terminals.ts'
import { until } from '../support/until.ts'

/** A person's terminal of 60 by 12, in which `lull ARGS` runs. */
function viewer({ env }: OwnTerminals, ...args: readonly string[]) {
  const pty = spawn(process.execPath, [bin, ...args], {
    ...{ cols: 60, rows: 12, name: 'xterm-256color', encoding: null },
    env: { PATH: process.env.PATH ?? '', ...env, TERM: 'xterm-256color' },
  })
  const answered: string[] = []
  const screen = createEmulator({ columns: 60, rows: 12 }, text => {
    answered.push(text)
    pty.write(text)
  })
  let whole = ''
  pty.onData(data => {
    const piece = data as unknown as Buffer
    whole += piece.toString('latin1')
    void screen.write(piece)
  })
  const ended = new Promise<number>(resolve => pty.onExit(({ exitCode }) => resolve(exitCode)))
  onTestFinished(() => pty.kill())
  return {
    answered,
    ended,
    printed: () => whole,
    type: (text: string) => pty.write(text),
    resize: (columns: number, rows: number) => pty.resize(columns, rows),
    shows: (text: string | RegExp) =>
      until(
        () => screen.grid().rows.join('\n'),
        rows => (typeof text === 'string' ? rows.includes(text) : text.test(rows)),
        `${text} on the viewer's screen`,
      ),
  }
}

const own = ownTerminals(afterAll)
const shell = ['--', 'bash', '--norc', '--noprofile'] as const

test('what stands there is shown, keys go to its program, Ctrl-\\ leaves, and it goes on', async () => {
  await own.lull('open', 'build', ...shell)
  await own.lull('send', 'build', 'PS1="ready> "; clear; echo before', '--wait')
  const one = viewer(own, 'attach', 'build')
  await one.shows(/before\nready> /)
  one.type('stty size; echo typed-$((40+2))\r')
  await one.shows(/12 60\ntyped-42\n/)
  one.type('\u001c')
  expect(await one.ended).toBe(0)
  await one.shows('detached; build keeps running (lull attach build)')
  expect(await own.lull('send', 'build', 'echo still here', '--wait')).toMatchObject({ code: 0 })
})

test('two look on: both see what one types, one that reads only changes nothing', async () => {
  await own.lull('open', 'shared', '--size', '80x20', ...shell)
  const reader = viewer(own, 'attach', 'shared', '--read-only')
  await reader.shows(/[$#] /)
  reader.type('echo from-the-reader\r')
  const one = viewer(own, 'attach', 'shared', '--detach-key', 'C-]')
  await one.shows(/[$#] /)
  one.type('echo from-$((1+1))\r')
  await Promise.all([one.shows('from-2\n'), reader.shows('from-2\n')])
  expect(await own.requests.describe('shared')).toMatchObject({ columns: 60, rows: 12 })
  one.resize(50, 10)
  await until(
    () => own.requests.describe('shared'),
    ({ columns, rows }) => columns === 50 && rows === 10,
    'the new size',
  )
  expect((await own.requests.lines('shared', 50, false)).join('\n')).not.toContain('from-the-reader')
  one.type('\u001d')
  expect(await one.ended).toBe(0)
})

test('a question to the terminal is answered once, by lull', async () => {
  await own.lull('open', 'asks', ...shell)
  const one = viewer(own, 'attach', 'asks')
  await one.shows(/[$#] /)
  // What answers is echoed by the shell that reads it.
  one.type("printf '\\033[c\\033]11;?\\033\\\\'; read -t 1 -d c -s x; printf 'got [%q]\\n' \"$x\"\r")
  await one.shows(/got \[/)
  expect(one.answered).toEqual([])
  one.type('\u001c')
  await one.ended
})

test('its program ends: the viewer is told, and his terminal is his again', async () => {
  await own.lull('open', 'brief', ...shell)
  const one = viewer(own, 'attach', 'brief')
  await one.shows(/[$#] /)
  one.type("printf '\\033[?2004h\\033[?1000h\\033[?25l'; exit 4\r")
  expect(await one.ended).toBe(0)
  await one.shows('brief has ended')
  expect(one.printed()).toMatch(/\[\?1000l[\s\S]*\[\?25h/)
})

test('a terminal is not shown in itself', async () => {
  await own.lull('open', 'self', ...shell)
  const one = viewer({ ...own, env: { ...own.env, LULL_TERMINAL: 'self' } }, 'attach', 'self')
  expect(await one.ended).toBe(2)
  await one.shows('this is the terminal self')
})
