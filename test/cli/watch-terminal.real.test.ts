/** `lull watch` in a real terminal: keys, the mouse, sizes, and what it leaves behind. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import stringWidth from 'string-width'
import { afterEach, describe, expect, test } from 'vitest'
import { bin, lull, temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { ownPlaces } from '../support/running.ts'
import { type StandIn, startStandIn } from '../support/stand-in.ts'
import { until } from '../support/until.ts'

const status = (agent: StandIn, state: string, waitingFor?: string) =>
  agent.status({ status: state, waitingFor, statusUpdatedAt: Date.now() })

const run = promisify(execFile)
const hasTmux = await run('tmux', ['-V']).then(
  () => true,
  () => false,
)

/** A terminal of its own for each test: a server that was told to end still holds its name for a moment. */
let opened = 0
const server = () => `lull-watch-${process.pid}-${opened}`
const around = { env: { ...process.env, TMUX: '', TMUX_TMPDIR: temporaryFolder() } }
const tmux = async (...args: readonly string[]): Promise<string> =>
  (await run('tmux', ['-L', server(), '-f', '/dev/null', ...args], around)).stdout

describe.runIf(process.platform === 'linux' && hasTmux)('lull watch in a terminal', () => {
  afterEach(() => tmux('kill-server').catch(() => ''))

  const keys = (...all: readonly string[]) => tmux('send-keys', '-t', 'watch:', ...all)
  const screen = () => tmux('capture-pane', '-p', '-t', 'watch:')
  const flag = async (format: string): Promise<string> =>
    (await tmux('display-message', '-p', '-t', 'watch:', format)).trim()
  /** The other screen, the cursor, the mouse. */
  const modes = () => flag('#{alternate_on} #{cursor_flag} #{mouse_any_flag}')
  /** Cells from 1. */
  const mouse = (button: number, column: number, row: number) =>
    keys('-l', `\u001b[<${button};${column};${row}M`)
  const shows = (text: string | RegExp) =>
    until(screen, shown => (typeof text === 'string' ? shown.includes(text) : text.test(shown)), `"${text}"`)

  async function open(env: Record<string, string>): Promise<void> {
    opened++
    const shell = ['sh', '-c', '"$@"; echo "ended with $?"; exec cat', 'sh', process.execPath, bin, 'watch']
    const set = Object.entries({ ...env, TMUX: '' }).flatMap(([name, value]) => ['-e', `${name}=${value}`])
    await tmux(
      'new-session',
      '-d',
      '-s',
      'watch',
      '-x',
      '120',
      '-y',
      '15',
      ...set,
      '--',
      'env',
      '-u',
      'TMUX',
      ...shell,
    )
    await shows('q quit')
  }

  test('draws what changes, takes keys, and gives the screen back', async () => {
    const [agent, env] = [await startStandIn({ folder: '日本語のフォルダ' }), ownPlaces()]
    status(agent, 'busy')
    await open(env)
    await keys('/', '日本', 'Enter')
    await shows(/^>. working +.*日本語のフォルダ/m)
    expect(await modes()).toBe('1 0 1')
    status(agent, 'waiting', 'permission prompt')
    await shows(/^>● waiting\/permission/m)
    await keys('e')
    await shows(`pid ${agent.pid}`)
    await shows(/^>● waiting\/permission/m)
    await keys('s')
    await shows(/^ seen: claude \w{8}/m)
    await keys('q')
    await shows('ended with 0')
    expect(await modes()).toBe('0 1 0')
    expect(await screen()).not.toContain('STATE')
  })

  test('fits 60 columns as it fits 200, to the last cell', async () => {
    const [agent, env] = [await startStandIn({ folder: '日本語のフォルダ' }), ownPlaces()]
    status(agent, 'waiting', 'permission prompt')
    await open(env)
    await keys('/', '日本', 'Enter', 'e')
    for (const [width, last] of [
      [60, '? help  q quit'],
      [80, '? help  q quit'],
      [120, 'h history  / filter  esc close  ? help  q quit'],
      [200, 'h history  / filter  esc close  ? help  q quit'],
    ] as const) {
      await tmux('resize-window', '-x', String(width), '-y', '16')
      // A rule that the terminal cut, or went over, would be another one. One cell stays blank where no line fits behind the name.
      await until(screen, shown => {
        const rows = shown.trimEnd().split('\n')
        const rule = rows.find(row => row.startsWith('── why: claude')) ?? ''
        return (
          rows.length === 16 &&
          [width - 1, width].includes(stringWidth(rule)) &&
          /^>● waiting/.test(rows[2] ?? '')
        )
      })
      await shows(last)
    }
  })

  test('a click selects, the wheel moves on, and neither does anything else', async () => {
    const env = ownPlaces()
    const home = env.HOME ?? ''
    const agents = [await startStandIn({ home, folder: 'one' }), await startStandIn({ home, folder: 'two' })]
    for (const agent of agents) status(agent, 'waiting', 'permission prompt')
    await open(env)
    await keys('/', '~/', 'Enter')
    await shows(/^>● waiting.*\n ● waiting/m)
    await mouse(0, 5, 4)
    await shows(/^ ● waiting.*\n>● waiting/m)
    await mouse(64, 5, 4)
    await shows(/^>● waiting.*\n ● waiting/m)
    expect(await modes()).toBe('1 0 1')
  })

  /** An agent that asks, and its question is shown. */
  async function ask(env: Record<string, string>, notes: string): Promise<void> {
    const asking = path.resolve(import.meta.dirname, '../support/asking-agent.ts')
    const words = ['exec', '-a', 'claude', process.execPath, asking, notes, env.HOME ?? ''].join(' ')
    await tmux('new-session', '-d', '-s', 'agent', '-e', `HOME=${env.HOME}`, '--', 'bash', '-c', words)
    await keys('/', 'agent:', 'Enter')
    await shows(/^>● waiting\/permission .*agent:0\.0/m)
    await keys('a')
    await shows('rm -rf build')
  }

  test('what is answered elsewhere closes, and the key that was on its way to it goes nowhere', async context => {
    const env = ownPlaces()
    const notes = path.join(temporaryFolder(), 'notes')
    await open(env)
    await ask(env, notes)
    const { stdout } = await lullHere(['ps', '--json'], env)
    const all = JSON.parse(stdout).sessions as {
      readonly id: string
      readonly place?: string
      readonly pid: number
    }[]
    const asks = all.find(({ place }) => place === 'agent:0.0')
    const answering = lull(['answer', asks?.id ?? '', 'no'], [], env)
    let asked = performance.now()
    const shown = await until(
      async () => {
        const at = performance.now()
        const now = await screen()
        if (now.includes('rm -rf build')) asked = at
        return now
      },
      now => now.includes('it does not ask any more') || (existsSync(notes) && !now.includes('rm -rf build')),
      'that it does not ask any more',
    )
    // It is told for a moment.
    if (!shown.includes('it does not ask any more')) context.skip('this machine is too busy to see it')
    await keys('3', 'Enter')
    // A second after the question has gone, Enter means the row again.
    const isLate = performance.now() - asked > 700
    expect((await answering).stderr).toBe('')
    if (isLate) context.skip('this machine is too busy to press a key at once')
    await until(
      async () => {
        await keys('?')
        return screen()
      },
      shown => /mouse/.test(shown),
    )
    expect(readFileSync(notes, 'utf8')).toBe('No\n')
  })

  test('a shows the question, types nothing by itself, and gives the answer that was picked', async () => {
    const env = ownPlaces()
    const notes = path.join(temporaryFolder(), 'notes')
    await open(env)
    await ask(env, notes)
    await keys('Enter', 'y', 'Enter', '3')
    await shows(/^ > 3\. No/m)
    expect(existsSync(notes)).toBe(false)
    await keys('Enter')
    await shows('answered: No')
    expect(readFileSync(notes, 'utf8')).toBe('No\n')
    await shows(/^>. working/m)
    // Enter goes there; leaving it comes back.
    await keys('Enter')
    await shows('● Done.')
    await tmux('detach-client', '-s', 'agent')
    await shows(/^>. working/m)
    expect(await modes()).toBe('1 0 1')
  })

  /** Whoever ends it. */
  const signalled = async (signal: NodeJS.Signals): Promise<void> => {
    const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', await flag('#{pane_pid}')])
    process.kill(Number(stdout.trim()), signal)
  }

  test.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('gives the screen back at %s', async (signal, code) => {
    await open(ownPlaces())
    await signalled(signal)
    await shows(`ended with ${code}`)
    expect(await modes()).toBe('0 1 0')
  })

  test('Ctrl-C ends it, and Ctrl-Z leaves it for a while', async () => {
    await open(ownPlaces())
    await keys('C-z')
    // Nothing here could continue it, so it goes on by itself. What is typed before it does may be lost.
    await until(
      async () => {
        await keys('?')
        return screen()
      },
      shown => shown.includes('keys and signs'),
    )
    await keys('C-c')
    await shows('ended with 0')
    expect(await modes()).toBe('0 1 0')
  })

  test('gives the screen back when it crashes, before it tells why', async () => {
    const crash = "process.on('SIGUSR2', () => { throw new Error('boom') })"
    await open({ ...ownPlaces(), NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(crash)}` })
    await signalled('SIGUSR2')
    await shows('ended with 1')
    expect(await screen()).toContain('Error: boom')
    expect(await modes()).toBe('0 1 0')
  })
})
