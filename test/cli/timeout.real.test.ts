/** `--timeout` holds, whatever it is that does not answer. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { Run } from '../support/lull.ts'
import { ownPlaces, startLull } from '../support/running.ts'
import { startStandIn } from '../support/stand-in.ts'
import { bash, hasProgram, tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

// Without it, none of these commands would end before the test's own timeout.
const timeout = ['--timeout', '3s']
/** On a machine under load a command takes seconds until it is under way. */
const longTimeout = ['--timeout', '10s']

const stopped: number[] = []
afterEach(() => {
  for (const pid of stopped.splice(0)) process.kill(pid, 'SIGCONT')
})

function stop(pid: number): void {
  process.kill(pid, 'SIGSTOP')
  stopped.push(pid)
}

describe.runIf(process.platform === 'linux' && hasProgram('tmux'))('a tmux server that is stopped', () => {
  const env = { ...ownPlaces(), TMUX: '', TMUX_PANE: '' }

  test('under way ends a wait and a send', async () => {
    const underWay = async (words: readonly string[]) => {
      const server = tmuxServer()
      const pane = server.start(...bash)
      const pid = Number(server.tmux('display', '-p', '#{pid}'))
      if (words[0] === 'wait') server.tmux('send-keys', '-t', pane, 'sleep 70', 'Enter')
      const command = words.map(word => (word === 'PANE' ? `tmux:${pane}` : word))
      const start = () => startLull([...command, '--json', '--socket', server.socket, ...longTimeout], env)
      let waiting = start()
      await until(
        () => {
          // Beside load the time may be over before it is under way.
          if (!waiting.isRunning()) waiting = start()
          return server.tmux('display', '-p', '-t', pane, '#{pane_pipe} #{pane_current_command}').trim()
        },
        shown => shown === '1 sleep',
      )
      stop(pid)
      return await waiting.ended
    }
    const ended = await Promise.all([
      underWay(['wait', 'PANE', '--ready']),
      underWay(['wait', 'PANE', '--for', 'question']),
      underWay(['send', 'PANE', 'sleep 70', '--wait']),
    ])
    // Beside load the server may be stopped while the send still asks it something: then only the time limit ends it.
    const toldBy = ({ stdout, stderr }: Run) =>
      stdout.includes('"outcome":"timeout"') || stderr.includes('not reached within 10 s')
    expect(ended.map(run => ({ code: run.code, isTold: toldBy(run) }))).toEqual(
      ended.map(() => ({ code: 124, isTold: true })),
    )
  })

  test.each([
    ['wait', 'PANE', '--ready'],
    ['send', 'PANE', 'true', '--wait'],
  ])('from the beginning: %s %s %s', async (...words) => {
    const server = tmuxServer()
    const pane = server.start(...bash)
    stop(Number(server.tmux('display', '-p', '#{pid}')))
    const command = words.map(word => (word === 'PANE' ? `tmux:${pane}` : word))
    const waiting = startLull([...command, '--socket', server.socket, ...timeout], env)
    const { code, stderr } = await waiting.ended
    // Where lull took long to start, tmux has been silent for too long before the timeout is over.
    expect([
      [124, expect.stringMatching(/^lull: not reached within 3.0 s: .*tmux/)],
      [2, expect.stringMatching(/^lull: the tmux server at .* does not answer/)],
    ]).toContainEqual([code, stderr])
  })
})

describe.runIf(process.platform === 'linux')('a file that can’t be read to its end', () => {
  test('keeps no wait, not even the first one of a lull that is new', async () => {
    const env: Record<string, string> = { ...ownPlaces(), NODE_COMPILE_CACHE: '' }
    const agent = await startStandIn({ home: env.HOME as string })
    const folder = path.join(agent.home, '.claude/sessions')
    mkdirSync(folder, { recursive: true })
    execFileSync('/usr/bin/mkfifo', [path.join(folder, `${agent.pid}.json`)])
    const waiting = startLull(['wait', `pid:${agent.pid}`, ...timeout], env)
    expect(await waiting.ended).toMatchObject({ code: 124 })
  })
})
