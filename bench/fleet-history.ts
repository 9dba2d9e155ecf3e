/**
 * `npm run bench:fleet-history`: a hundred hosts keep an hour of work while their NATS server is dead, then it is back: how soon it has
 * all, and whether a viewer has each entry once. Then the server loses its disk. `-- MINUTES` also lets it be dead for so long really.
 * Exits 1 where it misses a floor; 0, with the reason, where there is no nats-server.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fetchHistory } from '../src/fleet/history/kept-history.ts'
import { connectHub } from '../src/fleet/nats/hub.ts'
import { placesOf } from '../src/os/file/places.ts'
import { type Figure, reportFigures } from './figures.ts'
import { hostCount, startBenchFleet } from './fleet/bench-fleet.ts'
import { atExit } from './lab/leftovers.ts'
import { measureSlowness, slownessLine } from './slowness.ts'

/** Of each host: a change each four seconds. */
const [hour, eachHour] = [3600, 900]
const minutes = Number(process.argv[2] ?? 0)

const now = (): number => performance.now()
const slowness = measureSlowness()
process.stdout.write(slownessLine(slowness))
const fleet = await startBenchFleet('bench:fleet-history')
await fleet.join()

const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-fleet-history-'))
atExit(() => rmSync(folder, { recursive: true, force: true }))

/** A viewer of its own: what it has, and what it has twice. */
async function viewed(name: string): Promise<{ readonly count: number; readonly twice: number }> {
  const hub = await connectHub({ url: fleet.url, who: 'bench' })
  try {
    const history = await fetchHistory(hub, { ...placesOf(), state: path.join(folder, name) })
    const entries = history.entries({ most: Number.POSITIVE_INFINITY })
    history.close()
    const all = new Set(
      entries.map(
        ({ session = '', data }) => `${session.split('@')[1]} ${(data as { readonly turn?: number }).turn}`,
      ),
    )
    return { count: entries.length, twice: entries.length - all.size }
  } finally {
    await hub.close()
  }
}

/** The server begins: ms until it has so many. */
async function untilAll(
  count: number,
  viewer: string,
): Promise<{ readonly ms: number; readonly count: number; readonly twice: number }> {
  const from = now()
  await fleet.start()
  for (;;) {
    const seen = await viewed(viewer)
    if (seen.count >= count || now() - from > 300_000) return { ...seen, ms: now() - from }
    await sleep(200)
  }
}

await fleet.ask({ do: 'entries', each: 10, seconds: 60 })
await sleep(1000)
await fleet.kill()
await fleet.ask({ do: 'entries', each: eachHour, seconds: hour })
let total = hostCount * (10 + eachHour)
const afterHour = await untilAll(total, 'viewer')

let real: Awaited<ReturnType<typeof untilAll>> | undefined
if (minutes > 0) {
  await fleet.kill()
  for (let second = 0; second < minutes * 60; second++) {
    const from = now()
    await fleet.ask({ do: 'entries', each: 1, seconds: 1 })
    await sleep(Math.max(0, 1000 - (now() - from)))
  }
  total += hostCount * minutes * 60
  real = await untilAll(total, 'viewer')
}

await fleet.kill()
fleet.loseDisk()
const afterLoss = await untilAll(total, 'fresh')
const seenBefore = await viewed('viewer')
await fleet.end()

const figures: readonly Figure[] = [
  { name: 'entries', what: 'entries of all hosts', value: total },
  {
    name: 'afterHourMs',
    what: 'the server was dead for an hour: it has all after, ms',
    value: afterHour.ms,
    most: 10_000 * slowness,
  },
  { name: 'twiceAfterHour', what: 'entries that a viewer has twice', value: afterHour.twice, most: 0 },
  ...(real
    ? [
        {
          name: 'afterMinutesMs',
          what: `the server was really dead for ${minutes} min: it has all after, ms`,
          value: real.ms,
          most: 10_000 * slowness,
        },
        { name: 'twiceAfterMinutes', what: 'entries that a viewer has twice', value: real.twice, most: 0 },
      ]
    : []),
  { name: 'afterLossMs', what: 'it lost its disk: it has all again after, ms', value: afterLoss.ms },
  {
    name: 'lost',
    what: 'entries that are missing at last',
    value: Math.max(0, total - afterLoss.count),
    most: 0,
  },
  {
    name: 'twiceAfterLoss',
    what: 'entries that a viewer of before has twice',
    value: seenBefore.twice,
    most: 0,
  },
]
reportFigures('fleet-history', slowness, figures)
process.exit()
