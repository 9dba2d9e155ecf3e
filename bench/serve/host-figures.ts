/** A real host with fifty quiet agents: what its open door costs at rest, and how many hooks it takes a second. */
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hostStatus } from '../../src/host/host-client.ts'
import { gather } from '../live/crowd.ts'
import { floodHooks } from '../live/flood.ts'
import { cpuOf, quantile, run } from '../live/processes.ts'

const agents = 50
/** By then what a host looks for at first is found, and what runs each second is compiled. */
const settledMs = 40_000
const doorSettledMs = 10_000
const quietMs = 20_000

export async function measureHost(port: number) {
  // Nobody is notified.
  const crowd = gather('http://127.0.0.1:9/')
  const { env, home } = crowd
  rmSync(path.join(home, '.config/lull/notify.yaml'))
  const lull = async (...words: readonly string[]) => {
    const { code, stderr } = await run(words, env)
    if (code !== 0) throw new Error(`lull ${words.join(' ')}: ${stderr}`)
  }
  try {
    const [claude] = crowd.startAgents(agents)
    await lull('host', 'start')
    const socket = path.join(env.LULL_RUNTIME_DIR as string, 'host.sock')
    const { pid } = await hostStatus(socket)
    await sleep(settledMs)
    const without = await rest(pid)
    await lull('serve', '--port', String(port))
    await sleep(doorSettledMs)
    const open = await rest(pid)
    const before = (await hostStatus(socket)).hooks
    // The first flood compiles what takes them: a host runs for days.
    const first = await floodHooks(socket, claude?.pid ?? 0)
    const second = await floodHooks(socket, claude?.pid ?? 0)
    const { hooks } = await hostStatus(socket)
    const taken = hooks.received - before.received - (hooks.unplaced - before.unplaced)
    return {
      sessions: (await hostStatus(socket)).sessions,
      ...{ closedShare: without.share, openShare: open.share },
      doorMegabytes: open.megabytes - without.megabytes,
      ...{ hooksPerSecond: second.perSecond, hooksLost: first.sent + second.sent - taken },
    }
  } finally {
    await run(['host', 'stop'], env)
    crowd.close()
  }
}

/** The share of a core that a process takes, and its memory at the median. */
async function rest(pid: number) {
  const [from, before] = [performance.now(), cpuOf(pid)]
  const megabytes: number[] = []
  while (performance.now() - from < quietMs) {
    megabytes.push(memoryOf(pid))
    await sleep(500)
  }
  return {
    share: (cpuOf(pid) - before) / (performance.now() - from),
    megabytes: quantile(megabytes, 0.5),
  }
}

function memoryOf(pid: number): number {
  const [, pages] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')
  return (Number(pages) * 4096) / 1024 / 1024
}
