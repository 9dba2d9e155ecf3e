/** A hundred hosts in four processes, and a real NATS server on loopback: what the benches of the fleet measure. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectHub } from '../../src/fleet/nats/hub.ts'
import { freePort } from '../free-port.ts'
import { atExit } from '../lab/leftovers.ts'
import { ownHome } from '../own-home.ts'
import { startChild } from '../serve/child.ts'
import type { HostsOrder, HostsReply } from './hosts.ts'

export const [processes, sessionsEach] = [4, 50]
const hostsEach = 25
export const hostCount = processes * hostsEach

/** Ends the bench where there is no server. @param bench its name */
export async function startBenchFleet(bench: string) {
  const program = ['/usr/sbin/nats-server', '/usr/local/bin/nats-server'].find(file => existsSync(file))
  if (program === undefined) {
    process.stdout.write(`${bench}: no nats-server here (apt-get install nats-server): nothing is measured\n`)
    process.exit(0)
  }
  const { home, env } = ownHome('bench-fleet')
  Object.assign(process.env, env)
  const port = await freePort()
  const url = `nats://127.0.0.1:${port}`
  const config = path.join(home, 'hub.conf')
  const store = path.join(home, 'store')
  writeFileSync(config, `listen: 127.0.0.1:${port}\njetstream { store_dir: "${store}" }\n`)

  async function startHub() {
    const child = spawn(program ?? '', ['-c', config], { stdio: 'ignore' })
    atExit(() => child.kill('SIGKILL'))
    for (let tries = 0; ; tries++)
      try {
        await (await connectHub({ url, who: 'bench' })).close()
        return child
      } catch (error) {
        if (tries > 100) throw error
        await sleep(50)
      }
  }

  let hub = await startHub()
  const children = Array.from({ length: processes }, (_, index) =>
    startChild<HostsOrder, HostsReply>(
      '../fleet/hosts.ts',
      [url, home, index * hostsEach, hostsEach, sessionsEach],
      process.env,
    ),
  )
  const pids = (await Promise.all(children.map(child => child.reply()))).map(({ pid }) => pid)
  const ask = (order: HostsOrder) => Promise.all(children.map(child => child.ask(order)))

  async function kill(): Promise<void> {
    const ended = once(hub, 'exit')
    hub.kill('SIGKILL')
    await ended
  }

  return {
    ...{ url, pids, ask, kill },
    /** Resolves once all hosts have joined. */
    async join(): Promise<readonly HostsReply[]> {
      await ask({ do: 'join' })
      for (let known = 0; known < hostCount; await sleep(100)) {
        const asked = await connectHub({ url, who: 'bench' })
        known = (await asked.hosts()).size
        await asked.close()
      }
      return ask({ do: 'usage' })
    },
    async start(): Promise<void> {
      hub = await startHub()
    },
    loseDisk: () => rmSync(store, { recursive: true }),
    async end(): Promise<void> {
      await Promise.all(children.map(child => child.end()))
      await kill()
    },
  }
}
