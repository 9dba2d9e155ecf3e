/** `lull answer`, as a person calls it, on a program that draws a dialog as Claude Code does. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { ownPlaces } from '../support/running.ts'
import { hasProgram, tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

const labels = ['Yes', "Yes, and don't ask again", 'No']

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
  const run = (...args: readonly string[]) => lullHere(['answer', ...args, '--socket', server.socket], env)

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
    const terminal = await server.of(id)
    const signal = AbortSignal.abort()
    await expect(terminal.answer('no', { signal })).rejects.toThrow('it was called off')
    expect(existsSync(chosen)).toBe(false)
    expect(await run(`tmux:${id}`, 'no')).toEqual({ code: 0, stdout: 'answered: No\n', stderr: '' })
    expect(readFileSync(chosen, 'utf8')).toBe('No')
    expect(await run(`tmux:${id}`, 'yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no dialog with options'),
    })
    expect(await run(`tmux:${id}`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no choice given'),
    })
  })
})
