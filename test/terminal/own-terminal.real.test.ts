/** A pseudo terminal of lull's own: judged by the kernel and by the line that was printed last. */
import { existsSync } from 'node:fs'
import { spawn } from '@lydell/node-pty'
import { describe, expect, test } from 'vitest'
import { newSession } from '../../src/core/session.ts'
import { classify } from '../../src/terminal/classify/classify.ts'
import { beforeCursor, tailScreen } from '../../src/terminal/classify/screen-text.ts'
import { followOwnTerminal } from '../../src/terminal/own-terminal.ts'
import { terminalSignals } from '../../src/terminal/terminal-signals.ts'
import { realClock } from '../../src/track/clock.ts'
import { createTrack } from '../../src/track/track.ts'
import { gate } from '../support/gate.ts'
import { expectLinear } from '../support/growth.ts'
import { rowsHere } from '../support/lull-here.ts'
import { probeOf, process as program, word } from '../support/probes.ts'
import { ownPlaces, startLull } from '../support/running.ts'
import { until } from '../support/until.ts'

const canRun = existsSync('/proc/self/syscall')
if (!canRun) console.warn('skipped: a /proc that tells of system calls is needed')

test.runIf(canRun)('a program in it runs, asks, and takes a password', async () => {
  const { command, open } = gate()
  const script = `${command}; read -p "Continue? [y/N] " a; read -sp "Password: " b; sleep 60`
  const pty = spawn('bash', ['-c', script], { encoding: null })
  const clock = realClock()
  const words: string[] = []
  const terminal = followOwnTerminal(pty.pid, clock, verdict => words.push(word(verdict)))
  pty.onData(data => terminal.take(data as unknown as Buffer))
  try {
    for (const [expected, goOn] of [
      ['working', open],
      ['waiting/confirmation', () => pty.write('y\r')],
      ['waiting/password', () => pty.write('secret\r')],
      ['working', () => undefined],
    ] as const) {
      await until(
        () => words.at(-1),
        last => last === expected,
        expected,
      )
      goOn()
    }
    // Between the two questions it works, for a moment that a look may meet; one word may have new reasons.
    expect(words.join(' ')).toMatch(
      /^(?:working )+(?:waiting\/confirmation )+(?:working )*(?:waiting\/password )+working(?: working)*$/,
    )
  } finally {
    terminal.close()
    pty.kill('SIGKILL')
  }
})

describe('the line that was printed last', () => {
  test.each([
    ['a\r\nContinue? [y/N] ', 'Continue? [y/N] '],
    ['\u001b[32mada\u001b[0m:\u001b]0;title\u0007~$ ', 'ada:~$ '],
    ['10%\r20%\r30%', '30%'],
    ['abc\b\b', 'a'],
    ['Name: \u001b[?2004h', 'Name: '],
    ['完了 > ', '完了 > '],
    ['x\n', ''],
    ['', ''],
  ])('of %j is %j', (printed, line) => {
    expect(beforeCursor(tailScreen(printed))).toBe(line)
  })
  test('costs no more where nothing ends', () => {
    for (const flood of ['\u001b]', '\u001b[', '\u001b', 'x'])
      expectLinear(size => tailScreen(flood.repeat(size)), 100_000)
  })
})

describe('in a track', () => {
  const track = createTrack(realClock())
  const told = (calls: string, rest: object) => {
    const verdict = classify(probeOf([program('bash', calls)], rest))
    return track.file('t', terminalSignals(verdict, 0, 0))
  }
  test('a verdict is a sign of the process where it is proven, else of the screen; the later one counts', () => {
    track.begin('t', newSession(0))
    expect(told('-wait4', {}).state).toEqual({ kind: 'working', doing: 'command' })
    expect(told('pselect6', { mode: 'ce', line: 'ada@box:~$ ' })).toMatchObject({
      state: { kind: 'idle', at: 'shell' },
      because: [{ source: 'screen', tier: 'seen' }],
    })
    expect(told('read(4096)', { mode: 'Ce', line: 'Password: ' })).toMatchObject({
      state: { kind: 'waiting', for: 'password' },
      because: [{ source: 'process', tier: 'proven' }],
    })
    expect(told('pselect6', { mode: 'ce', line: 'what: ' }).state.kind).toBe('unknown')
  })
  test('a prompt that is only inferred is shown as one, also after work that was proven', () => {
    expect(told('-wait4', {}).state.kind).toBe('working')
    const [verdict] = [
      {
        ...classify(probeOf([program('bash', 'pselect6')], { mode: 'ce', line: 'ada@box:~$ ' })),
        tier: 'inferred' as const,
      },
    ]
    expect(track.file('t', terminalSignals(verdict, 0, 0))).toMatchObject({
      state: { kind: 'idle', at: 'shell' },
      confidence: 0.8,
      because: [{ source: 'screen', tier: 'inferred' }],
    })
    expect(told('-wait4', {}).state).toEqual({ kind: 'working', doing: 'command' })
  })
  test('what is frozen is stuck, and well again', () => {
    expect(told('write!', { quiet: 5000 }).health).toMatchObject({
      level: 'confirmed_stuck',
      cause: 'output',
    })
    expect(told('-wait4', {}).health.level).toBe('healthy')
  })
  test('the end is the end', () => {
    const verdict = classify(probeOf([], { gone: { code: 3 } }))
    expect(track.file('t', terminalSignals(verdict, 0, 0)).state).toEqual({ kind: 'exited', code: 3 })
    track.close()
  })
})

test.runIf(canRun)('`lull run --pty` shows in `lull ps` what its command waits for', async () => {
  const env = ownPlaces()
  const running = startLull(['run', '--pty', '--', 'bash', '-c', 'read -sp "Password: " x'], env)
  const row = await until(
    async () => (await rowsHere(env)).find(({ agent, state }) => agent === 'command' && state === 'waiting'),
    one => one !== undefined,
    'the run that waits',
  )
  expect(row).toMatchObject({ for: 'password' })
  running.kill('SIGTERM')
  await running.ended
})
