/** What a tmux server is asked, and the control client that hears a session: any byte in, and a clear end. */
import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { actIf, askTmux, pasteIf } from '../../src/os/tmux/ask-tmux.ts'
import { stepBlock } from '../../src/os/tmux/control-blocks.ts'
import { type ControlClient, controlClient } from '../../src/os/tmux/control-client.ts'
import type { ControlLine } from '../../src/os/tmux/control-lines.ts'
import { tmuxLine, tmuxWord } from '../../src/os/tmux/control-words.ts'
import { socketOf } from '../../src/os/tmux/socket-path.ts'
import { isRecent, listPanes } from '../../src/os/tmux/tmux-server.ts'
import { temporaryFile, temporaryFolder } from '../support/lull.ts'
import { hasProgram, tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

describe('a word of a command', () => {
  test('keeps what tmux would read as something else', () => {
    expect(tmuxWord('a;"$HOME"\\~\n')).toBe('"a;\\042\\044HOME\\042\\134\\176\\012"')
    expect(tmuxLine(['display-message', '#{pane_id}'])).toBe('"display-message" "#{pane_id}"')
  })
  test('can’t hold a NUL', () => {
    expect(() => tmuxWord('a\0b')).toThrow(RangeError)
  })
})

describe('the lines of a control client', () => {
  /** What is news of lines. */
  function news(...lines: readonly string[]): string[] {
    let open: string | undefined
    return lines.filter(line => {
      const step = stepBlock(open, Buffer.from(line))
      open = step.open
      return step.isNews
    })
  }
  test('an answer is all between two stamps that are the same, whatever it looks like', () => {
    const fake = ['%end 5 6 1', '%output %1 x', '%begin 9 9 1', '%error 1 3 1']
    expect(news('%begin 1 2 1', ...fake, '%end 1 2 1', '%output %1 y')).toEqual(['%output %1 y'])
  })
  test('a refusal, and what others asked', () => {
    expect(news('%begin 1 2 1', 'no', '%error 1 2 1', '%begin 3 4 0', '%end 3 4 0', '%exit')).toEqual([
      '%exit',
    ])
  })
})

describe('versions and sockets', () => {
  test.each([
    ['3.2', true],
    ['3.3a', true],
    ['next-3.6', true],
    ['10.0', true],
    ['master', true],
    ['openbsd-7.4', true],
    ['3.1c', false],
    ['2.9', false],
    ['', false],
  ])('tmux %j is recent: %j', (version, expected) => {
    expect(isRecent(version)).toBe(expected)
  })
  test('a socket is a path, a name, or what is around', () => {
    expect(socketOf('/tmp/x/../y', {})).toBe('/tmp/y')
    expect(socketOf('name', { TMUX_TMPDIR: '/run' })).toMatch(/^\/run\/tmux-\d+\/name$/)
    expect(socketOf(undefined, { TMUX: '/tmp/sock,123,0' })).toBe('/tmp/sock')
    expect(socketOf('other', { TMUX: '/tmp/sock,123,0' })).toMatch(/^\/tmp\/tmux-\d+\/other$/)
  })
})

describe.runIf(hasProgram('tmux'))('with a tmux server', () => {
  const server = tmuxServer()
  const clients: ControlClient[] = []
  afterAll(async () => {
    for (const client of clients) await client.close()
  })
  function connect(told: (line: ControlLine) => void = () => undefined): ControlClient {
    const client = controlClient(server.socket, '$0', told)
    clients.push(client)
    return client
  }

  test('every byte survives on its way into a buffer', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, n) => n))
    const file = path.join(temporaryFolder(), 'saved')
    const buffer = { buffer: 'all', bytes, isPaste: false }
    expect(await pasteIf(server.socket, '%0', '0', buffer)).toBe(false)
    server.tmux('save-buffer', '-b', 'all', file)
    expect(readFileSync(file)).toEqual(bytes)
  })

  test('a refusal is told from a server that is not there', async () => {
    await expect(askTmux(server.socket, 'list-panes', '-t', 'nowhere')).rejects.toMatchObject({
      code: 'REFUSED',
    })
    await expect(askTmux('/nowhere/socket', 'list-panes')).rejects.toMatchObject({ code: 'ENDED' })
  })

  test('does something only if it is true at that moment', async () => {
    const [pane] = await listPanes(server.socket)
    const id = pane?.id ?? ''
    const does = (of: string, condition: string, value: string) =>
      actIf(server.socket, of, condition, 'set-option', '-p', '-t', id, '@mark', value)
    expect(await does(id, `#{==:#{pane_pid},${pane?.pid}}`, 'yes')).toBe(true)
    expect(await does(id, '#{==:#{pane_pid},1}', 'no')).toBe(false)
    expect(await does('%999', `#{==:#{pane_pid},${pane?.pid}}`, 'no')).toBe(false)
    await expect(actIf(server.socket, id, '1', 'no-such-command')).rejects.toMatchObject({ code: 'REFUSED' })
    expect(await askTmux(server.socket, 'display-message', '-p', '-t', id, '#{@mark}')).toBe('yes\n')
  })

  test('a control client changes nobody’s window, and is read-only', async () => {
    await connect().attached
    expect(server.tmux('list-clients', '-F', '#{client_flags}')).toMatch(/ignore-size.*read-only/)
    expect(server.tmux('display-message', '-p', '-t', '%0', '#{window_width}x#{window_height}').trim()).toBe(
      '100x30',
    )
  })

  test('which outlives that several processes attach and leave at once: tmux 3.3a crashes where they overlap', async () => {
    const pid = server.tmux('display-message', '-p', '#{pid}')
    const module = new URL('../../src/os/tmux/control-client.ts', import.meta.url).href
    const script = temporaryFile(
      'attach.mjs',
      `import { controlClient } from '${module}'
for (let times = 0; times < 40; times++) {
  const client = controlClient(process.argv[2], '$0', () => undefined)
  await client.attached
  await client.close()
}`,
    )
    const attach = () => promisify(execFile)(process.execPath, [script, server.socket])
    await Promise.all([attach(), attach(), attach(), attach()])
    expect(server.tmux('display-message', '-p', '#{pid}')).toBe(pid)
  })

  test('leaves the environment of the session as it is', async () => {
    server.tmux('set-environment', '-t', '$0', 'SSH_AUTH_SOCK', '/a/person/s')
    await connect().attached
    expect(server.tmux('show-environment', '-t', '$0', 'SSH_AUTH_SOCK').trim()).toBe(
      'SSH_AUTH_SOCK=/a/person/s',
    )
  })

  test('one that is closed before it is its turn attaches to nothing', async () => {
    const before = server.tmux('list-clients')
    const [first, second] = [connect(), connect()]
    await second.close()
    await first.attached
    await first.close()
    expect(server.tmux('list-clients')).toBe(before)
  })

  test('tells once that the server has ended', async () => {
    const socket = path.join(temporaryFolder(), 'ends')
    const tmux = (...args: string[]) => execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args])
    tmux('new-session', '-d', 'sleep 1000')
    const told: string[] = []
    const client = controlClient(socket, '$0', line => told.push(line.type))
    clients.push(client)
    await client.attached
    tmux('kill-server')
    await until(
      () => told,
      lines => lines.includes('exit'),
    )
    await client.close()
    expect(told.filter(type => type === 'exit')).toHaveLength(1)
  })
})
