/**
 * Who looks types nothing. Programs that asked for focus reports note every byte that reaches them, in a session that
 * nobody is attached to and in one that a person is, in the window in front and in another, while lull looks in every way.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { type IPty, spawn } from '@lydell/node-pty'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bin, temporaryFile, temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { ownPlaces, startLull } from '../support/running.ts'
import { hasProgram, type TmuxServer, tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

/** Raw, with focus reports and pastes switched on as fish and agents have them; each byte goes into a file, and nowhere else. */
const noting = `
const { appendFileSync, writeFileSync } = require('node:fs')
const [, , file] = process.argv
process.stdin.setRawMode(true)
process.stdin.on('data', data => appendFileSync(file, data))
process.on('SIGWINCH', () => appendFileSync(file, '<resized>'))
process.stdout.write('\\x1b[?1004h\\x1b[?2004h> ', () => writeFileSync(file + '.up', ''))
`
const script = temporaryFile('noting.cjs', noting)

type Noted = { readonly pane: string; readonly pid: number; readonly file: string }

const read = (file: string): string => (existsSync(file) ? readFileSync(file, 'latin1') : '')

const up = '\u001b[A'

const people: IPty[] = []
afterAll(() => {
  for (const person of people) person.kill()
})

function atTerminal(file: string, args: readonly string[], env: Readonly<Record<string, string>>): IPty {
  const { TMUX: _, ...around } = process.env
  const pty = spawn(file, [...args], {
    cols: 100,
    rows: 31,
    name: 'xterm-256color',
    env: { ...around, ...env },
  })
  people.push(pty)
  return pty
}

describe.runIf(hasProgram('tmux') && hasProgram('bash')).each(['on', 'off'])(
  'with focus-events %s',
  focus => {
    const env = ownPlaces()
    let server: TmuxServer
    let alone: Noted
    let inFront: Noted
    let behind: Noted

    async function start(place: string, argv0: string): Promise<Noted> {
      const file = path.join(temporaryFolder(), 'noted')
      const command = `HOME=${env.HOME} exec -a ${argv0} ${process.execPath} ${script} ${file}`
      const [pane = '', pid] = server
        .tmux('new-window', '-t', `${place}:`, '-P', '-F', '#{pane_id} #{pane_pid}', 'bash', '-c', command)
        .split(' ')
      await until(() => existsSync(`${file}.up`), Boolean, 'the program')
      // tmux answers the wish for focus reports with the first of them.
      if (focus === 'on')
        await until(
          () => read(file),
          told => told !== '',
          'the first report',
        )
      return { pane, pid: Number(pid), file }
    }

    beforeAll(async () => {
      server = tmuxServer()
      server.tmux('set-option', '-g', 'focus-events', focus)
      server.tmux('new-session', '-d', '-s', 'seen', '-x', '100', '-y', '30', 'sleep 1000')
      alone = await start('main', 'claude')
      behind = await start('seen', 'claude')
      atTerminal('tmux', ['-S', server.socket, 'attach-session', '-t', 'seen'], {})
      // tmux tells the program of the person: what comes from now on is nobody's doing but lull's.
      await until(
        () => read(behind.file),
        noted => noted.endsWith('\u001b[I'),
        'the person',
      )
      inFront = await start('seen', 'claude')
      if (focus === 'on') {
        await until(
          () => read(behind.file),
          noted => noted.endsWith('\u001b[O'),
          'the focus that went',
        )
        await until(
          () => read(inFront.file),
          noted => noted.endsWith('\u001b[I'),
          'the focus that came',
        )
      }
      for (const { pane } of all()) await run('name', `tmux:${pane}`, `pane${pane.slice(1)}`, ...at())
    })

    const all = (): Noted[] => [alone, inFront, behind]
    const each = (look: (one: Noted) => Promise<unknown>) => Promise.all(all().map(look))
    const at = (): string[] => ['--socket', server.socket]
    const run = (...args: readonly string[]) => lullHere(args, env)

    /** What reached each program meanwhile; a key of one's own, which comes after all else, ends it. */
    async function noted(look: () => Promise<unknown>): Promise<string[]> {
      const sizes = all().map(({ file }) => (existsSync(file) ? statSync(file).size : 0))
      await look()
      for (const { pane } of all()) server.tmux('send-keys', '-t', pane, 'E')
      const since =
        ({ file }: Noted, n: number) =>
        () =>
          read(file).slice(sizes[n])
      const told = await Promise.all(
        all().map((one, n) => until(since(one, n), text => text.includes('E'), 'the key')),
      )
      return told.map(text => text.slice(0, text.indexOf('E') + 1))
    }
    const nothing = ['E', 'E', 'E']

    const ways: Record<string, () => Promise<unknown>> = {
      ps: () => run('ps', '--json'),
      read: () => each(({ pane }) => run('read', `tmux:${pane}`, ...at())),
      'read --json': () => each(({ pane }) => run('read', `tmux:${pane}`, '--json', ...at())),
      'wait --ready': () =>
        each(({ pane }) => run('wait', `tmux:${pane}`, '--ready', '--timeout', '400ms', ...at())),
      'wait --for output': () =>
        each(({ pane }) => run('wait', `tmux:${pane}`, '--for', 'output:/x/', '--timeout', '200ms', ...at())),
      'wait for agents': () => each(({ pid }) => run('wait', `pid:${pid}`, '--timeout', '200ms')),
      watch: async () => {
        const watch = atTerminal(process.execPath, [bin, 'watch'], { ...env, TMUX: `${server.socket},1,0` })
        let shown = ''
        watch.onData(data => {
          shown += data
        })
        const ended = new Promise(resolve => watch.onExit(resolve))
        await until(
          () => shown,
          text => text.includes('claude'),
          'watch',
        )
        watch.write('q')
        await ended
      },
      record: () =>
        each(async ({ pid }) => {
          const file = path.join(temporaryFolder(), 'recorded.cast')
          const recording = startLull(['record', `pid:${pid}`, '-o', file], env)
          await recording.says('recording claude')
          recording.kill('SIGINT')
          await recording.ended
        }),
      host: async () => {
        await run('host', 'start')
        expect((await run('ps', '--json')).stdout).toContain('"via":"host"')
        await run('host', 'stop')
      },
      'a host that answers agents that ask': async () => {
        await run('host', 'start', '--answer-7501', server.socket)
        const pipes = () => server.tmux('list-panes', '-a', '-F', '#{pane_id} #{pane_pipe}').split('\n')
        await until(pipes, lines => all().every(({ pane }) => lines.includes(`${pane} 1`)), 'the pipes')
        await run('host', 'stop')
        await until(pipes, lines => all().every(({ pane }) => lines.includes(`${pane} 0`)), 'their end')
      },
    }

    test.each(Object.keys(ways))('%s lets no byte reach any pane', async way => {
      expect(await noted(async () => ways[way]?.())).toEqual(nothing)
    })

    test('send and keys let exactly theirs reach the one that is meant', async () => {
      const plain = await start('main', 'plain')
      const before = read(plain.file)
      const others = await noted(async () => {
        await run('send', `tmux:${plain.pane}`, '--force', ...at(), '--', 'yes')
        await run('keys', `tmux:${plain.pane}`, ...at(), 'n', 'Up')
      })
      const whole = await until(
        () => read(plain.file),
        text => text.includes(up),
        'Up',
      )
      const theirs = whole.slice(before.length, whole.indexOf(up) + up.length)
      expect(others).toEqual(nothing)
      expect(theirs).toBe(`yes\rn${up}`)
    })
  },
)
