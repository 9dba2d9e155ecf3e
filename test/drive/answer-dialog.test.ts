/** A dialog is answered by its text: read again before each key, and never where it has changed. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { answerDialog } from '../../src/drive/dialog/answer-dialog.ts'
import { readDialog } from '../../src/drive/dialog/shown-dialog.ts'
import { lull, temporaryFolder } from '../support/lull.ts'
import { ownPlaces } from '../support/running.ts'
import { hasProgram, tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

const edge = '─'.repeat(40)
const labels = ['Yes', "Yes, and don't ask again", 'No']
const drawn = (command: string, pointed: number): readonly string[] => [
  edge,
  ' Bash command',
  `   ${command}`,
  ' Do you want to proceed?',
  ...labels.map((label, n) => ` ${n === pointed ? '❯' : ' '} ${n + 1}. ${label}`),
  // Claude Code tells what Tab does of some.
  pointed === 0 ? ' Esc to cancel · Tab to amend' : ' Esc to cancel',
]
const composer = ['● Done.', '', edge, '❯ ', edge]

/** A dialog that does as Claude Code's does, unless it is told otherwise. */
function dialog(
  how: { onKey?: (pressed: number) => readonly string[] | undefined; isDeaf?: boolean; stays?: boolean } = {},
) {
  let [pointed, screen] = [0, drawn('rm -rf build', 0)]
  const pressed: string[] = []
  const press = async (key: string): Promise<void> => {
    pressed.push(key)
    if (how.isDeaf) return
    if (key === 'Down') pointed++
    if (key === 'Up') pointed--
    screen = key === 'Enter' && !how.stays ? composer : drawn('rm -rf build', pointed)
    screen = how.onKey?.(pressed.length) ?? screen
  }
  return { pressed, ports: { read: () => readDialog(screen, 'claude'), press } }
}

describe('an answer', () => {
  test('points at the option, presses Enter, and sees the dialog go', async () => {
    const { pressed, ports } = dialog()
    const { option, isGone } = await answerDialog(ports, 'no')
    expect([option.label, isGone, pressed]).toEqual(['No', true, ['Down', 'Down', 'Enter']])
  })

  test('says where the dialog still stands', async () => {
    const { ports } = dialog({ stays: true })
    expect((await answerDialog(ports, 'yes')).isGone).toBe(false)
  })

  test('is not given where another dialog has come in between, or another one was meant', async () => {
    const swapped = dialog({ onKey: count => (count === 1 ? drawn('rm -rf /', 1) : undefined) })
    await expect(answerDialog(swapped.ports, 'no')).rejects.toThrow('what it shows has changed')
    expect(swapped.pressed).toEqual(['Down'])
    const redirected = dialog({ onKey: count => (count === 1 ? drawn('rm -rf > build', 1) : undefined) })
    await expect(answerDialog(redirected.ports, 'no')).rejects.toThrow('what it shows has changed')
    const other = dialog()
    await expect(answerDialog(other.ports, 'no', 'ffffffff')).rejects.toThrow('what it shows has changed')
    expect(other.pressed).toEqual([])
  })

  test('is not given where somebody else moves the pointer, or nothing moves it', async () => {
    const pulled = dialog({ onKey: () => drawn('rm -rf build', 2) })
    await expect(answerDialog(pulled.ports, '2')).rejects.toThrow('pointer does not move')
    const deaf = dialog({ isDeaf: true })
    await expect(answerDialog(deaf.ports, 'no')).rejects.toThrow('Enter was not pressed')
    expect(deaf.pressed).toEqual(['Down'])
  })

  test('is refused where nothing asks, or several may be chosen', async () => {
    const ports = { read: () => readDialog(composer, 'claude'), press: async () => undefined }
    await expect(answerDialog(ports, 'yes')).rejects.toThrow('no dialog with options is shown')
    const boxes = [edge, ' Which?', ' ❯ 1. [ ] One', '   2. [x] Two', ' Enter to select']
    const several = { ...ports, read: () => readDialog(boxes, 'claude') }
    await expect(answerDialog(several, '1')).rejects.toThrow('several options may be chosen')
  })

  test('by a key that is named beside it presses that key', async () => {
    const pressed: string[] = []
    const asks = [' Cline needs permission', '', '   npm test', '', ' [y] Approve   [n] Deny']
    const read = () => readDialog(pressed.length === 0 ? asks : composer, 'cline')
    const press = async (key: string) => void pressed.push(key)
    expect((await answerDialog({ read, press }, 'no')).option.label).toBe('Deny')
    expect(pressed).toEqual(['n'])
  })
})

/** Draws a dialog as Claude Code does, notes what is chosen, and shows its composer again. */
const program = `
const { writeFileSync } = require('node:fs')
let pointed = 0, isOpen = true
const edge = '─'.repeat(40)
const labels = ${JSON.stringify(labels)}
const draw = () => process.stdout.write('\\x1b[2J\\x1b[H' + (isOpen
  ? [edge, ' Bash command', '   rm -rf build', ' Do you want to proceed?', ...labels.map((l, n) => (n === pointed ? ' ❯ ' : '   ') + (n + 1) + '. ' + l), ' Esc to cancel']
  : ['● Done.', '', edge, '❯ ', edge]).join('\\r\\n'))
process.stdin.setRawMode(true)
process.stdin.on('data', data => {
  const key = String(data)
  if (key === '\\x1b[B') pointed++
  if (key === '\\x1b[A') pointed--
  if (key === '\\r' && isOpen) { isOpen = false; writeFileSync(process.argv[2], labels[pointed]) }
  draw()
})
draw()
`

describe.runIf(hasProgram('tmux'))('lull answer', () => {
  const server = tmuxServer()
  const env = { ...ownPlaces(), TMUX: '', TMUX_PANE: '', LULL_PANE: '' }
  const run = (...args: readonly string[]) => lull(['answer', ...args, '--socket', server.socket], [], env)

  test('lists what is asked, chooses by text, and says what came of it', async () => {
    const folder = temporaryFolder()
    const [script, chosen] = [path.join(folder, 'asks.cjs'), path.join(folder, 'chosen')]
    writeFileSync(script, program)
    const words = [process.execPath, script, chosen].join(' ')
    const id = server.start('bash', '-c', `exec -a claude ${words}`)
    await until(
      () => server.screen(id),
      screen => screen.includes('3. No'),
      'its dialog',
    )
    const listed = await run(`tmux:${id}`, '--list')
    expect(listed.code).toBe(3)
    expect(listed.stdout).toMatch(
      /rm -rf build[\s\S]*asks for: permission; dialog ([0-9a-f]{8});[\s\S]* {2}3 {2}No\n/,
    )
    const other = await run(`tmux:${id}`, 'no', '--dialog', '00000000')
    expect(other).toMatchObject({ code: 3, stdout: '' })
    expect(other.stderr).toContain('what it shows has changed')
    expect(await run(`tmux:${id}`, 'maybe')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no option is called "maybe"'),
    })
    expect(existsSync(chosen)).toBe(false)
    expect(await run(`tmux:${id}`, 'no')).toEqual({ code: 0, stdout: 'answered: No\n', stderr: '' })
    expect(readFileSync(chosen, 'utf8')).toBe('No')
    expect(await run(`tmux:${id}`, 'yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no dialog with options'),
    })
    expect(await run(`tmux:${id}`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('say what to choose'),
    })
  })
})
