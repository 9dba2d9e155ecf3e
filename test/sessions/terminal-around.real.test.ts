/** Agents whose environment does not name their terminal, or that have one of their own in it: where they are, and what works on them. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { spawn } from '@lydell/node-pty'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { attempt } from '../../src/os/attempt.ts'
import { acquireLock } from '../../src/os/file/lock.ts'
import { makeRuntime, placesOf } from '../../src/os/file/places.ts'
import { readStat } from '../../src/os/proc/stat.ts'
import { terminalVariable } from '../../src/owned/terminal-name.ts'
import { serverLock } from '../../src/owned/terminals-note.ts'
import { readSurroundings } from '../../src/sessions/discover/surroundings.ts'
import { terminalAround } from '../../src/sessions/discover/terminal-around.ts'
import { temporaryFile, temporaryFolder } from '../support/lull.ts'
import { lullHere, rowsHere } from '../support/lull-here.ts'
import { ownTerminals } from '../support/own-terminals.ts'
import { hasProgram, tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

const own = ownTerminals(afterAll)
const run = (...args: readonly string[]) => lullHere(args, own.env)

/** Notes its pid, its environment and what it reads. */
const agentScript = temporaryFile(
  'agent.cjs',
  `
const { appendFileSync, writeFileSync } = require('node:fs')
const [, , folder, title] = process.argv
writeFileSync(folder + '/env', Object.keys(process.env).join(' '))
process.stdin.setRawMode(true)
process.stdin.on('data', data => appendFileSync(folder + '/keys', data))
process.stdout.write('\\x1b]2;' + title + '\\x07\\x1b[?2004hup\\r\\n❯ ')
writeFileSync(folder + '/pid', String(process.pid))
`,
)

/** A launcher that leaves the agent no variables. @param around words before the command that it runs */
function launcher(around: (command: string) => string, title = '✳ fix the login') {
  const folder = temporaryFolder()
  const agent = `exec -a claude ${process.execPath} ${agentScript} ${folder} "${title}"`
  const script = temporaryFile('launch.sh', `${agent}\n`)
  // Another user's agent reads and writes there.
  for (const file of [folder, path.dirname(script), path.dirname(agentScript)]) chmodSync(file, 0o777)
  const words = ['bash', '-c', around(`env -i bash ${script}`)] as const
  const read = (name: string): string => {
    const file = path.join(folder, name)
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  }
  /** Resolves to its pid. */
  async function isUp(): Promise<number> {
    const pid = Number(
      await until(
        () => read('pid'),
        text => text !== '',
      ),
    )
    const file = path.join(own.env.HOME ?? '', '.claude/sessions', `${pid}.json`)
    mkdirSync(path.dirname(file), { recursive: true })
    const note = { pid, procStart: readStat(pid)?.startTicks, sessionId: 'one', cwd: folder }
    writeFileSync(file, JSON.stringify({ ...note, status: 'idle', statusUpdatedAt: Date.now() }))
    expect(read('env')).not.toMatch(/TMUX|LULL/)
    return pid
  }
  return { words, isUp, keys: () => read('keys') }
}

const canBeOther =
  process.getuid?.() === 0 &&
  attempt(() => execFileSync('setpriv', ['--reuid=65534', '--clear-groups', process.execPath, '-e', ''])) !==
    undefined

const rowOf = async (pid: number) => (await rowsHere(own.env)).find(row => row.pid === pid)

/** What a shell runs by itself it becomes; with a second command it stays above it. */
const below = (command: string): string => `${command}; true`

/** The last has all that the others have: there each command is called by each address, and in the others one that types. */
const ways = [
  ['in its own place', (command: string) => `exec ${command}`, false],
  ['below a launcher', below, false],
  ['below script', (command: string) => below(`script -qc "${command}" /dev/null`), true],
] as const

describe.each(ways)('an agent with an empty environment, %s', (_, around, isAll) => {
  /** @param addresses of one agent, each with its flags: the last is its id */
  async function takes(addresses: readonly (readonly string[])[], keys: () => string): Promise<void> {
    for (const address of isAll ? addresses : addresses.slice(-1)) {
      if (isAll) {
        expect(await run('explain', ...address)).toMatchObject({ code: 0 })
        expect(await run('wait', ...address, '--ready', '--timeout', '20')).toMatchObject({ code: 0 })
        expect(await run('wait', ...address, '--timeout', '20')).toMatchObject({ code: 0 })
        expect((await run('answer', ...address, '--list')).stderr).not.toContain('pane')
      }
      expect((await run('read', ...address)).stdout).toContain('up')
      expect(await run('send', ...address, '--', `for ${address[0]}`)).toMatchObject({ code: 0 })
      await until(keys, text => text.includes(`for ${address[0]}`))
    }
  }

  test('is the session of the terminal of lull’s own, and each command takes its name and its id', async () => {
    const { words, isUp, keys } = launcher(around)
    await run('open', 'own1', '--', ...words)
    const pid = await isUp()
    const row = await until(
      () => rowOf(pid),
      found => found?.state === 'idle',
    )
    expect(row).toMatchObject({ agent: 'claude', terminal: 'own1', name: 'own1' })
    expect((await rowsHere(own.env)).filter(({ terminal }) => terminal === 'own1')).toHaveLength(1)
    await takes([['own1'], [String(row?.id)]], keys)
    await run('close', 'own1', '--force')
  })

  test.runIf(hasProgram('tmux'))(
    'is the session of its tmux pane, with its place and its title',
    async () => {
      const server = tmuxServer()
      const { words, isUp, keys } = launcher(around)
      const pane = server.tmux('new-window', '-d', '-n', 'api', '-P', '-F', '#{pane_id}', ...words).trim()
      const pid = await isUp()
      const row = await until(
        () => rowOf(pid),
        found => found?.state === 'idle',
      )
      expect(row).toMatchObject({
        agent: 'claude',
        pane,
        tmux: server.socket,
        place: 'main:1.0',
        window: 'api',
        title: 'fix the login',
      })
      // Other tests have panes of this number.
      const id = String(row?.id)
      const at = ['--socket', server.socket] as const
      expect(await run('wait', pane, 'tmux:main:1', ...at)).toMatchObject({ code: 0 })
      expect(await run('wait', id, ...at)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`${id} needs no socket`),
      })
      await takes([[`tmux:${pane}`, ...at], [id]], keys)
    },
  )
})

test('a program is in the terminal of lull’s own that has not been noted yet', async () => {
  const places = placesOf()
  makeRuntime(places)
  const env = { ...process.env, [terminalVariable]: 'early' }
  const pty = spawn('cat', [], { env })
  onTestFinished(() => pty.kill())
  await until(
    () => readStat(pty.pid)?.name,
    name => name === 'cat',
  )
  expect(terminalAround(pty.pid)).not.toHaveProperty('terminal')
  const lock = acquireLock(serverLock(places))
  onTestFinished(() => lock.release())
  expect(terminalAround(pty.pid)).toEqual({ terminal: 'early' })
})

describe.runIf(hasProgram('tmux'))('an agent in a pane', () => {
  const server = tmuxServer()
  const inWindow = (words: readonly string[]): string =>
    server.tmux('new-window', '-d', '-P', '-F', '#{pane_id}', ...words).trim()

  test.runIf(canBeOther)('of another user (sudo) has its place, and its files are not read', async () => {
    const { words, isUp } = launcher(command => below(`setpriv --reuid=65534 --clear-groups ${command}`))
    const pane = inWindow(words)
    const pid = await isUp()
    const row = await until(
      () => rowOf(pid),
      found => found?.place !== undefined,
    )
    const note = expect.stringContaining('another user (nobody): its files are not read')
    expect(row).toMatchObject({ pane, tmux: server.socket, title: 'fix the login', note })
    expect(row).not.toHaveProperty('cwd')
  })

  test.runIf(hasProgram('script') && hasProgram('setsid'))(
    'is not in it where a program without a terminal opened another one for it',
    async () => {
      const agent = `exec -a claude ${process.execPath} -e "setInterval(() => {}, 1e6)"`
      const script = temporaryFile('agent.sh', `echo $$ > "$1"\n${agent}\n`)
      const [inPane, inScript] = [0, 1].map(at => path.join(temporaryFolder(), `pid${at}`)) as [
        string,
        string,
      ]
      const within = `setsid script -qc "bash ${script} ${inScript}" /dev/null < /dev/null > /dev/null &`
      const pane = inWindow(['bash', '-c', `${within} bash ${script} ${inPane}`])
      const upIn = async (file: string) =>
        readSurroundings(
          Number(
            await until(
              () => (existsSync(file) ? readFileSync(file, 'utf8') : ''),
              text => text !== '',
            ),
          ),
        )
      expect(await upIn(inPane)).toMatchObject({ pane, tmux: server.socket })
      const other = await upIn(inScript)
      for (const field of ['pane', 'tmux', 'terminal']) expect(other).not.toHaveProperty(field)
    },
  )

  test('a pane without one has no session to wait for, and its terminal is waited for', async () => {
    const pane = inWindow(['bash', '--norc'])
    expect(await run('wait', pane, '--socket', server.socket)).toMatchObject({
      code: 2,
      stderr: `lull: no session is in ${pane}: lull wait ${pane} --ready waits for the terminal\n`,
    })
    const ready = await run('wait', pane, '--ready', '--socket', server.socket, '--timeout', '20')
    expect(ready).toMatchObject({ code: 0 })
  })

  test.runIf(hasProgram('python3'))(
    'is not in front where a program between them draws by itself',
    async () => {
      const spawn = temporaryFile('window.py', 'import pty, sys; pty.spawn(sys.argv[1:])')
      const { words, isUp } = launcher(command => below(`python3 ${spawn} ${command}`))
      const pane = inWindow(words)
      await until(
        () => server.tmux('display-message', '-p', '-t', pane, '#{pane_title}').trim(),
        title => title === '✳ fix the login',
      )
      const row = await until(
        async () => rowOf(await isUp()),
        found => found !== undefined,
      )
      expect(row).toMatchObject({ tmux: server.socket })
      expect(row).not.toHaveProperty('title')
    },
  )
})
