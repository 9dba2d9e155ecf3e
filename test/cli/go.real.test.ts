/** `lull go`: to the pane of a session in a real tmux, after checking that it is there. */
import { execFile } from 'node:child_process'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { bin, temporaryFolder } from '../support/lull.ts'
import { lullHere, rowsHere } from '../support/lull-here.ts'
import { ownPlaces } from '../support/running.ts'
import { startStandIn } from '../support/stand-in.ts'
import { until } from '../support/until.ts'

const run = promisify(execFile)
/** Where the servers' sockets lie. */
const around = { env: { ...process.env, TMUX: '', TMUX_TMPDIR: temporaryFolder() } }
const hasTmux = await run('tmux', ['-V']).then(
  () => true,
  () => false,
)

const servers: string[] = []
afterEach(async () => {
  for (const name of servers.splice(0)) await run('tmux', ['-L', name, 'kill-server'], around).catch(() => '')
})

/** A tmux server that nobody else knows. */
function server() {
  const name = `lull-go-${process.pid}-${servers.length}-${Math.trunc(performance.now())}`
  servers.push(name)
  const tmux = async (...args: readonly string[]): Promise<string> =>
    (await run('tmux', ['-L', name, '-f', '/dev/null', ...args], around)).stdout.trim()
  return { name, tmux }
}
type Server = ReturnType<typeof server>

const variables = (env: Record<string, string>): string[] =>
  Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`])

/** An agent in a window of its own, behind the one that is shown. */
async function agentIn({ tmux }: Server, name = 'agent') {
  const home = realpathSync(temporaryFolder())
  const cwd = path.join(home, 'project')
  mkdirSync(cwd)
  await tmux('new-session', '-d', '-x', '100', '-y', '10', '-n', 'front', 'cat')
  const idle = 'setInterval(() => {}, 1e6)'
  const script = `exec -a claude "${process.execPath}" -e "${idle}"`
  const format = '#{pane_pid} #{pane_id}'
  const told = await tmux(
    'new-window',
    '-d',
    '-P',
    '-F',
    format,
    '-n',
    name,
    '-c',
    cwd,
    '-e',
    `HOME=${home}`,
    'bash',
    '-c',
    script,
  )
  const [pid = '', pane = ''] = told.split(' ')
  return { pid: Number(pid), pane, home, cwd }
}

/** `lull go` in a shell of a tmux pane, and what became of it. */
const goScript = ['sh', '-c', '"$@"; echo "ended with $?"; exec cat', 'sh', process.execPath, bin, 'go']

const isKnown = (env: Record<string, string>, pid: number) =>
  until(
    async () => (await rowsHere(env)).some(row => row.pid === pid && row.pane !== undefined),
    known => known,
    `process ${pid} in its pane`,
  )

/** The window that each client of a server sees. */
const shown = ({ tmux }: Server) => tmux('list-clients', '-F', '#{window_name}')

describe.runIf(process.platform === 'linux' && hasTmux)('lull go', () => {
  test('inside that tmux: the client is switched to the window of the agent, which is seen then', async () => {
    const [inner, outer, env] = [server(), server(), ownPlaces()]
    const agent = await agentIn(inner)
    await isKnown(env, agent.pid)
    await outer.tmux(
      'new-session',
      '-d',
      '-x',
      '100',
      '-y',
      '12',
      'env',
      '-u',
      'TMUX',
      'tmux',
      '-L',
      inner.name,
      'attach',
    )
    await until(
      () => shown(inner),
      window => window === 'front',
    )
    await inner.tmux('new-window', '-d', ...variables(env), '-n', 'shell', ...goScript, `pid:${agent.pid}`)
    await until(
      () => shown(inner),
      window => window === 'agent',
    )
    const said = () => inner.tmux('capture-pane', '-p', '-t', ':shell')
    await until(said, text => text.includes('ended with 0'))
  })

  test('without a session: from one that waits to the next, and round', async () => {
    const [inner, outer, env] = [server(), server(), ownPlaces()]
    const first = await agentIn(inner, 'first')
    const second = await agentIn(inner, 'second')
    for (const { pid, home, cwd } of [first, second]) {
      const asks = { status: 'waiting', waitingFor: 'permission prompt', statusUpdatedAt: Date.now() }
      mkdirSync(path.join(home, '.claude/sessions'), { recursive: true })
      const file = path.join(home, `.claude/sessions/${pid}.json`)
      writeFileSync(file, JSON.stringify({ pid, sessionId: `s${pid}`, cwd, ...asks }))
      await until(
        async () => (await rowsHere(env)).find(row => row.pid === pid)?.state,
        state => state === 'waiting',
      )
    }
    const attach = ['env', '-u', 'TMUX', 'tmux', '-L', inner.name, 'attach']
    await outer.tmux('new-session', '-d', '-x', '100', '-y', '12', ...attach)
    await until(
      () => shown(inner),
      window => window === 'front',
    )
    const gone: string[] = []
    for (let n = 0; n < 3; n++) {
      // As a key that is bound to it does.
      const words = Object.entries(env).map(([name, value]) => `${name}='${value}'`)
      await inner.tmux('run-shell', `${words.join(' ')} '${process.execPath}' '${bin}' go`)
      gone.push(await shown(inner))
    }
    expect(gone).toEqual(['first', 'second', 'first'])
  })

  test('at a terminal outside tmux: it is attached there, until it is left again', async () => {
    const [inner, outer, env] = [server(), server(), ownPlaces()]
    const agent = await agentIn(inner)
    await isKnown(env, agent.pid)
    const outside = ['env', '-u', 'TMUX', '-u', 'TMUX_PANE', ...goScript, `pid:${agent.pid}`]
    await outer.tmux('new-session', '-d', '-x', '100', '-y', '12', ...variables(env), ...outside)
    await until(
      () => shown(inner),
      window => window === 'agent',
    )
    await inner.tmux('detach-client', '-a').catch(() => '')
    await inner.tmux('detach-client')
    await until(
      () => outer.tmux('capture-pane', '-p'),
      text => text.includes('ended with 0'),
    )
  })

  test('in another tmux, or with no terminal: the command to type', async () => {
    const [inner, other, env] = [server(), server(), ownPlaces()]
    const agent = await agentIn(inner)
    await isKnown(env, agent.pid)
    await other.tmux(
      'new-session',
      '-d',
      '-x',
      '200',
      '-y',
      '12',
      ...variables(env),
      ...goScript,
      `pid:${agent.pid}`,
    )
    const said = await until(
      () => other.tmux('capture-pane', '-p', '-J'),
      text => text.includes('ended with 1'),
    )
    expect(said).toMatch(
      /it is in another tmux server than this terminal; attach with tmux -S \S+ attach-session -t %1/,
    )
    const alone = await lullHere(['go', `pid:${agent.pid}`], { ...env, TMUX: '' })
    expect(alone).toMatchObject({ code: 1, stderr: '' })
    expect(alone.stdout).toMatch(/: there is no terminal here to show it in; attach with tmux -S /)
    expect(await shown(inner)).toBe('')
    expect(await inner.tmux('display-message', '-p', '#{window_name}')).toBe('front')
  })

  test('a pane that is gone, or that holds another program by now: where the session runs instead', async () => {
    const [inner, env] = [server(), ownPlaces()]
    const { pane } = await agentIn(inner)
    const socket = await inner.tmux('display-message', '-p', '#{socket_path}')
    const told = async (paneId: string) => {
      const stray = await startStandIn({ env: { TMUX: `${socket},1,0`, TMUX_PANE: paneId } })
      const { code, stdout } = await lullHere(['go', `pid:${stray.pid}`], env)
      return { code, stdout, where: `it runs as pid ${stray.pid} in ${stray.cwd}\n` }
    }
    const closed = await told('%99')
    expect(closed.code).toBe(1)
    expect(closed.stdout).toMatch(/^claude \w{8}: its pane %99 is closed; /)
    expect(closed.stdout.endsWith(closed.where)).toBe(true)
    const reused = await told(pane)
    expect(reused.code).toBe(1)
    expect(reused.stdout).toBe(
      `${/^claude \w{8}/.exec(reused.stdout)}: it is not in its pane ${pane} any more; ${reused.where}`,
    )
  })
})

describe.runIf(process.platform === 'linux')('lull go without tmux', () => {
  test('a session in no pane: where it runs', async () => {
    const [agent, env] = [await startStandIn(), ownPlaces()]
    const { code, stdout, stderr } = await lullHere(['go', agent.cwd], env)
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toMatch(/^claude \w{8}: it is in no tmux pane; it runs as pid \d+ in \//)
  })

  test('nobody of that name: 2, and one sentence', async () => {
    const { code, stderr } = await lullHere(['go', 'pid:4194304'], ownPlaces())
    expect(code).toBe(2)
    expect(stderr).toMatch(/^lull: no session "pid:4194304": /)
  })
})
