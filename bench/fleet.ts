/**
 * `npm run bench:fleet`: a hundred hosts with fifty sessions each in a fleet over a real NATS server on loopback, and a viewer that has
 * them all: how soon it sees a verdict, lists them and acts, what a host costs, and what it shows while hosts or the server are away.
 * Exits 1 where it misses a floor; 0, with the reason, where there is no nats-server.
 */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { writeFleet } from '../src/fleet/nats/fleet-settings.ts'
import { connectBoxes } from '../src/index.ts'
import { placesOf } from '../src/os/file/places.ts'
import type { LiveSession } from '../src/sessions/session-source.ts'
import { type Figure, reportFigures } from './figures.ts'
import { hostCount, processes, sessionsEach, startBenchFleet } from './fleet/bench-fleet.ts'
import type { HostsReply } from './fleet/hosts.ts'
import { quantile } from './live/processes.ts'
import { median } from './median.ts'
import { measureSlowness, slownessLine } from './slowness.ts'

const sessionCount = hostCount * sessionsEach
const perSecond = 500
const seconds = 20

const now = (): number => Number(process.hrtime.bigint()) / 1e6
const slowness = measureSlowness()
process.stdout.write(slownessLine(slowness))
const fleet = await startBenchFleet('bench:fleet')
const { url, ask, pids } = fleet
const sumOf = (replies: readonly HostsReply[], of: 'cpuMs' | 'megabytes'): number =>
  replies.reduce((sum, reply) => sum + reply[of], 0)

const alone = await ask({ do: 'usage' })
const joined = await fleet.join()
writeFleet(placesOf(), { url, who: 'bench', share: 'text', scope: 'act' })
await sleep(10_000)
const rested = await ask({ do: 'usage' })

// The viewer.
const lull = await connectBoxes(['fleet'])
const rows = new Map<string, LiveSession>()
const delays: number[] = []
let isMeasured = false
const stamp = /^@\d+,(\d+)@/
void (async () => {
  for await (const change of lull.changes()) {
    if (change.type === 'snapshot') {
      rows.clear()
      for (const session of change.sessions) rows.set(session.id, session)
    } else if (change.type === 'gone') rows.delete(change.id)
    else {
      rows.set(change.session.id, change.session)
      const [, due] = stamp.exec(change.session.session.facts.prompt ?? '') ?? []
      if (isMeasured && due !== undefined) delays.push(now() - Number(due) / 1000)
    }
  }
})()
const isKnown = (live: LiveSession): boolean => live.session.verdict.state.kind !== 'unknown'
const knownCount = (): number => [...rows.values()].filter(isKnown).length

/** @returns ms until it is so */
async function until(isSo: () => boolean, most: number): Promise<number> {
  const from = now()
  while (!isSo() && now() - from < most) await sleep(20)
  return now() - from
}

const openedMs = await until(() => knownCount() === sessionCount, 60_000)
await ask({ do: 'signals', perSecond: perSecond / processes, seconds: 3 })
isMeasured = true
await ask({ do: 'signals', perSecond: perSecond / processes, seconds })
await sleep(1000)
isMeasured = false

const lists: number[] = []
for (let time = 0; time < 3; time++) {
  const from = now()
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [path.resolve(import.meta.dirname, '../bin/lull.js'), 'ps', '--fleet', '--json'],
    { maxBuffer: 256 * 1024 * 1024 },
  )
  lists.push(now() - from)
  const { sessions } = JSON.parse(stdout) as { sessions: readonly unknown[] }
  if (sessions.length !== sessionCount) throw new Error(`lull ps --fleet listed ${sessions.length} sessions`)
}

const actions: number[] = []
for (const id of [...rows.keys()].filter((_, index) => index % 25 === 0)) {
  const from = now()
  await lull.markSeen([id])
  actions.push(now() - from)
}

// Half of the hosts hang, and go on.
const half = pids.slice(0, processes / 2)
for (const pid of half) process.kill(pid, 'SIGSTOP')
const unknownMs = await until(() => knownCount() <= sessionCount / 2, 60_000)
const stoppedKnown = knownCount()
for (const pid of half) process.kill(pid, 'SIGCONT')
const rightMs = await until(() => knownCount() === sessionCount, 120_000)

// The server is killed, and begins again.
await fleet.kill()
const lostMs = await until(() => knownCount() === 0, 60_000)
await fleet.start()
const backMs = await until(() => knownCount() === sessionCount, 120_000)

await lull.close()
await fleet.end()

const figures: readonly Figure[] = [
  { name: 'openedMs', what: `a viewer has all ${sessionCount} sessions, ms`, value: openedMs },
  { name: 'changes', what: 'changes that it saw', value: delays.length, least: 0.95 * perSecond * seconds },
  {
    name: 'delayP50Ms',
    what: 'signal → viewer, p50 ms',
    value: quantile(delays, 0.5),
    most: 60 * slowness,
    digits: 1,
  },
  {
    name: 'delayP99Ms',
    what: 'signal → viewer, p99 ms',
    value: quantile(delays, 0.99),
    most: 500 * slowness,
    digits: 1,
  },
  { name: 'listMs', what: 'lull ps --fleet, ms', value: median(lists), most: 2000 * slowness },
  {
    name: 'actionP99Ms',
    what: 'an action, p99 ms',
    value: quantile(actions, 0.99),
    most: 300 * slowness,
    digits: 1,
  },
  {
    name: 'hostMegabytes',
    what: 'a host in a fleet, MB more',
    value: (sumOf(joined, 'megabytes') - sumOf(alone, 'megabytes')) / hostCount,
    most: 10,
    digits: 1,
  },
  {
    name: 'hostCpuPercent',
    what: 'a host in a fleet at rest, % of a core',
    value: (sumOf(rested, 'cpuMs') - sumOf(joined, 'cpuMs')) / hostCount / 100,
    most: 0.1 * slowness,
    digits: 3,
  },
  {
    name: 'unknownMs',
    what: 'half of the hosts hang: unknown after, ms',
    value: unknownMs,
    most: 15_000 + 1000 * slowness,
  },
  {
    name: 'stillKnown',
    what: 'sessions of the others, known meanwhile',
    value: stoppedKnown,
    least: sessionCount / 2,
  },
  { name: 'rightMs', what: 'they go on: right again after, ms', value: rightMs, most: 5000 * slowness },
  { name: 'lostMs', what: 'the server is killed: all unknown after, ms', value: lostMs, most: 15_000 },
  { name: 'backMs', what: 'it begins again: all right after, ms', value: backMs, most: 10_000 * slowness },
]
reportFigures('fleet', slowness, figures)
process.exit()
