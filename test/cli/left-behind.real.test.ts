/** A loop that is killed can't end its agent: the next one finds it, says so, and ends it where it is told to. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { signalled } from '../../src/os/proc/alive.ts'
import { hasEnded, readStat } from '../../src/os/proc/stat.ts'
import { bin, temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { until } from '../support/until.ts'

const groups: number[] = []
afterEach(() => {
  for (const group of groups.splice(0)) {
    try {
      process.kill(-group, 'SIGKILL')
    } catch {}
  }
})

const runs = (pid: number): boolean => {
  const stat = readStat(pid)
  return stat !== undefined && !hasEnded(stat)
}

/** A file is written beside its place and put there: what is in the folder before is not yet one that is found. */
const isPublished = (folder: string, agent: number | undefined): boolean =>
  existsSync(folder) &&
  readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .some(name => JSON.parse(readFileSync(path.join(folder, name), 'utf8')).process.pid === agent)

/** An agent that goes on for a minute, its loop killed: what of it still runs then. */
async function killedLoop(program: string) {
  const home = temporaryFolder()
  const pids = path.join(home, 'pids')
  mkdirSync(path.join(home, 'bin'))
  writeFileSync(path.join(home, 'bin/agent'), `#!/bin/sh\n${program.replaceAll('PIDS', pids)}\n`)
  chmodSync(path.join(home, 'bin/agent'), 0o755)
  writeFileSync(path.join(home, 'RALPH.md'), '---\nagent: bin/agent\n---\nGo on.\n')
  // The next loop has another agent: it ends at once.
  writeFileSync(path.join(home, 'NEXT.md'), '---\nagent: cat\n---\nGo on.\n')
  const env = {
    HOME: home,
    LULL_RUNTIME_DIR: path.join(home, 'run'),
    XDG_STATE_HOME: path.join(home, 'state'),
  }
  const loop = spawn(process.execPath, [bin, 'loop', 'RALPH.md'], {
    cwd: home,
    env: { ...process.env, ...env },
    stdio: 'ignore',
  })
  const published = path.join(home, 'run/runs')
  const started = () => (existsSync(pids) ? readFileSync(pids, 'utf8').trim().split(/\s+/).map(Number) : [])
  const [pid = 0, ...others] = await until(started, ([agent]) => isPublished(published, agent))
  groups.push(pid)
  loop.kill('SIGKILL')
  await once(loop, 'exit')
  const next = (...flags: string[]) =>
    lullHere(['loop', path.join(home, 'NEXT.md'), '-n', '1', ...flags], env)
  return { pid, others, env, next, published }
}

describe.runIf(process.platform === 'linux')('the agent of a loop that was killed', () => {
  test('is told of at the next start, and left alone', async () => {
    const { pid, env, next } = await killedLoop('echo $$ > PIDS; exec sleep 60')
    // Whoever looks at the sessions in between does not forget it.
    await lullHere(['ps'], env)
    for (let times = 0; times < 2; times++) {
      const { code, stderr } = await next()
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(`still runs .*pid ${pid} `) })
      expect(runs(pid)).toBe(true)
    }
  })

  test('is ended where that is asked for, with what it started, and then forgotten', async () => {
    const { pid, others, next } = await killedLoop(
      'trap "" TERM; sleep 60 & echo $$ $! > PIDS; while :; do wait; done',
    )
    const { code, stderr } = await next('--end-left-behind')
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(`ended .*pid ${pid} `) })
    expect([pid, ...others].filter(runs)).toEqual([])
    expect((await next()).stderr).toBe('')
  })

  test('has ended, and what it had started goes on', async () => {
    const { pid, others, next } = await killedLoop(
      'sleep 60 & echo $$ $! > PIDS; while [ "$PPID" = "$(ps -o ppid= -p $$ | tr -d " ")" ]; do sleep 0.1; done',
    )
    await until(
      () => runs(pid),
      isRunning => !isRunning,
    )
    expect(others.filter(runs)).toEqual(others)
    await next('--end-left-behind')
    expect(others.filter(runs)).toEqual([])
  })

  test('has ended: another process of its number is not touched', async () => {
    const { pid, next, published } = await killedLoop('echo $$ > PIDS; exec sleep 60')
    process.kill(pid, 'SIGKILL')
    await until(
      () => runs(pid),
      isRunning => !isRunning,
    )
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore', detached: true })
    const own = stranger.pid ?? 0
    groups.push(own)
    const [name = ''] = readdirSync(published)
    const file = path.join(published, name)
    const told = JSON.parse(readFileSync(file, 'utf8')) as { process: object }
    writeFileSync(file, JSON.stringify({ ...told, process: { ...told.process, pid: own } }))
    expect((await next('--end-left-behind')).stderr).toBe('')
    expect(signalled(own)).toBe('taken')
    expect(runs(own)).toBe(true)
  })
})
