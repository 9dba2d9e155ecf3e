/** What lies behind a relay (sudo's pty, an inner tmux) changes while the relay sleeps: no observation of it is used again. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFile, temporaryFolder } from '../support/lull.ts'
import { bash, hasProgram, tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

/** Its main thread sleeps for good; another one reads the terminal, and prints nothing, once a file is there. */
const silent = `
import os, sys, threading, time
def other():
    open(sys.argv[1] + '.up', 'w')
    while not os.path.exists(sys.argv[1]): time.sleep(.01)
    os.read(0, 1)
thread = threading.Thread(target=other)
thread.start()
thread.join()
`

describe.runIf(hasProgram('tmux') && hasProgram('python3'))('behind a relay', () => {
  const server = tmuxServer()

  test
    .runIf(hasProgram('script'))
    .each([
      ['script', (command: string) => ['script', '-qc', command, '/dev/null']],
      ...(hasProgram('sudo') && process.getuid?.() === 0
        ? [['sudo', (command: string) => ['script', '-qc', `sudo ${command}`, '/dev/null']] as const]
        : []),
    ] as const)(
    'a program behind %s that reads in silence is seen before the 5 s that a look is trusted for',
    async (_, around) => {
      const sign = path.join(temporaryFolder(), 'sign')
      const command = `python3 ${temporaryFile('silent.py', silent)} ${sign}`
      const terminal = await server.terminal(...around(command))
      await until(
        async () => (await terminal.settle()).verdict,
        ({ state, why }) => state.kind === 'working' && why.startsWith('python'),
        'python',
      )
      await terminal.observe()
      await terminal.observe()
      // Its time counts from here: the looks before take long on a busy machine.
      const waiting = terminal.waitReady({ for: [{ type: 'question' }], timeout: 4000 })
      writeFileSync(sign, '')
      expect(await waiting).toMatchObject({ outcome: 'reached', state: 'question' })
    },
  )

  test('an inner tmux that shows another pane is asked again', async () => {
    const socket = path.join(temporaryFolder(), 'inner')
    const terminal = await server.terminal(
      'TMUX=',
      'tmux',
      '-S',
      socket,
      '-f',
      '/dev/null',
      'new',
      'sleep 1000',
    )
    const inner = (...args: readonly string[]) =>
      server.tmux('run-shell', `tmux -S ${socket} ${args.join(' ')}`)
    await until(
      async () => (await terminal.settle()).verdict,
      ({ why }) => why.startsWith('sleep'),
      'sleep',
    )
    inner('new-window', '-d', `env ${bash.map(word => `"${word.replace('$', '\\\\$')}"`).join(' ')}`)
    const waiting = terminal.waitReady({ timeout: 60_000 })
    inner('next-window')
    expect(await waiting).toMatchObject({ outcome: 'reached', state: 'ready' })
    inner('kill-server')
  })
})
