/** What hooks run: it passes a report on where somebody listens, and is never noticed by the agent where nobody does. */
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { forwarderText } from '../../src/hooks/forwarder.ts'
import { hookCommand, hookProgram } from '../../src/hooks/hook-command.ts'
import { readHookReport } from '../../src/hooks/receiver.ts'
import { temporaryFolder } from '../support/lull.ts'

type Heard = { url: string; headers: http.IncomingHttpHeaders; body: Buffer }
type Answer = (response: http.ServerResponse) => void

const open: http.Server[] = []
afterAll(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function listen(
  socket: string,
  answer: Answer = response => response.writeHead(204).end(),
): Promise<Heard[]> {
  const heard: Heard[] = []
  const server = http.createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    heard.push({ url: request.url ?? '', headers: request.headers, body })
    answer(response)
  })
  open.push(server)
  await new Promise<void>(resolve => server.listen(socket, resolve))
  return heard
}

type Ended = { code: number | null; stdout: string; stderr: string }
const unnoticed: Ended = { code: 0, stdout: '', stderr: '' }

type Options = {
  env?: Record<string, string>
  keepOpen?: boolean
  shell?: string
  /** Nobody may read the payload: every agent bears that, as of any hook. */
  mayBreak?: boolean
}

/** Runs a command as an agent does: its shell, the payload on stdin, both outputs read. */
function run(command: string, payload: string | Buffer, options: Options = {}): Promise<Ended> {
  const { env = {}, keepOpen, shell = '/bin/sh', mayBreak } = options
  return new Promise((resolve, reject) => {
    const child = spawn(shell, ['-c', command], { env: { PATH: process.env.PATH, ...env }, timeout: 20_000 })
    const output = { stdout: '', stderr: '' }
    child.stdout.on('data', data => {
      output.stdout += data
    })
    child.stderr.on('data', data => {
      output.stderr += data
    })
    child.on('error', reject)
    child.stdin.on('error', error => mayBreak || reject(error))
    child.on('close', code => resolve({ code, ...output }))
    child.stdin.write(payload)
    if (!keepOpen) child.stdin.end()
  })
}

/** A forwarder in a folder whose name is as bad as names get. */
function setUp(name = `it's "a" $HOME folder`) {
  const folder = path.join(temporaryFolder(), name)
  mkdirSync(folder)
  const socket = path.join(folder, 'host.sock')
  const forwarder = path.join(folder, 'hook')
  writeFileSync(forwarder, forwarderText({ socket }), { mode: 0o755 })
  return { folder, socket, forwarder }
}

const payload = '{"hook_event_name":"Stop","last_assistant_message":"fertig – 100 % \\\\n \\u0000"}\n'

describe.concurrent('where somebody listens', () => {
  test('the payload arrives as it is, with whose it is', async () => {
    const { socket, forwarder } = setUp()
    const heard = await listen(socket)
    const command = hookCommand(forwarder, 'claude')
    const env = { TMUX_PANE: '%7', CLAUDE_PID: '4242' }
    expect(await run(command, payload, { env })).toEqual(unnoticed)
    expect(heard).toMatchObject([
      {
        url: '/hooks/claude',
        headers: { 'content-type': 'application/json', 'lull-pid': '4242', 'lull-pane': '%7' },
      },
    ])
    expect(heard[0]?.body.toString()).toBe(payload)
  })

  test('an event that the payload does not name, and the process that ran the hook', async () => {
    const { socket, forwarder } = setUp()
    const heard = await listen(socket)
    const command = hookCommand(forwarder, 'copilot', 'agentStop')
    // CLAUDE_PID is inherited by an agent that Claude Code runs as a tool.
    expect(await run(command, '{}', { env: { CLAUDE_PID: '4242' } })).toEqual(unnoticed)
    expect(heard).toMatchObject([
      { url: '/hooks/copilot?event=agentStop', headers: { 'lull-pid': String(process.pid) } },
    ])
    expect(heard[0]?.headers).not.toHaveProperty('lull-pane')
  })

  test('a program of Cline says the same', async () => {
    const { folder, socket, forwarder } = setUp()
    const heard = await listen(socket)
    const program = path.join(folder, 'TaskStart')
    writeFileSync(program, hookProgram(forwarder, 'cline', 'TaskStart'), { mode: 0o755 })
    expect(await run('"$PROGRAM"', '{"taskId":"1"}', { env: { PROGRAM: program } })).toEqual(unnoticed)
    expect(heard).toMatchObject([{ url: '/hooks/cline?event=TaskStart' }])
  })

  test('LULL_RUNTIME_DIR goes before the socket that was installed', async () => {
    const { forwarder } = setUp()
    const runtime = temporaryFolder()
    const heard = await listen(path.join(runtime, 'host.sock'))
    await run(hookCommand(forwarder, 'claude'), payload, { env: { LULL_RUNTIME_DIR: runtime } })
    expect(heard).toHaveLength(1)
  })

  // More than any buffer on the way. It has a second, as for all that an agent waits for: ten times as much took longer once.
  test('1 MB arrives whole', async () => {
    const { socket, forwarder } = setUp()
    const heard = await listen(socket)
    const large = Buffer.alloc(1024 * 1024, 'ä')
    expect(await run(hookCommand(forwarder, 'claude'), large)).toEqual(unnoticed)
    expect(heard[0]?.body.equals(large)).toBe(true)
  })

  test("a person's settings for curl, a proxy, and an answer with a text change nothing", async () => {
    const { folder, socket, forwarder } = setUp('plain')
    const heard = await listen(socket, response => response.writeHead(500).end('an error'))
    writeFileSync(
      path.join(folder, '.curlrc'),
      'verbose\nproxy = "http://127.0.0.1:9"\noutput = "/dev/stderr"\n',
    )
    const env = { HOME: folder, http_proxy: 'http://127.0.0.1:9', ALL_PROXY: 'http://127.0.0.1:9' }
    expect(await run(hookCommand(forwarder, 'claude'), payload, { env })).toEqual(unnoticed)
    expect(heard).toHaveLength(1)
  })

  test('what arrives can be read', async () => {
    const { socket, forwarder } = setUp()
    const heard = await listen(socket)
    await run(hookCommand(forwarder, 'claude'), payload, { env: { TMUX_PANE: '%7' } })
    const [one] = heard
    const { 'lull-pid': pid, 'lull-pane': pane } = (one?.headers ?? {}) as Record<string, string>
    const words = { agent: 'claude', event: undefined, pid, pane }
    expect(readHookReport(words, String(one?.body))).toMatchObject({
      report: { agent: 'claude', event: 'Stop', pane: '%7' },
    })
  })
})

describe.concurrent('the agent notices nothing', () => {
  test('where nobody listens; what it writes is read all the same, and nothing is started', async () => {
    const { folder, forwarder } = setUp('plain')
    const programs = programsIn(folder, ['cat', 'timeout'])
    const started = path.join(folder, 'started')
    writeFileSync(path.join(programs, 'curl'), `#!/bin/sh\necho curl >> ${started}\n`, { mode: 0o755 })
    writeFileSync(forwarder, forwarderText({ socket: '/no/such.sock', programs }))
    expect(await run(hookCommand(forwarder, 'claude'), Buffer.alloc(1024 * 1024, 'x'))).toEqual(unnoticed)
    expect(() => readFileSync(started)).toThrow('ENOENT')
  })

  test('what lull itself asks something tells nothing', async () => {
    const { socket, forwarder } = setUp()
    const heard = await listen(socket)
    const command = hookCommand(forwarder, 'claude')
    expect(await run(command, payload.repeat(20_000), { env: { LULL_PROBE: '1' } })).toEqual(unnoticed)
    expect(heard).toEqual([])
  })

  test('where a dead host left its socket', async () => {
    const { socket, forwarder } = setUp()
    const script = `require('net').createServer().listen(${JSON.stringify(socket)})`
    const host = spawn(process.execPath, ['-e', script])
    await waitFor(() => existsSync(socket))
    host.kill('SIGKILL')
    await new Promise(resolve => host.once('exit', resolve))
    expect(existsSync(socket)).toBe(true)
    expect(await run(hookCommand(forwarder, 'claude'), payload)).toEqual(unnoticed)
  })

  test('where the host hangs: the hook ends by itself', async () => {
    const { socket, forwarder } = setUp()
    const heard = await listen(socket, () => undefined)
    expect(await run(hookCommand(forwarder, 'claude'), payload)).toEqual(unnoticed)
    expect(heard).toHaveLength(1)
  })

  test.each([true, false])('where stdin is never closed (a host listens: %s)', async listens => {
    const { socket, forwarder } = setUp()
    if (listens) await listen(socket)
    expect(await run(hookCommand(forwarder, 'claude'), payload, { keepOpen: true })).toEqual(unnoticed)
  })

  test.each([
    ['has vanished', (file: string) => rmSync(file)],
    ['may not be run', (file: string) => chmodSync(file, 0o644)],
    ['is broken', (file: string) => writeFileSync(file, '#!/bin/sh\nexit 2\n')],
  ])('where the forwarder %s', async (_, spoil) => {
    const { forwarder } = setUp()
    spoil(forwarder)
    expect(await run(hookCommand(forwarder, 'claude'), payload, { mayBreak: true })).toEqual(unnoticed)
  })

  // Agents run hooks in /bin/sh, in bash, or in the shell that a person prefers.
  for (const shell of ['bash', 'dash', 'zsh', 'fish']) {
    const program = ['/bin', '/usr/bin']
      .map(folder => path.join(folder, shell))
      .find(file => existsSync(file))
    test.skipIf(program === undefined)(`in ${shell}`, async () => {
      const { folder, socket, forwarder } = setUp()
      const heard = await listen(socket)
      const options = { env: { HOME: folder }, ...(program ? { shell: program } : {}) }
      expect(await run(hookCommand(forwarder, 'codex'), payload, options)).toEqual(unnoticed)
      expect(heard).toHaveLength(1)
    })
  }
})

describe.concurrent('without curl', () => {
  /** Speaks as nc does with -U: stdin to the socket, until the other side closes. */
  const standIn = `#!${process.execPath}
const [, , unix, wait, seconds, socket] = process.argv
if (unix !== '-U' || wait !== '-w' || seconds !== '1') process.exit(1)
const connection = require('net').connect(socket)
process.stdin.on('data', data => connection.write(data))
connection.pipe(process.stdout)
connection.on('close', () => process.exit())
`

  test('nc sends the same', async () => {
    const { folder, socket, forwarder } = setUp('plain')
    const programs = programsIn(folder, ['cat', 'ls', 'timeout'])
    writeFileSync(path.join(programs, 'nc'), standIn, { mode: 0o755 })
    writeFileSync(forwarder, forwarderText({ socket, programs }))
    const heard = await listen(socket)
    const env = { PATH: programs, LANG: 'C.UTF-8', TMUX_PANE: '%7' }
    expect(await run(hookCommand(forwarder, 'qwen'), payload, { env })).toEqual(unnoticed)
    expect(heard).toMatchObject([
      {
        url: '/hooks/qwen',
        headers: { 'content-type': 'application/json', 'lull-pid': String(process.pid), 'lull-pane': '%7' },
      },
    ])
    expect(JSON.parse(String(heard[0]?.body))).toEqual(JSON.parse(payload))
  })

  test('nor nc: nothing is sent, and nothing is noticed', async () => {
    const { folder, socket, forwarder } = setUp('plain')
    const programs = programsIn(folder, ['cat'])
    writeFileSync(forwarder, forwarderText({ socket, programs }))
    const heard = await listen(socket)
    const env = { PATH: programs }
    expect(await run(hookCommand(forwarder, 'qwen'), Buffer.alloc(1024 * 1024), { env })).toEqual(unnoticed)
    expect(heard).toEqual([])
  })
})

describe.concurrent('a hook of which the agent takes an answer', () => {
  const attended = { env: { CLAUDE_CODE_SESSION_ATTENDED: '1' } }
  const decision = '{"hookSpecificOutput":{"decision":{"behavior":"allow"}}}'
  const beat = `${' '.repeat(7)}\n`

  test('lasts while the host says that it holds it, and prints the answer alone', async () => {
    const { socket, forwarder } = setUp()
    const heard = await listen(socket, async response => {
      // Longer than a host may be silent.
      for (let beats = 0; beats < 8; beats++) {
        response.write(beat)
        await pause(1000)
      }
      response.end(`${decision}\n`)
    })
    const ended = await run(hookCommand(forwarder, 'claude', 'PermissionRequest'), payload, attended)
    expect(ended).toEqual({ ...unnoticed, stdout: `${decision}\n` })
    expect(heard).toMatchObject([
      { url: '/hooks/claude?event=PermissionRequest', headers: { 'lull-hold': 'yes' } },
    ])
  })

  test.each<[string, Answer]>([
    ['lets it go', response => response.end(beat)],
    ['holds nothing', response => response.writeHead(204).end()],
    ['falls silent', response => response.write(beat)],
    ['hangs', () => undefined],
    ['is cut off in its answer', response => response.write(decision, () => response.destroy())],
    ['answers what is no decision', response => response.end('no\n')],
  ])('prints nothing where the host %s', async (_what, answer) => {
    const { socket, forwarder } = setUp()
    await listen(socket, answer)
    const command = hookCommand(forwarder, 'claude', 'PermissionRequest')
    expect(await run(command, payload, attended)).toEqual(unnoticed)
  })

  test('is as any other where nobody attends, and at other events', async () => {
    const { socket, forwarder } = setUp()
    const heard = await listen(socket, response => response.end(`${decision}\n`))
    for (const env of [{ CLAUDE_CODE_SESSION_ATTENDED: '0' }, {}])
      expect(await run(hookCommand(forwarder, 'claude', 'PermissionRequest'), payload, { env })).toEqual(
        unnoticed,
      )
    expect(await run(hookCommand(forwarder, 'claude'), payload, attended)).toEqual(unnoticed)
    expect(heard.map(({ headers }) => headers['lull-hold'])).toEqual([undefined, undefined, undefined])
  })
})

/** A folder with these programs of the system and no others. */
function programsIn(folder: string, names: readonly string[]): string {
  const programs = path.join(folder, 'programs')
  mkdirSync(programs)
  for (const name of names) symlinkSync(path.join('/usr/bin', name), path.join(programs, name))
  return programs
}

async function waitFor(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error('it never came')
    await pause(5)
  }
}
