/** Another user's tmux server is never connected to, whoever names it; and of another user's process only /proc is believed. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { whyNotConnected } from '../../src/os/tmux/socket-path.ts'
import { listPanes } from '../../src/os/tmux/tmux-server.ts'
import { readSurroundings } from '../../src/sessions/discover/surroundings.ts'
import { nothingLearned } from '../../src/terminal/classify/learned.ts'
import { createObserver } from '../../src/terminal/observer.ts'
import { readingOf } from '../../src/terminal/probe/probed.ts'
import { withReference } from '../../src/terminal/probe/shell-reference.ts'
import { tmuxPane } from '../../src/terminal/tmux-pane.ts'
import { temporaryFolder } from '../support/lull.ts'
import { lullHere, rowsHere } from '../support/lull-here.ts'
import { ownPlaces } from '../support/running.ts'
import { startStandIn } from '../support/stand-in.ts'
import { hasProgram, tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

/** `nobody`, on every Linux. */
const other = 65534
const asOther = [`--reuid=${other}`, `--regid=${other}`, '--clear-groups'] as const
const canBeOther = process.platform === 'linux' && process.getuid?.() === 0 && hasProgram('setpriv')
if (!canBeOther) process.stdout.write('skipped: only root on Linux can be two users\n')

const ends: (() => void)[] = []
afterAll(() => {
  for (const end of ends) end()
})

/** A folder that another user may enter, with all above it. */
function openFolder(): string {
  const folder = temporaryFolder()
  chmodSync(path.dirname(folder), 0o755)
  chmodSync(folder, 0o755)
  return folder
}

async function socketIn(folder: string, name = 'default'): Promise<string> {
  const file = path.join(folder, name)
  const server = net.createServer()
  ends.push(() => server.close())
  await new Promise<void>(resolve => server.listen(file, resolve))
  return file
}

function own(file: string, uid: number, mode: number): void {
  chownSync(file, uid, uid)
  chmodSync(file, mode)
}

describe('a tmux socket', () => {
  test('of one’s own is connected to, and one that is not there as well', async () => {
    expect(whyNotConnected(await socketIn(temporaryFolder()))).toBeUndefined()
    expect(whyNotConnected(path.join(temporaryFolder(), 'none'))).toBeUndefined()
  })

  test('of one’s own in a folder for all, as /tmp', async () => {
    const folder = temporaryFolder()
    const socket = await socketIn(folder)
    chmodSync(folder, 0o1777)
    expect(whyNotConnected(socket)).toBeUndefined()
    expect(whyNotConnected(path.join(folder, 'none'))).toMatch(/nobody has made it yet/)
  })

  test('is refused where others may replace it, where it is a link, and where it is none', async () => {
    const folder = temporaryFolder()
    const socket = await socketIn(folder)
    const link = path.join(temporaryFolder(), 'link')
    symlinkSync(socket, link)
    expect(whyNotConnected(link)).toMatch(/it is a link/)
    writeFileSync(path.join(folder, 'file'), '')
    expect(whyNotConnected(path.join(folder, 'file'))).toMatch(/it is no socket/)
    chmodSync(folder, 0o777)
    expect(whyNotConnected(socket)).toBe(
      `lull does not connect to ${socket}: others may write in ${folder} (0777)`,
    )
  })

  test.runIf(canBeOther)('is refused where a group may replace it that is not one’s own', async () => {
    const folder = temporaryFolder()
    const socket = await socketIn(folder)
    chmodSync(folder, 0o770)
    expect(whyNotConnected(socket)).toBeUndefined()
    chownSync(folder, 0, other)
    expect(whyNotConnected(socket)).toMatch(/others may write in .* \(0770\)/)
  })

  test.runIf(canBeOther)('of another user is refused, and one’s own in another’s folder', async () => {
    const folder = temporaryFolder()
    const socket = await socketIn(folder)
    own(socket, other, 0o777)
    expect(whyNotConnected(socket)).toMatch(/belongs to another user \(nobody\)/)
    own(socket, 0, 0o700)
    expect(whyNotConnected(socket)).toBeUndefined()
    own(folder, other, 0o700)
    expect(whyNotConnected(socket)).toMatch(/belongs to another user \(nobody\)/)
    const link = path.join(temporaryFolder(), 'link')
    symlinkSync(folder, link)
    expect(whyNotConnected(path.join(link, 'default'))).toMatch(/belongs to another user \(nobody\)/)
  })
})

/** Another user's server, as far as anybody has come who connects: it notes that. */
const server = `
const [, file, noted] = process.argv
require('node:net').createServer(client => {
  require('node:fs').appendFileSync(noted, 'connected\\n')
  client.destroy()
}).listen(file, () => { require('node:fs').chmodSync(file, 0o777); require('node:fs').writeFileSync(noted, '') })
`

describe.runIf(canBeOther && hasProgram('tmux'))('a tmux server of another user', () => {
  async function trap(): Promise<{ folder: string; socket: string; connections: () => string }> {
    const folder = openFolder()
    const [socket, noted] = [path.join(folder, 'tmux-0', 'default'), path.join(folder, 'noted')]
    mkdirSync(path.dirname(socket))
    own(path.dirname(socket), other, 0o777)
    own(folder, other, 0o755)
    const child = spawn('setpriv', [...asOther, process.execPath, '-e', server, socket, noted], {
      stdio: 'inherit',
    })
    ends.push(() => child.kill())
    const connections = () => readFileSync(noted, 'utf8')
    await until(
      () => execFileSync('sh', ['-c', `test -e ${noted} && echo up || true`], { encoding: 'utf8' }),
      said => said !== '',
      'the server',
    )
    return { folder, socket, connections }
  }

  test('is connected to by no command, whoever names it', async () => {
    const { folder, socket, connections } = await trap()
    const env = { ...ownPlaces(), TMUX: '', TMUX_PANE: '', LULL_PANE: '' }
    const refused = {
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('belongs to another user (nobody)'),
    }
    const named: readonly [string[], Record<string, string>][] = [
      [['--socket', socket], env],
      [[], { ...env, TMUX: `${socket},1,0`, TMUX_PANE: '%0' }],
      [[], { ...env, TMUX_TMPDIR: folder }],
    ]
    const commands = [
      ['read', 'tmux:%0'],
      ['read', 'tmux:'],
      ['keys', 'tmux:%0', 'C-c'],
      ['send', 'tmux:%0', 'hello'],
      ['wait', 'tmux:%0', '--ready', '--timeout', '60s'],
      ['name', 'tmux:%0', 'theirs'],
    ]
    for (const [more, around] of named)
      for (const command of commands)
        expect(await lullHere([...command, ...more], around)).toMatchObject(refused)
    expect(connections()).toBe('')
  })

  test('is connected to by nothing that looks, where a process of one’s own names it', async () => {
    const { folder, socket, connections } = await trap()
    const env = { ...ownPlaces(), TMUX: '', TMUX_TMPDIR: folder }
    const agent = await startStandIn({ env: { TMUX: `${socket},1,0`, TMUX_PANE: '%0' } })
    const went = await lullHere(['go', `pid:${agent.pid}`], env)
    expect(went.stdout).toMatch(/belongs to another user \(nobody\)/)
    expect((await lullHere(['read', `pid:${agent.pid}`], env)).stderr).toMatch(/belongs to another user/)
    await lullHere(['host', 'start', '--answer-7501', socket], env)
    await until(
      () => rowsHere(env),
      rows => rows.some(({ pid }) => pid === agent.pid),
      'the agent',
    )
    await lullHere(['host', 'stop'], env)
    expect(connections()).toBe('')
  })
})

describe.runIf(canBeOther)('a process of another user, for root', () => {
  const children: ChildProcess[] = []
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL')
  })

  /** An agent by its name, of another user, who says of it what is of advantage. */
  function start(mode: number): number {
    const folder = openFolder()
    const claude = path.join(folder, 'claude')
    copyFileSync('/bin/sleep', claude)
    chmodSync(claude, mode)
    const child = spawn('setpriv', [...asOther, claude, '300'], {
      cwd: folder,
      env: { HOME: folder, TMUX: '/tmp/theirs,1,0', TMUX_PANE: '%0', CLAUDE_CONFIG_DIR: folder },
      stdio: 'ignore',
    })
    children.push(child)
    return child.pid as number
  }

  // What may not be read may not be looked into either: the kernel gives its folder in /proc to root.
  test.each([
    ['', 0o755],
    [' that gave its folder in /proc to root', 0o711],
  ])('is listed, and not believed%s', async (_, mode) => {
    const pid = start(mode)
    const found = await until(
      async () => (await rowsHere(ownPlaces())).find(row => row.pid === pid),
      row => row !== undefined,
      'the agent',
    )
    expect(found).toMatchObject({
      note: 'it belongs to another user (nobody): its files are not read',
      state: expect.stringMatching(/starting|unknown/),
    })
    for (const field of ['cwd', 'pane', 'tmux', 'branch']) expect(found).not.toHaveProperty(field)
    expect(readSurroundings(pid).env).toEqual({ HOME: process.env.HOME })
  })

  test.runIf(hasProgram('tmux') && hasProgram('bash'))('never has its shell started by root', async () => {
    const tmux = tmuxServer()
    const folder = openFolder()
    const theirs = path.join(folder, 'bash')
    copyFileSync('/bin/bash', theirs)
    own(theirs, other, 0o755)
    own(folder, other, 0o755)
    const references = async (shell: string, isThere: (known: readonly unknown[]) => boolean) => {
      const id = tmux.start('setpriv', ...asOther, shell, '--norc', '--noprofile', '-i')
      const pane = (await listPanes(tmux.socket)).find(one => one.id === id)
      if (!pane) throw new Error(`the pane of ${shell} has ended`)
      const observer = createObserver(tmuxPane({ socket: tmux.socket, id, tty: pane.tty, pid: pane.pid }))
      const { known } = await until(
        async () => {
          const probe = observer.probe()
          const isAtPrompt = probe.processes.some(one => readingOf(one)?.depth !== undefined)
          return { isAtPrompt, known: (await withReference(nothingLearned, probe)).references }
        },
        ({ isAtPrompt, known }) => isAtPrompt && isThere(known),
        'what is known of it',
      )
      return known
    }
    expect(await references('/bin/bash', known => known.length > 0)).toHaveLength(1)
    expect(await references(theirs, () => true)).toEqual([])
  })
})
