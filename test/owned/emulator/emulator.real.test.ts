/** What an emulator shows is what tmux shows of the same output. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createEmulator } from '../../../src/owned/emulator/emulator.ts'
import { temporaryFolder } from '../../support/lull.ts'

const size = { columns: 40, rows: 8 }

async function emulated(text: string) {
  const replies: string[] = []
  const emulator = createEmulator(size, reply => replies.push(reply))
  await emulator.write(Buffer.from(text))
  return { emulator, replies }
}

const outputs: Readonly<Record<string, string>> = {
  'lines that scroll away': `${Array.from({ length: 30 }, (_, n) => `line ${n}`).join('\r\n')}\r\n$ `,
  'a line that wraps': `${'abcdefghij'.repeat(6)}\r\nnext `,
  'wide characters': '表示 ok\r\n> 日本',
  'a screen of its own': '$ vim\r\n\u001b[?1049h\u001b[2J\u001b[3;5Hhello\u001b[8;1H:q',
  'a screen that is left again': 'before\r\n\u001b[?1049h\u001b[Hinside\u001b[?1049l$ ',
  'a region that scrolls': '\u001b[2;5r\u001b[5;1Ha\r\nb\r\nc\r\nd\r\ne\u001b[r\u001b[8;1Hend ',
  'cursor moves and erases': 'abcdef\u001b[3D\u001b[K\r\n12345\u001b[1;1HX\u001b[4;3Hy',
  tabs: 'a\tb\tc\r\n\u001b[3g\u001b[5C\u001bHx\r\ta',
}

test.each(Object.keys(outputs))('%s', async name => {
  const text = outputs[name] ?? ''
  const folder = temporaryFolder()
  writeFileSync(path.join(folder, 'output'), text)
  const socket = path.join(folder, 'tmux')
  const tmux = (...args: readonly string[]) =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' })
  try {
    const command = `stty raw; cat ${path.join(folder, 'output')}; tmux -S ${socket} wait-for -S shown; sleep 100`
    tmux('new-session', '-d', '-x', `${size.columns}`, '-y', `${size.rows}`, command)
    tmux('wait-for', 'shown')
    const theirs = tmux('capture-pane', '-p').replace(/\n$/, '').split('\n')
    const cursor = tmux('display-message', '-p', '#{cursor_y} #{cursor_x} #{alternate_on}').trim()
    const { emulator } = await emulated(text)
    const grid = emulator.grid()
    expect(grid.rows.map(row => row.trimEnd())).toEqual(theirs.map(row => row.trimEnd()))
    expect(`${grid.cursor?.row} ${grid.cursor?.column} ${grid.alternate ? 1 : 0}`).toBe(cursor)
  } finally {
    tmux('kill-server')
  }
})

test('it answers what a terminal is asked', async () => {
  const { replies } = await emulated(
    'ab\u001b[c\u001b[6n\u001b]10;?\u0007\u001b]11;?\u001b\\\u001b]7501;?\u001b\\',
  )
  expect(replies).toEqual([
    expect.stringMatching(/^\u001b\[\?[\d;]+c$/),
    '\u001b[1;3R',
    '\u001b]10;rgb:d0d0/d0d0/d0d0\u001b\\',
    '\u001b]11;rgb:0000/0000/0000\u001b\\',
    '\u001b]7501;?\u001b\\',
  ])
})

test('a prompt keeps its blank, a cursor that is hidden is told, a title is kept', async () => {
  const { emulator } = await emulated('\u001b]0;work\u0007\u001b[?25l$ ')
  expect(emulator.grid()).toMatchObject({ isCursorHidden: true, rows: expect.arrayContaining(['$ ']) })
  expect(emulator.title()).toBe('work')
  await emulator.write(Buffer.from('\u001b[?25h'))
  expect(emulator.grid()).not.toHaveProperty('isCursorHidden')
})

test('with its colours a row is as long as without, and says which they are', async () => {
  const { emulator } = await emulated(
    '\u001b[1;31mred\u001b[0m \u001b[38;5;208mo\u001b[48;2;1;2;3mx\u001b[0m\u001b[97;104mz\u001b[0m',
  )
  expect(emulator.colouredLines('screen')[0]).toBe(
    '\u001b[0;1;31mred\u001b[0m \u001b[0;38;5;208mo\u001b[0;38;5;208;48;2;1;2;3mx\u001b[0;97;104mz\u001b[0m',
  )
})

test('another terminal is brought to its screen by its snapshot', async () => {
  for (const text of Object.values(outputs)) {
    const { emulator } = await emulated(text)
    const { emulator: other } = await emulated(emulator.snapshot())
    expect(other.grid().rows.map(row => row.trimEnd())).toEqual(
      emulator.grid().rows.map(row => row.trimEnd()),
    )
    expect(other.grid().cursor).toEqual(emulator.grid().cursor)
  }
})

test('what is no sequence is passed over in silence: a page of the log for each would fill the disk', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  onTestFinished(() => said.mockRestore())
  const emulator = createEmulator({ columns: 40, rows: 8 }, () => undefined)
  await emulator.write(Buffer.from('\u001b[1\u00e9 \u007f \u001b(\u{1f600} text\r\n'))
  expect(said).not.toHaveBeenCalled()
  expect(emulator.lines(8).join('')).toContain('text')
})
