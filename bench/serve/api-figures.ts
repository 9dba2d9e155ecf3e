/** The API over a thousand generated sessions: how soon clients have what changed, how they return, and how fast sessions are listed. */
import http from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { quantile } from '../live/processes.ts'
import { startChild } from './child.ts'
import type { ClientsOrder, ClientsReply } from './clients.ts'
import type { ServerOrder, ServerReply } from './server.ts'

export type ApiPlace = { readonly port: number; readonly token: string; readonly env: NodeJS.ProcessEnv }

const count = 1000
const now = (): number => Number(process.hrtime.bigint()) / 1e6

function childrenAt({ port, token, env }: ApiPlace) {
  const args = [port, count]
  return {
    startServer: () => startChild<ServerOrder, ServerReply>('server.ts', args, env),
    startClients: () =>
      startChild<ClientsOrder, ClientsReply>('clients.ts', args, { ...env, LULL_BENCH_TOKEN: token }),
  }
}

/** 1,000 sessions with 5 signals a second each, 50 clients that get all of them. */
export async function measureStream(place: ApiPlace, { seconds = 20, clients: many = 50 } = {}) {
  const perSecond = 5 * count
  const { startServer, startClients } = childrenAt(place)
  const [server, clients] = [startServer(), startClients()]
  await server.reply()
  await clients.ask({ do: 'open', clients: many })
  await server.ask({ do: 'signals', perSecond, seconds: 3 })
  await clients.ask({ do: 'measure' })
  const [from, before] = [now(), await server.ask({ do: 'usage' })]
  // What this machine alone adds: how late a timer of a process is that has nothing to do.
  const idle = monitorEventLoopDelay({ resolution: 1 })
  idle.enable()
  const after = await server.ask({ do: 'signals', perSecond, seconds })
  idle.disable()
  const tookMs = now() - from
  const { p50, p99, longest, lost, disordered, snapshots, events } = await clients.ask({
    ...{ do: 'check', filed: after.filed, ms: 15_000 },
  })
  await server.ask({ do: 'close' })
  await Promise.all([server.end(), clients.end()])
  return {
    ...{ p50, p99, longest, disordered, events },
    // A client that gets a second snapshot has missed what came before it.
    lost: lost + Math.max(0, snapshots - many),
    cores: (after.cpuMs - before.cpuMs) / tookMs,
    perSecond: (1000 * (after.filed - before.filed)) / tookMs,
    megabytes: after.peakMegabytes,
    idleP99: idle.percentile(99) / 1e6,
  }
}

/** 200 clients: connected, cut off one moment, and back after a restart of the server. */
export async function measureReturns(place: ApiPlace, { clients: many = 200 } = {}) {
  const perSecond = 200
  const { startServer, startClients } = childrenAt(place)
  const [server, clients] = [startServer(), startClients()]
  await server.reply()
  const opened = now()
  const connected = await clients.ask({ do: 'open', clients: many })
  const signals = server.ask({ do: 'signals', perSecond, seconds: 4 })
  await new Promise(resolve => setTimeout(resolve, 1000))
  const cut = now()
  const resumed = await clients.ask({ do: 'cut' })
  const { filed } = await signals
  const checked = await clients.ask({ do: 'check', filed, ms: 15_000 })
  await server.ask({ do: 'close' })
  await server.end()
  const again = startServer()
  const { at: openAt } = await again.reply()
  const restarted = await clients.ask({ do: 'await restart' })
  const last = await again.ask({ do: 'signals', perSecond, seconds: 1 })
  const end = await clients.ask({ do: 'check', filed: last.filed, ms: 15_000 })
  await again.ask({ do: 'close' })
  await Promise.all([again.end(), clients.end()])
  return {
    connectMs: connected.at - opened,
    resumeMs: resumed.at - cut,
    restartMs: restarted.at - openAt,
    lost: checked.lost + Math.max(0, checked.snapshots - many) + end.lost,
    disordered: end.disordered,
  }
}

/** `GET /v1/sessions`, one request after the other. */
export async function measureLists(place: ApiPlace, { times = 200 } = {}) {
  const server = childrenAt(place).startServer()
  await server.reply()
  const agent = new http.Agent({ keepAlive: true })
  const options = { host: '127.0.0.1', port: place.port, path: '/v1/sessions', agent }
  const headers = { authorization: `Bearer ${place.token}` }
  let bytes = 0
  const list = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const request = http.get({ ...options, headers }, response => {
        bytes = 0
        response.on('data', (piece: Buffer) => {
          bytes += piece.length
        })
        response.on('end', () =>
          response.statusCode === 200 ? resolve() : reject(new Error(`status ${response.statusCode}`)),
        )
      })
      request.on('error', reject)
    })
  for (let i = 0; i < 20; i++) await list()
  const took: number[] = []
  for (let i = 0; i < times; i++) {
    const from = now()
    await list()
    took.push(now() - from)
  }
  agent.destroy()
  await server.ask({ do: 'close' })
  await server.end()
  return { listP50: quantile(took, 0.5), listP95: quantile(took, 0.95), listBytes: bytes }
}
