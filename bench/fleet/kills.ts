/**
 * `npm run bench:fleet-kills`: three real hosts, a real NATS server and a viewer, of which one is killed (SIGKILL) at 30 moments, also
 * while the last one has not come back. Each host has a session that works and one at rest, so that each row that a viewer prints is
 * right, unknown or wrong. Exits 1 where one is wrong, or they are not right again in time; 0 where there is no nats-server.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { natsServers } from '../../scripts/nats-servers.ts'
import { type Figure, reportFigures } from '../figures.ts'
import { freePort } from '../free-port.ts'
import { atExit } from '../lab/leftovers.ts'
import { quantile, run } from '../live/processes.ts'
import { ownHome } from '../own-home.ts'
import { measureSlowness, slownessLine } from '../slowness.ts'

const moments = 30
const patienceMs = 60_000
const truth: Readonly<Record<string, string>> = { works: 'working', rests: 'idle' }
const names = ['red', 'blue', 'green'] as const

const program = natsServers().at(-1)?.file
if (program === undefined) {
  process.stdout.write(
    'bench:fleet-kills: no nats-server here (apt-get install nats-server): nothing is killed\n',
  )
  process.exit(0)
}
const slowness = measureSlowness()
process.stdout.write(slownessLine(slowness))

const { home, env } = ownHome('kills')
const port = await freePort()
const url = `nats://127.0.0.1:${port}`
const config = path.join(home, 'hub.conf')
writeFileSync(config, `listen: 127.0.0.1:${port}\njetstream { store_dir: "${home}/store" }\n`)
const envOf = (name: string): NodeJS.ProcessEnv => ({
  ...env,
  LULL_RUNTIME_DIR: path.join(home, name, 'run'),
  XDG_STATE_HOME: path.join(home, name, 'state'),
})
async function lull(name: string, ...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(words, envOf(name))
  if (code !== 0) throw new Error(`${name}: lull ${words.join(' ')}: ${stdout}${stderr}`)
  return stdout
}

const kept = new Set<ChildProcess>()
atExit(() => {
  for (const child of kept) child.kill('SIGKILL')
})
function keep(child: ChildProcess): ChildProcess {
  kept.add(child)
  child.once('exit', () => kept.delete(child))
  return child
}
async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

type Row = { readonly id: string; readonly host?: string; readonly name?: string; readonly state: string }
type Line = {
  readonly event: string
  readonly session?: Row
  readonly sessions?: readonly Row[]
  readonly id?: string
}

const wrong: string[] = []
let rows = new Map<string, Row>()
let rowCount = 0
function take({ event, session, sessions, id }: Line): void {
  if (event === 'snapshot') rows = new Map(sessions?.map(row => [row.id, row]))
  else if (event === 'gone') rows.delete(session?.id ?? id ?? '')
  else if (session) rows.set(session.id, session)
  for (const row of sessions ?? (session && event !== 'gone' ? [session] : [])) {
    const right = truth[row.name ?? '']
    rowCount++
    if (right !== undefined && row.state !== right && row.state !== 'unknown')
      wrong.push(`${what}: ${row.name}@${row.host} is ${row.state}`)
  }
}
const isRight = (): boolean =>
  names.every(host =>
    Object.entries(truth).every(([name, state]) =>
      [...rows.values()].some(row => row.host === host && row.name === name && row.state === state),
    ),
  )

function startHub(): ChildProcess {
  return keep(spawn(program ?? '', ['-c', config], { stdio: 'ignore' }))
}
function startViewer(): ChildProcess {
  const bin = path.resolve(import.meta.dirname, '../../bin/lull.js')
  const child = spawn(process.execPath, [bin, 'watch', '--fleet', '--json'], {
    env: envOf('viewer'),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  rows.clear()
  createInterface({ input: child.stdout }).on('line', line => {
    if (child === viewer) take(JSON.parse(line) as Line)
  })
  return keep(child)
}

let what = 'at first'
let hub = startHub()
await sleep(500)
await lull('viewer', 'fleet', 'join', url, '--view')
for (const name of names) {
  await lull(name, 'open', 'works', '--', 'bash', '--norc')
  await lull(name, 'open', 'rests', '--', 'bash', '--norc')
  await lull(name, 'send', 'works', 'sleep 3000')
  await lull(name, 'fleet', 'join', url, '--name', name, '--without-keys')
}
// Until the command has begun, the shell is at rest.
await sleep(3000)
let viewer = startViewer()

async function until(isSo: () => boolean): Promise<void> {
  const from = performance.now()
  while (!isSo()) {
    if (performance.now() - from > patienceMs)
      throw new Error(
        `${what}: not right after ${patienceMs / 1000} s: ${JSON.stringify([...rows.values()])}`,
      )
    // Without its server a viewer ends.
    if (viewer.exitCode !== null) viewer = startViewer()
    await sleep(20)
  }
}

const times: Record<string, number[]> = { host: [], hub: [], viewer: [] }
try {
  await until(isRight)
  for (let moment = 0; moment < moments; moment++) {
    const kind = ['host', 'hub', 'viewer'][moment % 3] as string
    const host = names[Math.floor(moment / 3) % names.length] as string
    what = `${moment}: ${kind === 'host' ? host : kind} is killed`
    await sleep((moment * 397) % 1000)
    const from = performance.now()
    const isLost = (): boolean => [...rows.values()].some(row => row.host === host && row.state === 'unknown')
    if (kind === 'host') {
      const { pid } = JSON.parse(await lull(host, 'host', 'status', '--json')) as { readonly pid: number }
      process.kill(pid, 'SIGKILL')
      await sleep((moment * 211) % 700)
      await lull(host, 'host', 'start')
    } else if (kind === 'hub') {
      await kill(hub)
      await sleep((moment * 211) % 700)
      hub = startHub()
    } else {
      await kill(viewer)
      viewer = startViewer()
    }
    // Of every fifth, the next one is killed while it comes back.
    if (moment % 5 === 3) continue
    // That a host is gone is noticed by its silence.
    if (kind === 'host') await until(isLost)
    await until(isRight)
    times[kind]?.push(performance.now() - from)
  }
  await until(isRight)
} catch (error) {
  wrong.push((error as Error).message)
} finally {
  await kill(viewer)
  for (const name of names) {
    await run(['terminals', 'stop', '--force'], envOf(name))
    await run(['host', 'stop'], envOf(name))
  }
  for (const child of kept) await kill(child)
}
for (const each of wrong.slice(0, 20)) process.stdout.write(`wrong: ${each}\n`)
const all = Object.values(times).flat()
const figures: readonly Figure[] = [
  { name: 'rows', what: 'rows that the viewers printed', value: rowCount },
  { name: 'wrong', what: 'of them neither right nor unknown', value: wrong.length, most: 0 },
  ...Object.entries(times).map(([kind, some]) => ({
    name: `${kind}Ms`,
    what: `a ${kind} is killed and starts again: all right after, median ms`,
    value: quantile(some, 0.5),
  })),
  {
    name: 'longestMs',
    what: 'the longest of all, ms',
    value: Math.max(...all),
    most: 15_000 + 10_000 * slowness,
  },
]
reportFigures('fleet-kills', slowness, figures)
process.exit()
