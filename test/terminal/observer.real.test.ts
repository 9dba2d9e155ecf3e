/** One observer, whatever holds the terminal: `ps`, which watches a pane, and `send`, which drives it, can't disagree. */
import { execFileSync } from 'node:child_process'
import { existsSync, unlinkSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { spawn } from '@lydell/node-pty'
import { afterAll, describe, expect, test } from 'vitest'
import { readStat } from '../../src/os/proc/stat.ts'
import { listPanes } from '../../src/os/tmux/tmux-server.ts'
import { ptsOf } from '../../src/os/tty/tty.ts'
import { classify } from '../../src/terminal/classify/classify.ts'
import { createObserver, type Observer } from '../../src/terminal/observer.ts'
import {
  concludeRunning,
  isConclusive,
  isResting,
  newObserver,
  type Observation,
  settleStep,
  withCapture,
  withRest,
} from '../../src/terminal/observer-step.ts'
import { outputFeed } from '../../src/terminal/output-feed.ts'
import { followOwnTerminal } from '../../src/terminal/own-terminal.ts'
import { probeTerminal } from '../../src/terminal/probe/probe.ts'
import type { Probe } from '../../src/terminal/probe/probed.ts'
import { tmuxPane } from '../../src/terminal/tmux-pane.ts'
import { realClock } from '../../src/track/clock.ts'
import { temporaryFile, temporaryFolder } from '../support/lull.ts'
import { probeOf, process as program, word } from '../support/probes.ts'
import { bash, hasProgram, type TmuxServer, tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

const canRun = hasProgram('tmux') && existsSync('/proc/self/syscall')
if (!canRun) console.warn('skipped: tmux is needed, and a /proc that tells of system calls')

describe.runIf(canRun)('a pane that is watched and driven', () => {
  const server = tmuxServer()
  /** A tmux in a pane of another: what is typed reaches the inner one's pane. */
  const innerSocket = path.join(temporaryFolder(), 'inner')
  const inner = ['tmux', '-S', innerSocket, '-f', '/dev/null', 'new-session', 'env', ...bash]
  afterAll(() => execFileSync('tmux', ['-S', innerSocket, 'kill-server']))

  const observers = async (pane: string) => {
    const facts = (await listPanes(server.socket)).find(({ id }) => id === pane)
    if (!facts) throw new Error(`no pane ${pane}`)
    const { id, tty, pid } = facts
    const address = { socket: server.socket, id, tty, pid }
    const [watched, driven] = [createObserver(tmuxPane(address)), createObserver(tmuxPane(address))]
    await driven.holder.receiveOutput()
    return { watched, driven }
  }

  /** What a fresh observer says once it is sure. */
  async function says(observer: Observer, expected: string) {
    const { verdict } = await until(
      () => observer.settle(1500),
      observation => isConclusive(observation) && word(observation.verdict) === expected,
      expected,
    )
    const { state, health, tier, why, prompt } = verdict
    return { state, health, tier, why, prompt: prompt?.trim() }
  }

  test.each<[string, readonly string[], readonly string[], string]>([
    ['a shell at its prompt', bash, [], 'idle/shell'],
    [
      'a read -e, which reads as the prompt does',
      bash,
      ['read -e -p "Go on? [y/N] " x'],
      'waiting/confirmation',
    ],
    // How deep it reads depends on how many arguments it has.
    ...(hasProgram('yash')
      ? [1, 3, 5].flatMap((count): [string, readonly string[], readonly string[], string][] => {
          const yash = ['yash', '--norc', ...Array<string>(count - 1).fill('-i')]
          const name = `yash with ${count} arguments`
          return [
            [`${name} at its prompt`, yash, [], 'idle/shell'],
            [`a read -e of ${name}, behind the same prompt`, yash, ['read -e -P x'], 'waiting/input'],
          ]
        })
      : []),
    ['a command', bash, ['sleep 1000'], 'working'],
    ['a password', bash, ['read -sp "Password: " x'], 'waiting/password'],
    ['a shell in an inner tmux', inner, [], 'idle/shell'],
    ['a read -e in an inner tmux', inner, ['read -e -p "Go on? [y/N] " x'], 'waiting/confirmation'],
    ['a command in an inner tmux', inner, ['sleep 1000'], 'working'],
  ])('is the same: %s', async (_, command, typed, expected) => {
    const pane = server.start(...command)
    await until(
      () => server.screen(pane),
      screen => /^[$#]/.test(screen),
    )
    for (const line of typed) server.tmux('send-keys', '-t', pane, line, 'Enter')
    const { watched, driven } = await observers(pane)
    try {
      // Before a command is there, the shell that starts it runs, and a moment later it is another.
      await until(
        async () => (await driven.settle(1500)).verdict,
        last => word(last) === expected && !last.why.startsWith('bash runs'),
        expected,
      )
      // One that has seen nothing before, as `lull ps` and `lull send` have not.
      const { watched: cold, driven: coldDriven } = await observers(pane)
      expect(await says(cold, expected)).toEqual(await says(coldDriven, expected))
      expect(await says(watched, expected)).toEqual(await says(driven, expected))
      await coldDriven.holder.close()
    } finally {
      await driven.holder.close()
      server.tmux('kill-pane', '-t', pane)
    }
  })
})

describe.runIf(canRun)('a tmux that does not answer', () => {
  const processOf = (server: TmuxServer) => Number(server.tmux('display-message', '-p', '#{pid}'))

  test('is no end: what the kernel proves is known, all else is not, and nothing is typed', async () => {
    const server = tmuxServer()
    const [idle, busy] = [await server.terminal(...bash), await server.terminal('sleep', '1000')]
    expect(await idle.waitReady()).toMatchObject({ outcome: 'reached' })
    await busy.settle()
    const pid = processOf(server)
    process.kill(pid, 'SIGSTOP')
    try {
      const [unknown, known] = await Promise.all([idle.observe(), busy.observe()])
      expect(unknown).toMatchObject({
        verdict: { state: { kind: 'unknown' }, confidence: 0, why: 'tmux does not answer' },
        isSteady: false,
      })
      expect(known.verdict).toMatchObject({ state: { kind: 'working' }, tier: 'proven' })
      const refused = {
        code: 'REFUSED_TO_TYPE',
        message: 'tmux does not answer',
        facts: { outcome: 'failed' },
      }
      const timeout = { outcome: 'timeout', state: 'unknown' }
      await Promise.all([
        expect(idle.send('true')).rejects.toMatchObject(refused),
        expect(busy.keys(['C-c'])).rejects.toMatchObject(refused),
        expect(idle.read()).rejects.toMatchObject({ code: 'NO_ANSWER' }),
        expect(idle.waitReady({ timeout: 1 })).resolves.toMatchObject(timeout),
        expect(idle.waitReady({ timeout: 1, strategy: 'pattern' })).resolves.toMatchObject(timeout),
      ])
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    const { answer } = await idle.send('true', { wait: {} })
    expect(answer?.outcome).toBe('reached')
    expect(server.screen(idle.pane.id).match(/true/g)).toHaveLength(1)
  })

  test('nor is one whose socket was removed, as cleaners of /tmp do', async () => {
    const server = tmuxServer()
    const terminal = await server.terminal(...bash)
    await terminal.waitReady()
    const pid = processOf(server)
    unlinkSync(server.socket)
    expect((await terminal.observe()).verdict).toMatchObject({
      state: { kind: 'unknown' },
      why: `no server running on ${server.socket}`,
    })
    // tmux makes it again.
    process.kill(pid, 'SIGUSR1')
    await until(
      async () => word((await terminal.observe()).verdict),
      said => said === 'idle/shell',
    )
  })
})

test.runIf(canRun)(
  'an end is seen though nothing runs at it: the program ignores that it is hung up',
  async () => {
    const server = tmuxServer()
    const { pane } = await server.terminal('sh', '-c', "trap '' HUP; exec sleep 1000")
    const observer = createObserver(tmuxPane(pane))
    let before: Observation | undefined
    try {
      await until(
        () => observer.observeFast(),
        now => {
          const isResting = now === before && word(now.verdict) === 'working'
          before = now
          return isResting
        },
        'a look that finds nothing new',
      )
      server.tmux('kill-server')
      await until(
        async () => word((await observer.observeFast()).verdict),
        said => said === 'exited',
        'its end',
      )
    } finally {
      await observer.holder.close()
      process.kill(pane.pid, 'SIGKILL')
    }
  },
)

test.runIf(canRun)(
  'a terminal of lull’s own: a read -e is told from a prompt at first sight, as in a pane',
  async () => {
    const asks = temporaryFile('rc', 'read -e -p "Go on? [y/N] " x; PS1="$ "')
    const pty = spawn('bash', ['--noprofile', '--rcfile', asks, '-i'], { encoding: null })
    const words: string[] = []
    const terminal = followOwnTerminal(pty.pid, realClock(), verdict => words.push(word(verdict)))
    pty.onData(data => terminal.take(data as unknown as Buffer))
    try {
      for (const expected of ['waiting/confirmation', 'idle/shell']) {
        await until(
          () => words.at(-1),
          last => last === expected,
          expected,
        )
        pty.write('y\r')
      }
      expect(words.filter(said => said === 'unknown')).toEqual([])
    } finally {
      terminal.close()
      pty.kill('SIGKILL')
    }
  },
)

test.runIf(canRun).each([
  ['keys that have come', 'x', { queued: 1 }],
  ['that output was stopped', '\u0013', { isOutputStopped: true }],
])('an observation sees %s since its probe, though no process has run', async (_, typed, expected) => {
  const pty = spawn('bash', ['-c', 'stty -icanon -echo; echo up; exec sleep 1000'], { encoding: null })
  const tty = await until(
    () => ptsOf(readStat(pty.pid)?.tty ?? 0) ?? '',
    path => path !== '',
  )
  const screen = { rows: ['up'], columns: 80 }
  let keys = ''
  const observer = createObserver({
    tty,
    pid: pty.pid,
    output: outputFeed(),
    async capture() {
      pty.write(keys)
      // Of what was written the terminal knows a moment later.
      if (keys !== '')
        await until(
          () => probeTerminal(tty, pty.pid),
          probe => isDeepStrictEqual({ ...probe, ...expected }, probe),
        )
      return { type: 'shown', screen, isRendered: true, lines: ['up'], isWhole: true }
    },
    ended: async () => ({ type: 'ended', end: {} }),
  })
  try {
    await until(
      () => observer.observe(),
      ({ verdict, isSteady }) => isSteady && verdict.why?.startsWith('sleep') === true,
    )
    keys = typed
    const { probe, isSteady } = await observer.observe()
    expect(probe).toMatchObject(expected)
    expect(isSteady).toBe(false)
  } finally {
    pty.kill('SIGKILL')
  }
})

describe('an observation', () => {
  const shell = probeOf([program('bash', 'pselect6')], { mode: 'ce', line: 'ada@box:~$ ' })
  const observed = (verdict: object, isSteady = true): Observation => ({
    verdict: { ...classify(shell), ...verdict },
    probe: shell,
    isSteady,
    isWhole: true,
    lines: [],
  })
  const frozen = { health: { level: 'confirmed_stuck', certainty: 'certain' } }

  test.each<[string, Observation, number, number | undefined]>([
    ['conclusive: the last one', observed({}), 0, undefined],
    ['that moved: again soon', observed({}, false), 0, 5],
    ['that wants quiet: then', observed({ observeAgainIn: 7 }), 0, 7],
    ['that wants much quiet: now and then until then', observed({ observeAgainIn: 500 }), 0, 100],
    ['that still moves when the patience is over: the last one', observed({}, false), 300, undefined],
    ['of a terminal that stands still: it may go on', observed(frozen), 300, 5],
    ['of one that has stood still for a second: the last one', observed(frozen), 1000, undefined],
  ])('%s', (_, observation, elapsed, delay) => {
    expect(settleStep(observation, elapsed, 300)).toBe(delay)
  })

  test('without a capture is possible only where the kernel proves that a program runs', () => {
    const screen = { rows: [''], columns: 80 }
    const shown = withCapture(
      newObserver(100),
      { type: 'shown', screen, isRendered: true, lines: [], isWhole: true },
      shell,
      0,
    )
    const sleeps = probeOf([program('sleep 9', '-clock_nanosleep')])
    expect(concludeRunning(newObserver(100), sleeps)).toBeUndefined()
    expect(concludeRunning(shown, shell)).toBeUndefined()
    expect(concludeRunning(shown, sleeps)?.verdict.state.kind).toBe('working')
  })

  test('holds while a screen stays as it is, and counts its quiet from when it changed', () => {
    const at = (row: string, now: number, state = newObserver(100), before = shell) =>
      withCapture(
        state,
        {
          type: 'shown',
          screen: { rows: [row], columns: 80 },
          isRendered: true,
          lines: [row],
          isWhole: true,
        },
        before,
        now,
      )
    const first = at('a', 10)
    expect(at('a', 30, first).shown?.since).toBe(10)
    expect(at('b', 30, first).shown?.since).toBe(30)
    // `yes`, whose lines are alike: it is kept from writing again and again, and each time by another piece.
    const yes = (switches: number) => probeOf([{ ...program('yes', 'write!'), switches }])
    const writes = at('y', 10, newObserver(100), yes(1))
    expect(at('y', 30, writes, yes(1)).shown?.since).toBe(10)
    expect(at('y', 30, writes, yes(2)).shown?.since).toBe(30)
  })

  describe('stays what it is while no process of the terminal runs', () => {
    const sleeps = probeOf([program('bash', '-wait4'), program('sleep 9', '-clock_nanosleep', 200)])
    const many = {
      ...program('node', 'epoll_wait'),
      calls: shell.processes.flatMap(({ calls }) => [...calls, ...calls]),
    }
    const of = (probe: Probe): Observation => ({ ...observed(classify(probe)), probe })
    const polledAs = (text: string) => new Map([100, 200].map(pid => [pid, text]))
    const rested = (observation: Observation) => withRest(newObserver(100), observation, polledAs('a'), 5)

    test.each<[string, Observation, string, number, number, boolean]>([
      ['nothing has run', of(sleeps), 'a', 5, 12_000, true],
      ['one has run', of(sleeps), 'b', 5, 12_000, false],
      ['something was printed', of(sleeps), 'a', 6, 12_000, false],
      ['it can’t be asked', of(sleeps), '', 5, 12_000, false],
      ['it is long ago', of(sleeps), 'a', 5, 15_000, false],
      ['it is long ago, but one thread is all there is: a shell', of(shell), 'a', 5, 99_000, true],
      [
        'it is long ago, and another thread may have run',
        of({ ...shell, processes: [many] }),
        'a',
        5,
        99_000,
        false,
      ],
      ['it was not conclusive', { ...of(sleeps), isSteady: false }, 'a', 5, 12_000, false],
    ])('%s', (_, observation, polled, count, now, expected) => {
      expect(isResting(rested(observation), polledAs(polled), count, now)).toBe(expected)
    })

    test('all of which were polled before it was made', () => {
      const rest = withRest(newObserver(100), of(sleeps), new Map([[100, 'a']]), 5)
      expect(isResting(rest, polledAs('a'), 5, 12_000)).toBe(false)
    })
  })
})
