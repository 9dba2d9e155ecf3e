/** `lull explain pid:N`: any process, and a session with what its processes wait for. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { lull, temporaryFolder } from '../support/lull.ts'
import { lullHere } from '../support/lull-here.ts'
import { ownPlaces, startLull } from '../support/running.ts'
import { startStandIn } from '../support/stand-in.ts'
import { until } from '../support/until.ts'

const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
})

/** In a group of its own, with a stdin that this test holds. */
async function start(command: string, ...words: string[]): Promise<number> {
  const child = spawn(command, words, { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  started.push(child)
  await once(child, 'spawn')
  return child.pid as number
}

const home = temporaryFolder()
const env = { HOME: home, LULL_RUNTIME_DIR: `${home}/run`, XDG_STATE_HOME: `${home}/state` }
const explain = (...words: string[]) => lullHere(['explain', ...words], env)

type Told = {
  pid: number
  cause: string
  proof: string
  isBlocked: boolean
  chain: { pid: number; name: string }[]
}
const json = async (pid: number): Promise<Told> =>
  JSON.parse((await explain(`pid:${pid}`, '--json')).stdout) as Told
/** From beside this process, which holds the other end of its stdin. */
const fromBeside = (pid: number, ...flags: string[]) => lull(['explain', `pid:${pid}`, ...flags], [], env)

describe.runIf(process.platform === 'linux')('lull explain pid:N', () => {
  test('tells who waits for whom, who holds the stdin, and that its holder lives', async () => {
    const pid = await start('bash', '-c', 'cat; true')
    const found = await until(
      async () => JSON.parse((await fromBeside(pid, '--json')).stdout) as Told,
      ({ cause, chain }) => cause === 'outsider' && chain.length === 2,
    )
    expect(found).toMatchObject({ pid, cause: 'outsider', proof: 'inferred', isBlocked: false })
    expect(found.chain.map(({ name }) => name)).toEqual(['bash', 'cat'])
    const { stdout, code } = await fromBeside(pid)
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^`cat`\(\d+\) in read\(0\) on its stdin, a socket that `.+`\(\d+\) holds; `bash`\(\d+\) waits/,
    )
    expect(stdout).toMatch(/^ {2}\* └ cat\(\d+\) {2}read\(0\): its stdin/m)
  })

  test('says when a timer will fire', async () => {
    const pid = await start('sleep', '1000')
    const found = await until(
      () => json(pid),
      ({ cause }) => cause === 'timer',
    )
    expect(found).toMatchObject({ proof: 'bounded', isBlocked: false })
  })

  test('says what a stopped process needs', async () => {
    const pid = await start('sleep', '1000')
    process.kill(pid, 'SIGSTOP')
    await until(
      () => json(pid),
      ({ cause }) => cause === 'stopped',
    )
    expect((await explain(`pid:${pid}`)).stdout).toContain(`Let it go on: kill -CONT ${pid}.`)
  })

  test('calls node by its name, although its thread has another', async () => {
    const pid = await start(process.execPath, '-e', 'process.stdin.resume()')
    const found = await until(
      () => json(pid),
      ({ chain }) => chain.length > 0,
    )
    expect(found.chain[0]?.name).toMatch(/^node/)
  })

  test('a thread of the kernel is none of its subjects', async ({ skip }) => {
    if (!existsSync('/proc/2/stat') || readFileSync('/proc/2/cmdline', 'utf8') !== '')
      skip('no thread of the kernel is seen here')
    expect(await explain('pid:2')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('of the kernel'),
    })
  })

  test('a pid that is not there is gone; what is no number is a mistake', async () => {
    expect(await explain('pid:4194999')).toMatchObject({
      code: 5,
      stderr: 'lull: no process 4194999 runs on this machine (lull ps lists agents; ps lists processes)\n',
    })
    expect(await explain('pid:one')).toMatchObject({ code: 2, stdout: '' })
  })

  test('of a session it tells both: its verdict, and what its processes wait for', async () => {
    const agent = await startStandIn()
    const own = {
      HOME: agent.home,
      LULL_RUNTIME_DIR: `${agent.home}/run`,
      XDG_STATE_HOME: `${agent.home}/state`,
    }
    const told = await until(
      async () =>
        JSON.parse((await lullHere(['explain', `pid:${agent.pid}`, '--json'], own)).stdout) as object,
      row => 'state' in row && 'processes' in row,
    )
    expect(told).toMatchObject({ pid: agent.pid, processes: { isBlocked: false } })
    const printed = async (...flags: string[]) =>
      (await lullHere(['explain', `pid:${agent.pid}`, ...flags], own)).stdout
    expect(await printed('--processes')).toMatch(/what would change it:[\s\S]*\nits processes: /)
    const healthy = await printed()
    expect(healthy).toContain('what would change it:')
    expect(healthy).not.toContain('its processes: ')
  })

  test('of what lull run runs it says the same as that lull, and of that lull itself too', async () => {
    const places = ownPlaces()
    const lulled = startLull(
      ['run', '--json', '--stdin', 'open', '--dwell', '1s', '--', 'sh', '-c', 'cat; true'],
      places,
    )
    await lulled.says('confirmed_stuck')
    const own = lulled
      .stderr()
      .split('\n')
      .findLast(line => line.includes('confirmed_stuck'))
    const { diagnosis } = JSON.parse(own ?? '') as { diagnosis: { chain: { pid: number }[] } }
    const [command, leaf] = diagnosis.chain.map(({ pid }) => pid)
    const told = (pid = 0) => lullHere(['explain', `pid:${pid}`, '--json'], places)
    for (const pid of [command, leaf, lulled.pid]) {
      const { processes } = JSON.parse((await told(pid)).stdout) as { processes: Told }
      // How certain it is depends on the alarms that are set on this machine meanwhile.
      expect(processes.cause).toBe('stdin')
      expect(processes.chain.at(-1)).toMatchObject({
        pid: leaf,
        on: expect.stringContaining(`that \`lull\`(${lulled.pid}) holds and has not written`),
      })
    }
    lulled.kill('SIGTERM')
    await lulled.ended
  })
})
