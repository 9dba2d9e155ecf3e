/** CPU ms per look at one tree by one method, with what the children that it starts use. `cost-one.ts METHOD PID`. */
import { setTimeout as sleep } from 'node:timers/promises'
import pidusage from 'pidusage'
import si from 'systeminformation'
import { watchTree } from '../../src/process/sampler.ts'
import { systemReader } from '../../src/process/system-reader.ts'
import { virtualClock } from '../../src/track/clock.ts'
import { cpuMs, treeOf } from './tree.ts'

export type CostResult = {
  /** Of a look while nothing runs. */
  readonly tick: number
  /** Of all looks, the deep ones too, over the time that was watched. */
  readonly all: number
  readonly looks: number
}

const [, , method, word] = process.argv
const root = Number(word)

const used = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Ten minutes of simulated time, a tick a second; the tree is real, and looked at for real. */
function lull(): CostResult {
  const clock = virtualClock()
  let tier: number = 0
  const sampler = watchTree(root, {
    clock,
    reader: systemReader(),
    uptime: () => clock.now(),
    onSample: sample => {
      tier = sample.tier
    },
  })
  const seconds = 600
  const warm = 120
  const ticks: number[] = []
  let all = 0
  for (let i = 0; i < seconds + warm; i++) {
    const before = used()
    clock.advance(1000)
    const cost = used() - before
    if (i < warm) continue
    all += cost
    if (tier === 0) ticks.push(cost)
  }
  sampler.close()
  const tick = ticks.reduce((sum, cost) => sum + cost, 0) / ticks.length
  return { tick, all: all / seconds, looks: ticks.length }
}

/** @param pause ms between two looks */
async function each(look: () => Promise<unknown>, looks: number, pause = 0): Promise<CostResult> {
  await look()
  const children = () => cpuMs(process.pid, true) - cpuMs(process.pid)
  const before = used() + children()
  for (let i = 0; i < looks; i++) {
    await sleep(pause)
    await look()
  }
  const tick = (used() + children() - before) / looks
  return { tick, all: tick, looks }
}

const pids = treeOf(root)
const result =
  method === 'lull'
    ? lull()
    : method === 'pidusage'
      ? await each(() => pidusage(pids), 60)
      : // It answers from memory when it was asked less than half a second ago.
        await each(() => si.processes(), 8, 600)
process.stdout.write(JSON.stringify(result))
