/** A terminal that is followed: whose tmux falls silent, and whose prompt is only a guess. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { explain } from '../../src/core/explain/explain.ts'
import { markOf } from '../../src/os/proc/alive.ts'
import { readStat } from '../../src/os/proc/stat.ts'
import { nameTerminal } from '../../src/sessions/terminals/named-terminals.ts'
import { terminalProvider } from '../../src/sessions/terminals/terminal-provider.ts'
import { realClock } from '../../src/track/clock.ts'
import { temporaryFolder } from '../support/lull.ts'
import { bash, hasProgram, tmuxServer } from '../support/tmux-server.ts'
import { until } from '../support/until.ts'

const canRun = hasProgram('tmux') && existsSync('/proc/self/syscall')
if (!canRun) console.warn('skipped: terminals need tmux, and a /proc that tells of system calls')

describe.runIf(canRun)('a terminal that is followed', () => {
  const server = tmuxServer()

  /** What is said of a program in a pane, each time it is asked. */
  async function follow(...command: readonly string[]) {
    const pane = server.start(...command)
    const [pid = '', tty = ''] = server
      .tmux('display-message', '-p', '-t', pane, '#{pane_pid} #{pane_tty}')
      .trim()
      .split(' ')
    const { start = '' } = markOf(Number(pid))
    const folder = temporaryFolder()
    const { socket } = server
    await nameTerminal(folder, { name: 'a', socket, pane, tty, pid: Number(pid), start })
    const clock = realClock()
    const provider = terminalProvider(folder, clock)
    provider.start(() => undefined)
    onTestFinished(() => provider.close())
    const says = () => {
      const verdict = provider.list()[0]?.session.verdict
      return verdict ? `${verdict.state.kind}: ${explain(verdict, clock.now())}` : ''
    }
    return {
      pid: Number(pid),
      folder,
      provider,
      says: (what: RegExp) => until(says, said => what.test(said), String(what)),
      type: (line: string) => server.tmux('send-keys', '-t', pane, line, 'Enter'),
    }
  }

  test('is unknown, with its cause, while its tmux does not answer, and known again with the next look', async () => {
    const { says, type } = await follow(...bash)
    await says(/^idle/)
    const fifo = path.join(temporaryFolder(), 'fifo')
    execFileSync('mkfifo', [fifo])
    type(`read x < ${fifo}`)
    await says(/^working/)
    const tmux = Number(server.tmux('display-message', '-p', '#{pid}'))
    process.kill(tmux, 'SIGSTOP')
    try {
      execFileSync('sh', ['-c', `echo > ${fifo}`])
      expect(await says(/^unknown/)).toMatch(/does not answer|did not answer|no answer/)
    } finally {
      process.kill(tmux, 'SIGCONT')
    }
    await says(/^idle/)
  })

  test('has its folder also where the command that the last look found has ended since', async () => {
    const { pid, provider, says } = await follow('sh', '-c', 'sleep 1000; exec cat')
    await says(/^working/)
    const command = await until(
      () => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0]),
      child => child > 1,
    )
    process.kill(command, 'SIGKILL')
    await until(
      () => readStat(command),
      stat => stat === undefined || stat.state === 'Z',
    )
    const [session] = provider.list()
    expect(session?.note).toBeUndefined()
    expect(session?.cwd).toBe(readlinkSync(`/proc/${pid}/cwd`))
  })

  test('shows a prompt that is only inferred', async () => {
    const { says, type } = await follow(
      'bash',
      '--norc',
      '--noprofile',
      '-c',
      'while printf "robot> "; read x; do eval "$x"; echo done; done',
    )
    await says(/^waiting/)
    type('true')
    await says(/^idle/)
    type('sleep 60')
    await says(/^working/)
  })

  test('keeps its name while the names can’t be read, and has it as soon as they can', async () => {
    const { folder, provider, says } = await follow(...bash)
    await says(/^idle/)
    const file = path.join(folder, 'terminals.json')
    const names = readFileSync(file)
    const listed = async () => {
      await provider.ready?.()
      return provider.list().map(({ name }) => name)
    }
    for (const bad of ['{"a": {', '[]']) {
      writeFileSync(file, bad)
      expect(await listed()).toEqual(['a'])
    }
    chmodSync(folder, 0o777)
    writeFileSync(file, names.toString().replace('"a"', '"b"'))
    expect(await listed()).toEqual(['a'])
    chmodSync(folder, 0o700)
    expect(await listed()).toEqual(['b'])
  })
})
