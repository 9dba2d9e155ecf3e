/** The control client: any byte in, any byte out, answers to their questions, and a clear end. */
import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { type OpenBlock, stepBlock } from '../../src/os/tmux/control-blocks.ts'
import { type ControlClient, type ControlOptions, controlClient } from '../../src/os/tmux/control-client.ts'
import type { ControlLine } from '../../src/os/tmux/control-lines.ts'
import { tmuxLine, tmuxWord } from '../../src/os/tmux/control-words.ts'
import { joinSession } from '../../src/os/tmux/shared-control.ts'
import { socketOf } from '../../src/os/tmux/socket-path.ts'
import { isRecent, listPanes } from '../../src/os/tmux/tmux-server.ts'
import { temporaryFile, temporaryFolder } from '../support/lull.ts'
import { bash, hasProgram, tmuxServer } from '../support/tmux-server.ts'
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
  /** What comes of lines: answers, and what is news. */
  function read(...lines: readonly string[]): string[] {
    let open: OpenBlock | undefined
    return lines.flatMap(line => {
      const step = stepBlock(open, Buffer.from(line))
      open = step.open
      if (step.isNews) return [`news ${line}`]
      const { answered } = step
      return answered
        ? [`${answered.isError ? 'error' : 'answer'} ${answered.isOwn} ${answered.lines.join('|')}`]
        : []
    })
  }
  test('an answer is all between two stamps that are the same, whatever it looks like', () => {
    const fake = ['%end 5 6 1', '%output %1 x', '%begin 9 9 1', '%error 1 3 1']
    expect(read('%begin 1 2 1', ...fake, '%end 1 2 1', '%output %1 y')).toEqual([
      `answer true ${fake.join('|')}`,
      'news %output %1 y',
    ])
  })
  test('a refusal, and what others asked', () => {
    expect(read('%begin 1 2 1', 'no', '%error 1 2 1', '%begin 3 4 0', '%end 3 4 0')).toEqual([
      'error true no',
      'answer false ',
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
  function connect(options: ControlOptions = {}, told: (line: ControlLine) => void = () => undefined) {
    const client = controlClient(server.socket, '$0', told, options)
    clients.push(client)
    return client
  }

  test('every byte but NUL survives a command', async () => {
    const client = connect({ types: true })
    const bytes = Buffer.from(Array.from({ length: 255 }, (_, n) => n + 1))
    const file = path.join(temporaryFolder(), 'saved')
    await client.run('set-buffer', '-b', 'all', '--', bytes)
    await client.run('save-buffer', '-b', 'all', file)
    expect(readFileSync(file)).toEqual(bytes)
  })

  test('answers come to their questions, refusals too', async () => {
    const client = connect()
    const asked = Array.from({ length: 60 }, (_, n) =>
      n % 7 === 0
        ? client.run('no-such-command').catch((error: Error) => error.message)
        : client.run('display-message', '-p', `answer ${n}`).then(([line]) => line),
    )
    expect(await Promise.all(asked)).toEqual(
      asked.map((_, n) => (n % 7 === 0 ? expect.stringContaining('unknown command') : `answer ${n}`)),
    )
    await expect(client.run('list-panes', '-t', 'nowhere')).rejects.toMatchObject({ code: 'REFUSED' })
  })

  test('does something only if it is true at that moment', async () => {
    const client = connect({ types: true })
    const [pane] = await listPanes(server.socket)
    const id = pane?.id ?? ''
    const set = (value: string) => ['set-option', '-p', '-t', id, '@mark', value]
    expect(await client.runIf(id, `#{==:#{pane_pid},${pane?.pid}}`, ...set('yes'))).toBe(true)
    expect(await client.runIf(id, '#{==:#{pane_pid},1}', ...set('no'))).toBe(false)
    expect(await client.runIf('%999', `#{==:#{pane_pid},${pane?.pid}}`, ...set('no'))).toBe(false)
    await expect(client.runIf(id, '1', 'no-such-command')).rejects.toMatchObject({ code: 'REFUSED' })
    expect(await client.run('display-message', '-p', '-t', id, '#{@mark}')).toEqual(['yes'])
  })

  test('changes nobody’s window, and is read-only unless it is to type', async () => {
    const reads = connect()
    const types = connect({ types: true })
    await Promise.all([reads.run('display-message', '-p', ''), types.run('display-message', '-p', '')])
    expect(server.tmux('list-clients', '-F', '#{client_flags}')).toMatch(/read-only/)
    expect(server.tmux('list-clients', '-F', '#{?#{m:*ignore-size*,#{client_flags}},yes,no}')).not.toMatch(
      'no',
    )
    expect(server.tmux('display-message', '-p', '-t', '%0', '#{window_width}x#{window_height}').trim()).toBe(
      '100x30',
    )
  })

  test('loses no byte of floods, and passes over those of other panes', async () => {
    const content = Buffer.from(
      Array.from({ length: 20_000 }, (_, n) => `${n} \u001b[3${n % 8}mflood\u001b[0m é \\ %end 1 2 1\n`).join(
        '',
      ),
    )
    const file = temporaryFile('flood', content)
    const show = (name: string) =>
      server.start('bash', '-c', `stty -opost; read -r _; cat ${file}; sleep 100 # ${name}`)
    const [wanted, other] = [show('wanted'), show('other')]
    const heard = new Map<string, Buffer[]>()
    const client = connect({ types: true, panes: new Set([wanted]) }, line => {
      if (line.type === 'output') heard.set(line.pane, [...(heard.get(line.pane) ?? []), line.bytes])
    })
    await client.run('display-message', '-p', '')
    await Promise.all([wanted, other].map(pane => client.run('send-keys', '-t', pane, 'Enter')))
    const all = () => Buffer.concat(heard.get(wanted) ?? [])
    // Ahead of it the echo of Enter.
    await until(
      () => all().length,
      length => length >= content.length,
    )
    expect(all().subarray(-content.length).equals(content)).toBe(true)
    expect([...heard.keys()]).toEqual([wanted])
  })

  test('one client serves all panes of a session', async () => {
    const before = server.tmux('list-clients').split('\n').length
    const panes = [server.start(...bash), server.start(...bash)]
    const heard: string[] = []
    const joined = panes.map(pane =>
      joinSession({ socket: server.socket, session: '$0', pane, types: true }, line => {
        if (line.type === 'output') heard.push(`${pane} ${line.pane}`)
      }),
    )
    await Promise.all(joined.map(one => one.run('display-message', '-p', '')))
    expect(server.tmux('list-clients').split('\n').length).toBe(before + 1)
    for (const pane of panes) server.tmux('send-keys', '-t', pane, 'x')
    await until(
      () => new Set(heard),
      all => all.size === 2,
    )
    expect(new Set(heard)).toEqual(new Set(panes.map(pane => `${pane} ${pane}`)))
    await joined[0]?.close()
    expect(await joined[1]?.run('display-message', '-p', 'still')).toEqual(['still'])
    await joined[1]?.close()
    expect(server.tmux('list-clients').split('\n').length).toBe(before)
  })

  test('which outlives that several processes attach and leave at once: tmux 3.3a crashes where they overlap', async () => {
    const pid = server.tmux('display-message', '-p', '#{pid}')
    const module = new URL('../../src/os/tmux/control-client.ts', import.meta.url).href
    const script = temporaryFile(
      'attach.mjs',
      `import { controlClient } from '${module}'
for (let times = 0; times < 40; times++) {
  const client = controlClient(process.argv[2], '$0', () => undefined)
  await client.run('display-message', '-p', 'in')
  await client.close()
}`,
    )
    const attach = () => promisify(execFile)(process.execPath, [script, server.socket])
    await Promise.all([attach(), attach(), attach(), attach()])
    expect(server.tmux('display-message', '-p', '#{pid}')).toBe(pid)
  })

  test('leaves the environment of the session as it is', async () => {
    server.tmux('set-environment', '-t', '$0', 'SSH_AUTH_SOCK', '/a/person/s')
    await connect().run('display-message', '-p', 'in')
    expect(server.tmux('show-environment', '-t', '$0', 'SSH_AUTH_SOCK').trim()).toBe(
      'SSH_AUTH_SOCK=/a/person/s',
    )
  })

  test('one that is closed before it is its turn asks nothing', async () => {
    const [first, second] = [connect(), connect()]
    const asked = second.run('display-message', '-p', 'late')
    const refused = expect(asked).rejects.toMatchObject({ code: 'ENDED' })
    await second.close()
    await refused
    expect(await first.run('display-message', '-p', 'in')).toEqual(['in'])
  })

  test('tells once that the server has ended, and leaves no question open', async () => {
    const socket = path.join(temporaryFolder(), 'ends')
    const tmux = (...args: string[]) => execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args])
    tmux('new-session', '-d', 'sleep 1000')
    const told: string[] = []
    const client = controlClient(socket, '$0', line => told.push(line.type))
    clients.push(client)
    await client.run('display-message', '-p', '')
    const open = Promise.allSettled(
      Array.from({ length: 50 }, () => client.run('run-shell', '-d', '5', 'true')),
    )
    tmux('kill-server')
    const ends = await open
    expect(ends.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0)
    await until(
      () => told,
      lines => lines.includes('exit'),
    )
    await expect(client.run('display-message')).rejects.toMatchObject({ code: 'ENDED' })
    expect(told.filter(type => type === 'exit')).toHaveLength(1)
  })
})
