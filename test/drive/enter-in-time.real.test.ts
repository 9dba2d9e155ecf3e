/** Enter to an agent is for the line that holds what was typed: what has taken its place at that moment does not get it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { refusedToType } from '../../src/drive/refusal.ts'
import { sendText } from '../../src/drive/send-text.ts'
import { createObserver } from '../../src/terminal/observer.ts'
import { tmuxPane } from '../../src/terminal/tmux-pane.ts'
import { temporaryFile, temporaryFolder } from '../support/lull.ts'
import { hasProgram, tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

/** Shows what is typed behind a pointer, until a file comes: then it asks for something. */
const script = `
const { appendFileSync, existsSync } = require('node:fs')
const [, , keys, swap] = process.argv
let line = ''
const draw = () => process.stdout.write('\\x1b[2J\\x1b[H' + (existsSync(swap) ? 'Remove it?\\r\\n❯ 1. Yes' : '❯ ' + line))
process.stdin.setRawMode(true)
process.stdin.on('data', data => { appendFileSync(keys, data); line += String(data); draw() })
setInterval(() => existsSync(swap) && draw(), 20)
draw()
`

describe.runIf(hasProgram('tmux'))('Enter', () => {
  const server = tmuxServer()

  async function typedInto(entering: (swap: string, pane: string) => Promise<void>) {
    const folder = temporaryFolder()
    const [keys, swap] = [path.join(folder, 'keys'), path.join(folder, 'swap')]
    const id = server.start(process.execPath, temporaryFile('agent.cjs', script), keys, swap)
    const [pid = '', tty = ''] = server
      .tmux('display-message', '-p', '-t', id, '#{pane_pid} #{pane_tty}')
      .trim()
      .split(' ')
    const pane = createObserver(tmuxPane({ socket: server.socket, id, pid: Number(pid), tty }))
    onTestFinished(() => pane.holder.close())
    await until(
      () => server.screen(id),
      screen => screen.includes('❯'),
    )
    const sending = sendText(pane, 'go on', {
      ...{ enter: true, force: true, timeout: 20_000 },
      entering: () => entering(swap, id),
      judge: async observation => {
        if (observation.lines.some(line => line.includes('Remove it?')))
          throw refusedToType('waitsForPerson', 'its screen shows a dialog')
        return { observation, isStranger: true }
      },
    })
    return { sending, typed: () => (existsSync(keys) ? readFileSync(keys, 'utf8') : '') }
  }

  test('goes where the text stands', async () => {
    const { sending, typed } = await typedInto(async () => undefined)
    expect(await sending).toMatchObject({ isEntered: true })
    // Enter was pressed, or read: it is noted a moment later.
    await until(typed, keys => keys === 'go on\r')
  })

  test('does not go into a dialog that came right before it', async () => {
    const { sending, typed } = await typedInto(async (swap, pane) => {
      writeFileSync(swap, '')
      await until(
        () => server.screen(pane),
        screen => screen.includes('Remove it?'),
      )
    })
    await expect(sending).rejects.toThrow('its screen shows a dialog')
    expect(typed()).toBe('go on')
  })
})
