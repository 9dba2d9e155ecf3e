/** `lull watch`: what a key does, what is drawn, and the whole of it in a real terminal. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import fc from 'fast-check'
import stringWidth from 'string-width'
import { afterEach, describe, expect, test } from 'vitest'
import { firstView, press, selectedOf, type WatchView } from '../../src/cli/ui/watch-keys.ts'
import { frame, type Scene, shownRows } from '../../src/cli/ui/watch-screen.ts'
import type { LiveSession } from '../../src/sessions/session-source.ts'
import { finished, permission, thinking, withVerdict } from '../support/live.ts'
import { bin, temporaryFolder } from '../support/lull.ts'
import { ownPlaces, startLull } from '../support/running.ts'
import { type StandIn, startStandIn } from '../support/stand-in.ts'
import { until } from '../support/until.ts'

const ids = ['one', 'two', 'three']
const pressed = (keys: readonly string[], view: WatchView = firstView, among: readonly string[] = ids) => {
  let next: ReturnType<typeof press> = { view }
  for (const key of keys) next = press(next.view, key, among)
  return next
}

describe('a key', () => {
  test.each([
    [[], 'one'],
    [['j'], 'two'],
    [['down', 'j'], 'three'],
    [['j', 'j', 'j', 'j'], 'three'],
    [['j', 'j', 'k'], 'two'],
    [['up'], 'one'],
    [['end'], 'three'],
    [['pagedown'], 'three'],
    [['end', 'home'], 'one'],
    [['end', 'pageup'], 'one'],
  ])('%j selects %s', (keys, id) => {
    expect(selectedOf(pressed(keys).view, ids)).toBe(id)
  })

  test('the selection is a session, wherever it moves; the first where it is gone', () => {
    const { view } = pressed(['j'])
    expect(selectedOf(view, ['three', 'two', 'one'])).toBe('two')
    expect(selectedOf(view, ['three', 'one'])).toBe('three')
    expect(selectedOf(view, [])).toBeUndefined()
  })

  test.each([
    ['g', { type: 'go', id: 'two' }],
    ['s', { type: 'seen', id: 'two' }],
    ['q', { type: 'quit' }],
    ['ctrl-c', { type: 'quit' }],
  ])('%s is a deed: %j', (key, effect) => {
    expect(pressed(['j', key]).effect).toEqual(effect)
    expect(pressed(['j', 'e', 'n']).effect).toBeUndefined()
  })

  test.each(['g', 's', 'j', 'k', 'e'])('%s where nothing is shown does nothing', key => {
    expect(pressed([key], firstView, []).effect).toBeUndefined()
  })

  test('e and enter open and close the explanation, and hold on to the session', () => {
    expect(pressed(['enter']).view).toMatchObject({ isExplaining: true, selected: 'one' })
    expect(pressed(['e', 'e']).view.isExplaining).toBe(false)
    expect(pressed(['e', 'escape']).view.isExplaining).toBe(false)
  })

  test('/ takes letters, whatever else they mean, until enter', () => {
    const { view, effect } = pressed(['/', 'q', 'j', '日', 'backspace', 'g', 'enter'])
    expect([view, effect]).toEqual([{ ...firstView, filter: 'qjg' }, undefined])
    expect(pressed(['/', 'a', 'escape']).view).toEqual(firstView)
    expect(pressed(['/', 'a', 'enter', 'escape']).view).toEqual(firstView)
    expect(pressed(['/', 'ctrl-c']).effect).toEqual({ type: 'quit' })
    expect(pressed(['/', ...'x'.repeat(300)]).view.filter).toHaveLength(100)
  })

  test('n shows only those that need me, and all again', () => {
    expect(pressed(['n']).view.onlyMine).toBe(true)
    expect(pressed(['n', 'n']).view).toEqual(firstView)
  })
})

const sessions: readonly LiveSession[] = [
  withVerdict({ state: thinking, turn: 1 }, { id: 'work0000', pid: 4_194_400, cwd: '/srv/web' }),
  withVerdict({ state: permission, turn: 1 }, { id: 'asks0000', pid: 4_194_401, cwd: '/srv/日本語' }),
  withVerdict({ state: finished, turn: 1, turnOver: true }, { id: 'done0000', pid: 4_194_402, isSeen: true }),
]
const scene = (more: Partial<Scene> = {}): Scene => ({
  sessions,
  via: 'own',
  view: firstView,
  now: 60_000,
  epoch: 0,
  home: '/home/dev',
  ...more,
})
const drawn = (more: Partial<Scene> = {}, width = 120, height = 12, isColoured = false): string[] =>
  frame(scene(more), { width, height }, isColoured)

describe('the picture', () => {
  test('a title, the table, the keys', () => {
    const lines = drawn()
    expect(lines[0]).toBe(' lull: 3 agents, 1 need you (no host: hooks are not heard)')
    expect(lines[1]).toMatch(/^ {3}STATE/)
    expect(lines.slice(2, 5).map(line => line.slice(0, 21))).toEqual([
      '>● waiting/permission',
      '   idle/turn         ',
      '   working/thinking  ',
    ])
    expect(lines.at(-1)).toMatch(/^ ↑↓ select {2}enter explain/)
  })

  test('is as high and as wide as the terminal, whatever is shown', () => {
    const many = Array.from({ length: 40 }, (_, n) =>
      withVerdict({ state: permission }, { id: `m${n}`, pid: 4_194_400, cwd: `/srv/${'日本語/'.repeat(n)}` }),
    )
    const views = fc.record({
      selected: fc.constantFrom('m0', 'm20', 'm39', 'gone'),
      filter: fc.constantFrom('', 'm3', 'nothing at all'),
      isTyping: fc.boolean(),
      onlyMine: fc.boolean(),
      isExplaining: fc.boolean(),
    })
    const size = fc.record({
      width: fc.integer({ min: 1, max: 250 }),
      height: fc.integer({ min: 1, max: 60 }),
    })
    const all = fc.constantFrom(many, sessions, [])
    fc.assert(
      fc.property(all, views, size, fc.boolean(), (sessions, view, { width, height }, isColoured) => {
        const lines = drawn({ sessions, view }, width, height, isColoured)
        expect(lines).toHaveLength(height)
        for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width)
      }),
    )
  })

  test('the selected row is always in it', () => {
    const many = Array.from({ length: 40 }, (_, n) =>
      withVerdict({ state: permission }, { id: `m${String(n).padStart(2, '0')}`, pid: 4_194_400 }),
    )
    for (const selected of ['m00', 'm07', 'm20', 'm39'])
      for (const isExplaining of [false, true])
        for (const width of [60, 200]) {
          const lines = drawn({ sessions: many, view: { ...firstView, selected, isExplaining } }, width, 16)
          expect(lines.filter(line => line.startsWith('>')).join()).toContain(selected)
        }
  })

  test('a filter and "only mine" leave out the others', () => {
    const shown = (view: Partial<WatchView>) =>
      shownRows(scene({ view: { ...firstView, ...view } })).map(({ id }) => id)
    expect(shown({ filter: '日本' })).toEqual(['asks0000'])
    expect(shown({ filter: 'WORKING' })).toEqual(['work0000'])
    expect(shown({ onlyMine: true })).toEqual(['asks0000'])
    expect(drawn({ view: { ...firstView, filter: 'x', isTyping: true } })[0]).toContain('/x_')
    expect(drawn({ view: { ...firstView, filter: 'nowhere' } }).join()).toContain('none holds "nowhere"')
  })

  test('the explanation: the sentence, the evidence, the place', () => {
    const panel = drawn({ view: { ...firstView, isExplaining: true } }).join('\n')
    expect(panel).toContain('Waiting for a permission for 1 min: nothing has been heard yet.')
    expect(panel).toContain('confidence 0.00, turn 1, only new evidence changes it')
    expect(panel).toContain('pid 4194401, no transcript found')
  })

  test('of none: a sentence', () => {
    expect(drawn({ sessions: [] })[2]).toBe(' no coding agent runs on this machine')
  })

  test('a message stands where the keys stood', () => {
    expect(drawn({ message: 'seen: claude' }).at(-1)).toBe(' seen: claude')
  })
})

const status = (agent: StandIn, state: string, waitingFor?: string) =>
  agent.status({ status: state, waitingFor, statusUpdatedAt: Date.now() })

describe.runIf(process.platform === 'linux')('lull watch, not in a terminal', () => {
  test('a line for each agent, then one at each change', async () => {
    const [agent, env] = [await startStandIn(), ownPlaces()]
    status(agent, 'busy')
    const watch = startLull(['watch'], env)
    const line = (state: string) =>
      new RegExp(`^\\d{4}-\\S+Z {2}claude \\w{8} \\(${agent.cwd}\\) {2}${state} {2}`, 'm')
    await watch.says(line('working'))
    status(agent, 'waiting', 'permission prompt')
    await watch.says(line('waiting/permission'))
    await agent.kill()
    await watch.says(line('exited'))
    expect(watch.stderr()).toBe('')
  })

  test('--json: a snapshot, then each change, an object a line', async () => {
    const [agent, env] = [await startStandIn(), ownPlaces()]
    status(agent, 'busy')
    const watch = startLull(['watch', '--json'], env)
    await watch.says('"event":"snapshot"')
    status(agent, 'waiting', 'permission prompt')
    await watch.says(new RegExp(`"event":"changed".*"pid":${agent.pid},.*"for":"permission"`))
    const [first, ...rest] = watch
      .stdout()
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as { event: string; at: string; sessions?: object[] })
    expect(first).toMatchObject({ event: 'snapshot', at: expect.any(String) })
    expect(first?.sessions).toContainEqual(
      expect.objectContaining({ pid: agent.pid, state: 'working', seen: true }),
    )
    expect(new Set(rest.map(({ event }) => event))).toEqual(new Set(['changed']))
  })
})

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

  const screen = () => tmux('capture-pane', '-p')
  const flag = async (format: string): Promise<string> => (await tmux('display-message', '-p', format)).trim()
  const shows = (text: string | RegExp) =>
    until(screen, shown => (typeof text === 'string' ? shown.includes(text) : text.test(shown)), `"${text}"`)

  async function open(env: Record<string, string>): Promise<void> {
    opened++
    const shell = ['sh', '-c', '"$@"; echo "ended with $?"; exec cat', 'sh', process.execPath, bin, 'watch']
    const set = Object.entries({ ...env, TMUX: '' }).flatMap(([name, value]) => ['-e', `${name}=${value}`])
    await tmux('new-session', '-d', '-x', '120', '-y', '15', ...set, '--', 'env', '-u', 'TMUX', ...shell)
    await shows('q quit')
  }

  test('draws what changes, takes keys, fits when resized, and gives the screen back', async () => {
    const [agent, env] = [await startStandIn({ folder: '日本語のフォルダ' }), ownPlaces()]
    status(agent, 'busy')
    await open(env)
    await tmux('send-keys', '/', '日本', 'Enter')
    await shows(/^>. working +.*日本語のフォルダ/m)
    expect(await flag('#{alternate_on} #{cursor_flag}')).toBe('1 0')
    status(agent, 'waiting', 'permission prompt')
    await shows(/^>● waiting\/permission/m)
    await tmux('send-keys', 'e')
    await shows(`pid ${agent.pid}`)
    await tmux('resize-window', '-x', '60', '-y', '12')
    await until(screen, shown =>
      shown
        .trimEnd()
        .split('\n')
        .every(line => stringWidth(line) <= 60),
    )
    await shows(/^>● waiting\/permission/m)
    await tmux('send-keys', 's')
    await shows(/^ seen: claude \w{8}/m)
    await tmux('send-keys', 'q')
    await shows('ended with 0')
    expect(await flag('#{alternate_on} #{cursor_flag}')).toBe('0 1')
    expect(await screen()).not.toContain('STATE')
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
    expect(await flag('#{alternate_on} #{cursor_flag}')).toBe('0 1')
  })

  test('gives the screen back when it crashes, before it tells why', async () => {
    const crash = "process.on('SIGUSR2', () => { throw new Error('boom') })"
    await open({ ...ownPlaces(), NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(crash)}` })
    await signalled('SIGUSR2')
    await shows('ended with 1')
    expect(await screen()).toContain('Error: boom')
    expect(await flag('#{alternate_on} #{cursor_flag}')).toBe('0 1')
  })
})
