/** lull's own tmux client: it asks as the program tmux does, and gives a server nothing but its question. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { attempt } from '../../src/os/attempt.ts'
import { askTmux, pasteIf } from '../../src/os/tmux/ask-tmux.ts'
import { decode, encode, integerAt, messageType } from '../../src/os/tmux/client-messages.ts'
import { askServer } from '../../src/os/tmux/tmux-client.ts'
import { fakeServer } from '../support/fake-tmux.ts'
import { temporaryFolder } from '../support/lull.ts'
import { hasProgram, tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

/** Integers, then text, as a C program lays them out. */
const data = (integers: readonly number[], text = ''): Buffer =>
  Buffer.concat([Buffer.from(Int32Array.from(integers).buffer), Buffer.from(text)])

const patience = { timeout: 10_000 }

describe('messages', () => {
  test('are read whole, however they are cut', () => {
    const sent = Buffer.concat([encode(300, data([1, 0])), encode(304, data([1], 'text'))])
    for (let cut = 0; cut <= sent.length; cut++) {
      const first = decode(sent.subarray(0, cut))
      const second = decode(Buffer.concat([first.rest, sent.subarray(cut)]))
      expect([...first.messages, ...second.messages].map(({ type }) => type)).toEqual([300, 304])
      expect(second.rest).toHaveLength(0)
    }
  })
  test('that can’t be are waited for, and do no harm', () => {
    const bytes = Buffer.alloc(64)
    expect(decode(bytes)).toEqual({ messages: [], rest: bytes })
  })
})

describe('a server that is none', () => {
  test('or of another protocol, which has done nothing', async () => {
    const { socket } = await fakeServer([messageType.version])
    expect(await askServer(socket, ['list-panes'], patience)).toEqual({ type: 'otherProtocol' })
  })

  test('that ends, that says nothing, that is not there', async () => {
    expect(await askServer((await fakeServer()).socket, ['x'], patience)).toEqual({ type: 'lost' })
    const { socket } = await fakeServer([1])
    expect(await askServer(socket, ['x'], { timeout: 1 })).toEqual({ type: 'silent' })
    expect(await askServer(path.join(temporaryFolder(), 'none'), ['x'], patience)).toEqual({
      type: 'unreachable',
      code: 'ENOENT',
    })
  })

  test('gets no file to read and none to write, and runs nothing', async () => {
    const secret = path.join(temporaryFolder(), 'secret')
    writeFileSync(secret, 'secret')
    const exec = 217
    const { socket, received } = await fakeServer(
      [messageType.readOpen, data([7, -1], `${secret}\0`)],
      [messageType.writeOpen, data([8, -1, 0], `${secret}\0`)],
      [exec, data([], `touch ${secret}\0/bin/sh\0`)],
      [messageType.exit, data([0])],
    )
    expect(await askServer(socket, ['x'], { ...patience, input: Buffer.from('input') })).toMatchObject({
      isDone: true,
    })
    const answers = await until(
      () => decode(received()).messages,
      messages => messages.at(-1)?.type === messageType.exiting,
    )
    const badFile = 9
    const answerTo = (type: number) => {
      const answer = answers.find(message => message.type === type)?.data ?? Buffer.alloc(0)
      return [integerAt(answer, 0), integerAt(answer, 4)]
    }
    expect(answerTo(messageType.readDone)).toEqual([7, badFile])
    expect(answerTo(messageType.writeReady)).toEqual([8, badFile])
    expect(answers.some(({ type }) => type === messageType.read)).toBe(false)
  })

  test('what it says at the end is a refusal, whatever its code', async () => {
    const { socket } = await fakeServer([messageType.exit, data([0], 'access not allowed\0')])
    expect(await askServer(socket, ['x'], patience)).toMatchObject({
      isDone: false,
      complaint: 'access not allowed',
    })
  })
})

describe.runIf(hasProgram('tmux'))('a real server', () => {
  const server = tmuxServer()

  test('is asked in any language', async () => {
    server.tmux('set-option', '-g', '@word', 'schön ✓')
    expect(await askTmux(server.socket, 'display-message', '-p', '#{@word}')).toBe('schön ✓\n')
  })

  test('is told of the pane around, whose session is meant where none is named', async () => {
    const before = process.env.TMUX_PANE
    try {
      for (const name of ['one', 'two']) {
        process.env.TMUX_PANE = server
          .tmux('new-session', '-d', '-s', name, '-P', '-F', '#{pane_id}', 'cat')
          .trim()
        expect(await askTmux(server.socket, 'display-message', '-p', '#{session_name}')).toBe(`${name}\n`)
      }
    } finally {
      if (before === undefined) delete process.env.TMUX_PANE
      else process.env.TMUX_PANE = before
    }
  })

  test('takes a large input, and prints much', async () => {
    const bytes = Buffer.from(Array.from({ length: 40_000 }, (_, n) => `${n} é\n`).join(''))
    const file = path.join(temporaryFolder(), 'large')
    const reads = `stty raw -echo; printf ready; head -c ${bytes.length} > ${file}`
    const id = server.tmux('new-window', '-d', '-P', '-F', '#{pane_id}', 'sh', '-c', reads).trim()
    await until(
      () => server.screen(id),
      rows => rows.includes('ready'),
    )
    expect(await pasteIf(server.socket, id, ['1'], { buffer: 'large', bytes, isPaste: false })).toBe(true)
    await until(
      () => attempt(() => statSync(file).size),
      size => size === bytes.length,
    )
    expect(readFileSync(file, 'utf8')).toBe(`${bytes}`.replaceAll('\n', '\r'))
    server.tmux('load-buffer', '-b', 'large', file)
    expect(await askTmux(server.socket, 'show-buffer', '-b', 'large')).toBe(readFileSync(file, 'utf8'))
  })

  test('is not asked for more than it takes', async () => {
    const long = 'x'.repeat(17_000)
    await expect(askTmux(server.socket, 'display-message', '-p', long)).rejects.toMatchObject({
      code: 'REFUSED',
      message: 'command too long',
    })
  })

  test('attaches nobody', async () => {
    await askTmux(server.socket, 'list-panes')
    expect(server.tmux('list-clients')).toBe('')
  })
})
