/** An agent that started another one, as `lull ps` and `lull wait` see both. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readStat } from '../../src/os/proc/stat.ts'
import { endWithTest } from '../support/end-with-test.ts'
import { lull, temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { ownPlaces } from '../support/running.ts'
import { until } from '../support/until.ts'

/** Starts another one through a shell that gets `variables`, and goes on; both end with its standard input. */
const starting = (shell: string, variables: string) => `
  const words = [process.execPath, '-e', 'process.stdin.resume().on("end", () => process.exit())']
  const inner = require('child_process').spawn('bash', ['-c', '${shell}', 'bash', ...words], {
    env: { ...process.env, ${variables} },
    stdio: ['inherit', 'pipe', 'inherit'],
  })
  inner.stdout.pipe(process.stdout)
  process.stdin.resume().on('end', () => process.exit())
`
const inBackground = 'exec 3<&0; (exec -a claude "$@" <&3) & echo $!'

test.runIf(process.platform === 'linux').each([
  ['below a shell that waits for it', starting(`${inBackground}; wait`, '')],
  ['left behind by a shell that has ended', starting(inBackground, 'CLAUDE_PID: process.pid')],
])('is settled once both are idle, and not before: one %s', async (_, script) => {
  const [home, env] = [realpathSync(temporaryFolder()), ownPlaces()]
  const outer = spawn(process.execPath, ['-e', script], {
    argv0: 'claude',
    cwd: home,
    env: { HOME: home, PATH: process.env.PATH ?? '' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  endWithTest(outer)
  const [printed] = await once(outer.stdout, 'data')
  const [above, below] = [outer.pid as number, Number(String(printed))]
  mkdirSync(path.join(home, '.claude/sessions'), { recursive: true })
  const report = (pid: number, status: 'busy' | 'idle') => {
    const procStart = readStat(pid)?.startTicks
    const content = JSON.stringify({ pid, procStart, status, statusUpdatedAt: Date.now() })
    writeFileSync(path.join(home, `.claude/sessions/${pid}.json`), content)
  }
  report(above, 'idle')
  report(below, 'busy')
  const rows = async () => {
    const { sessions } = JSON.parse((await lullHere(['ps', '--json'], env)).stdout)
    const briefOf = (pid: number) => {
      const row = sessions.find((one: { readonly pid: number }) => one.pid === pid)
      return row && `${row.state} ${row.settled}`
    }
    return [above, below].map(briefOf)
  }
  const wait = (...words: readonly string[]) => ['wait', `pid:${above}`, ...words]

  expect(await until(rows, ([one, other]) => one === 'idle false' && other === 'working false')).toBeDefined()
  const waited = lull(wait('--for', 'settled', '--timeout', '1m'), [], env)
  expect((await lullHere(wait(), env)).code).toBe(0)
  expect(await lullHere(wait('--for', 'settled', '--timeout', '8s'), env)).toMatchObject({
    code: 124,
    stdout: expect.stringContaining('not settled: '),
  })
  report(below, 'idle')
  expect((await waited).code).toBe(0)
  // Who looks only once, right after the change, does not say so yet.
  expect(await until(rows, all => all.every(row => row === 'idle true'))).toHaveLength(2)
})
