/** Codes to the terminals of tmux's clients: on a real tmux, and never into a pane. */
import { readFileSync } from 'node:fs'
import { spawn } from '@lydell/node-pty'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { bytesOf, notifyTerminals } from '../../src/notify/deliver/deliver.ts'
import type { Outgoing } from '../../src/notify/step/compose-step.ts'
import { writeTerminal } from '../../src/os/tty/write-terminal.ts'
import { temporaryFile } from '../support/lull.ts'
import { keyReader, tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

const message: Outgoing = {
  id: 'x',
  withdrawn: false,
  urgent: false,
  title: 'claude api: waiting\u001b]52;c;aGFjaw==\u0007',
  text: 'a; b\nlull go',
  count: 1,
  sessions: [],
}

test('each attached terminal gets the codes, and the program in the pane nothing', async () => {
  const server = tmuxServer()
  const typed = temporaryFile('typed', '')
  const pane = server.start(...keyReader(typed))
  await until(
    () => server.screen(pane),
    screen => screen.includes('up'),
  )
  server.tmux('select-window', '-t', pane)
  const nobody = await notifyTerminals('bell', message, [server.socket])
  expect(nobody).toEqual({ is: 'failed', why: 'nobody is attached to tmux' })
  const shown = ['', '']
  const clients = shown.map((_, n) => {
    const client = spawn('tmux', ['-S', server.socket, 'attach'], { cols: 80, rows: 24 })
    onTestFinished(() => client.kill())
    client.onData(data => {
      shown[n] += data
    })
    return client
  })
  expect(clients).toHaveLength(2)
  await until(
    () => server.tmux('list-clients').trim().split('\n').length,
    count => count === 2,
  )
  for (const signal of ['osc9', 'osc777'] as const) {
    expect(await notifyTerminals(signal, message, [server.socket, '/nowhere'])).toEqual({ is: 'done' })
    const wanted = bytesOf(signal, message)
    await until(
      () => shown,
      all => all.every(text => text.includes(wanted)),
    )
  }
  expect(shown.join('')).not.toContain('\u001b]52')
  expect(readFileSync(typed, 'utf8')).toBe('')
  expect(await notifyTerminals('bell', { ...message, withdrawn: true }, [server.socket])).toEqual({
    is: 'nothing',
  })
})

test('whatever a title or a text holds, one sequence is written and nothing else', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('\u001b', '\u0007', '\u009c', ';', '\\', 'a', '\n', ']') }),
      (title, text) => {
        for (const [a, b] of [
          [title, text],
          [text, title],
        ] as const) {
          expect(bytesOf('osc9', { title: a, text: b })).toMatch(
            /^\u001b\]9;lull: [^\u0000-\u001f\u007f-\u009f]*\u0007$/,
          )
          expect(bytesOf('osc777', { title: a, text: b })).toMatch(
            /^\u001b\]777;notify;lull: [^;\u0000-\u001f\u007f-\u009f]*;[^;\u0000-\u001f\u007f-\u009f]*\u0007$/,
          )
          expect(bytesOf('bell', { title: a, text: b })).toBe('\u0007')
        }
      },
    ),
  )
})

test('what is no terminal is not written', () => {
  const file = temporaryFile('tty', 'as it was')
  expect(writeTerminal(file, 'x')).toBe('it is no terminal')
  expect(writeTerminal('/dev/pts/99999', 'x')).toContain('can’t be opened')
  expect(readFileSync(file, 'utf8')).toBe('as it was')
})
