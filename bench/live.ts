/**
 * `npm run bench:live`: fifty agents among two hundred processes, found and watched; how soon a turn's end ends a wait;
 * how many hooks are taken a second, while a history is kept and a webhook is told; and real CLIs on a scripted model. Exits 1 where a floor is missed.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openHistory } from '../src/history/open-history.ts'
import { forwarderText } from '../src/hooks/forwarder.ts'
import { hostSessions, hostStatus } from '../src/host/host-client.ts'
import { placesOf } from '../src/os/file/places.ts'
import { stateKind } from '../src/sessions/history/session-past.ts'
import { type Crowd, gather, type StandIn } from './live/crowd.ts'
import { type Flood, floodHooks } from './live/flood.ts'
import { cpuOf, quantile, run, start } from './live/processes.ts'
import { measureReal } from './live/real.ts'
import { measureThousand } from './live/thousand.ts'
import { measureSlowness, slownessLine } from './slowness.ts'
import { table } from './table.ts'

const slowness = measureSlowness()
const floors = {
  foundMs: 1000 * slowness,
  cpuShare: 0.005 * slowness,
  waitP95Ms: 100 * slowness,
  postsPerSecond: 2000 / slowness,
  hookP95Ms: 5 * slowness,
  forwarderMs: 15 * slowness,
  thousandMs: 2000 * slowness,
}
const agentCount = 50
const otherCount = 150
const lateCount = 10
/** By then what has been looked for at first is found or given up for a while, and what runs each second is compiled. */
const settledMs = 40_000
const quietMs = 20_000
const rounds = 40

const ms = (value: number, digits = 0): string => value.toFixed(digits)

process.stdout.write(slownessLine(slowness))
const told = await countMessages()
const crowd = gather(told.url)
try {
  const figures = {
    ...(await findAll(crowd)),
    ...(await waitForTurns(crowd)),
    ...(await takeHooks(crowd)),
    ...(await askReal(crowd)),
    ...(await listThousand()),
    told: told.count(),
    kept: historyOf(crowd),
  }
  process.stdout.write(
    `meanwhile ${figures.told} notifications came to a webhook, and ${figures.kept} states to the history\n`,
  )
  const missed = [
    figures.wrong > 0 && `${figures.wrong} processes found or missed wrongly`,
    figures.foundMs > floors.foundMs && 'found too late',
    figures.cpuShare > floors.cpuShare && 'too much processor time',
    figures.waitP95 > floors.waitP95Ms && 'wait returns too late',
    figures.postsPerSecond < floors.postsPerSecond && 'too few hooks a second',
    figures.hookP95 > floors.hookP95Ms && 'hooks answered too late',
    figures.untold > 0 && `${figures.untold} states of real CLIs never told`,
    figures.thousandMissing > 0 && `${figures.thousandMissing} of a thousand sessions not listed`,
    figures.thousandMs > floors.thousandMs && 'a thousand sessions are listed too late',
    (figures.told === 0 || figures.kept === 0) && 'no notification, or no history',
    figures.forwarderMs > floors.forwarderMs && 'the forwarder takes too long',
  ].filter(text => text !== false)
  if (missed.length > 0) process.stdout.write(`\nmissed: ${missed.join(', ')}\n`)
  process.stdout.write(`${JSON.stringify({ bench: 'live', slowness, ...figures, missed })}\n`)
  process.exitCode = missed.length > 0 ? 1 : 0
} finally {
  await run(['host', 'stop'], crowd.env)
  crowd.close()
  told.close()
}

/** A webhook on loopback, and how many messages have come to it. */
async function countMessages() {
  let count = 0
  const server = http.createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      count++
      response.writeHead(204).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    count: () => count,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** How many states the host has kept. */
function historyOf({ env }: Crowd): number {
  const history = openHistory(placesOf(env), { readOnly: true })
  try {
    return history.entries({ kinds: [stateKind], most: Infinity }).length
  } finally {
    history.close()
  }
}

async function findAll({ env, agents, others, startAgents, startOthers }: Crowd) {
  startOthers(otherCount)
  startAgents(agentCount)
  const began = performance.now()
  const cold = await run(['ps', '--json'], env)
  const coldMs = cold.at - began
  const listed = pidsIn(cold.stdout)
  const wanted = new Set(agents.map(({ pid }) => pid))
  // Agents of somebody else may run on this machine: they are found too, and rightly.
  const wrong =
    [...wanted].filter(pid => !listed.has(pid)).length + others.filter(pid => listed.has(pid)).length
  await run(['host', 'start'], env)
  const live = hostSessions(path.join(env.LULL_RUNTIME_DIR as string, 'host.sock'))
  const late: number[] = []
  for (let i = 0; i < lateCount; i++) {
    const changes = await live.changes()
    const at = performance.now()
    const [agent] = startAgents(1) as [StandIn]
    for await (const change of changes) {
      const sessions =
        change.type === 'snapshot' ? change.sessions : change.type === 'changed' ? [change.session] : []
      if (sessions.some(({ pid }) => pid === agent.pid)) break
    }
    late.push(performance.now() - at)
  }
  const { pid } = await hostStatus(path.join(env.LULL_RUNTIME_DIR as string, 'host.sock'))
  await sleep(settledMs)
  const before = cpuOf(pid)
  const from = performance.now()
  await sleep(quietMs)
  const cpuShare = (cpuOf(pid) - before) / (performance.now() - from)
  await live.close()
  const scan = await scanAllMs()
  process.stdout.write(
    `${table(
      [`${agentCount} agents among ${agentCount + otherCount} processes`, 'lull', 'pgrep each second'],
      [
        ['found by `lull ps`, from its start, ms', ms(coldMs), '-'],
        ['found or missed wrongly', wrong, '-'],
        ['one that starts later, p95 ms', ms(quantile(late, 0.95)), `≤ ${ms(floors.foundMs)}`],
        ['share of a core while nothing happens, %', ms(100 * cpuShare, 2), ms(100 * scan, 2)],
      ],
    )}\n\n`,
  )
  return { foundMs: Math.max(coldMs, quantile(late, 0.95)), wrong, cpuShare, cpuBaseline: scan }
}

async function listThousand() {
  const { psMs, hostMs, askedMs, missing } = await measureThousand()
  process.stdout.write(
    `${table(
      ['a thousand sessions', 'lull', 'floor'],
      [
        ['`lull ps`, ms', ms(psMs), `≤ ${ms(floors.thousandMs)}`],
        ['`lull ps` with a host, ms', ms(askedMs), `≤ ${ms(floors.thousandMs)}`],
        ['until a host answers, ms', ms(hostMs), '-'],
        ['not listed', missing, '0'],
      ],
    )}\n\n`,
  )
  return { thousandMs: Math.max(psMs, askedMs), thousandHostMs: hostMs, thousandMissing: missing }
}

function pidsIn(printed: string): Set<number> {
  const { sessions } = JSON.parse(printed) as { sessions: { pid: number }[] }
  return new Set(sessions.map(({ pid }) => pid))
}

/** What tools do that start `pgrep` each second: its processor time as a share of a second. */
async function scanAllMs(): Promise<number> {
  const used: number[] = []
  for (let i = 0; i < 20; i++) {
    const child = spawn('sh', [
      '-c',
      'pgrep -fa claude > /dev/null; pgrep -fa codex > /dev/null; pgrep -fa gemini > /dev/null; times',
    ])
    let text = ''
    child.stdout.on('data', piece => {
      text += piece
    })
    await once(child, 'close')
    const [, children = ''] = text.trim().split('\n')
    const spent = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(([, m, s]) => Number(m) * 60 + Number(s))
    used.push(spent.reduce((a, b) => a + b, 0))
  }
  return quantile(used, 0.5)
}

async function waitForTurns({ env, agents }: Crowd) {
  const took: Record<'hooks' | 'transcript', number[]> = { hooks: [], transcript: [] }
  const polled: number[] = []
  const speakers = agents.filter(({ agent }) => agent !== 'gemini')
  for (let round = 0; round < rounds; round++) {
    const agent = speakers[round % speakers.length] as StandIn
    const waiting = start(['wait', `pid:${agent.pid}`, '--next', '--json', '--timeout', '20s'], env)
    await waiting.says(/registered/)
    agent.prompt()
    const poll = pollFor(agent, round)
    await sleep(150)
    const at = performance.now()
    agent.finish()
    const ended = await waiting.ended
    if (ended.code !== 0)
      throw new Error(`lull wait ended with ${ended.code}: ${ended.stdout}${ended.stderr}`)
    took[agent.agent === 'claude' ? 'hooks' : 'transcript'].push(ended.at - at)
    polled.push((await poll) - at)
  }
  const all = [...took.hooks, ...took.transcript]
  const row = (name: string, values: readonly number[]) => [
    name,
    values.length,
    ms(quantile(values, 0.5)),
    ms(quantile(values, 0.95)),
    ms(Math.max(...values)),
  ]
  process.stdout.write(
    `${table(
      ['a turn’s end → `lull wait` has ended', 'turns', 'p50 ms', 'p95 ms', 'most ms'],
      [
        row('told by a hook', took.hooks),
        row('told by the transcript alone', took.transcript),
        row('a look at the file each second', polled),
      ],
    )}\n\n`,
  )
  return {
    waitP50: quantile(all, 0.5),
    waitP95: quantile(all, 0.95),
    pollP95: quantile(polled, 0.95),
    ratio: quantile(polled, 0.95) / quantile(all, 0.95),
  }
}

function endsIn(file: string): number {
  return existsSync(file) ? (readFileSync(file, 'utf8').match(/"end_turn"|"task_complete"/g)?.length ?? 0) : 0
}

/** What scripts do: look at the transcript each second, whenever they were started. Resolves when it is seen to have ended. */
async function pollFor({ transcript }: StandIn, round: number): Promise<number> {
  const before = endsIn(transcript)
  await sleep(1000 * ((round * 0.618) % 1))
  while (endsIn(transcript) === before) await sleep(1000)
  return performance.now()
}

async function takeHooks({ env, home, agents }: Crowd) {
  const socket = path.join(env.LULL_RUNTIME_DIR as string, 'host.sock')
  const claude = agents.find(({ agent }) => agent === 'claude') as StandIn
  const ours = await floodHooks(socket, claude.pid)
  const bare = await bareServer(path.join(home, 'bare.sock'))
  const baseline = await floodHooks(bare.socket, claude.pid)
  bare.close()
  const silent = path.join(home, 'nobody')
  writeFileSync(`${silent}-hook`, forwarderText({ socket: path.join(silent, 'host.sock') }), { mode: 0o700 })
  const forwarderMs = await timeOf(`${silent}-hook`, {
    ...env,
    LULL_RUNTIME_DIR: silent,
    XDG_STATE_HOME: silent,
  })
  const shellMs = await timeOf('true', env)
  const row = (name: string, flood: Flood) => [
    name,
    Math.round(flood.perSecond),
    ms(flood.p50, 2),
    ms(flood.p95, 2),
  ]
  process.stdout.write(
    `${table(['hooks', 'taken a second', 'one alone, p50 ms', 'p95 ms'], [row('lull’s host', ours), row('a server that only says 204', baseline)])}\n\n`,
  )
  process.stdout.write(
    `${table(
      ['one hook where nobody listens', 'ms'],
      [
        ['lull’s forwarder', ms(forwarderMs, 1)],
        ['a shell that does nothing', ms(shellMs, 1)],
      ],
    )}\n\n`,
  )
  return {
    postsPerSecond: ours.perSecond,
    hookP50: ours.p50,
    hookP95: ours.p95,
    bareServerPerSecond: baseline.perSecond,
    forwarderMs,
    shellMs,
  }
}

async function askReal({ env }: Crowd) {
  const rows = await measureReal(env)
  process.stdout.write(
    `${table(
      ['real CLIs on a scripted model', 'hooks', 'the truth → lull says so', 'ms'],
      rows.map(({ cli, hooks, what, took, expected }) => [
        cli,
        hooks ? 'yes' : 'no',
        what,
        took === undefined ? `never${expected ? ` (${expected})` : ''}` : ms(took),
      ]),
    )}\n\n`,
  )
  return { real: rows, untold: rows.filter(({ took, expected }) => took === undefined && !expected).length }
}

/** Reads a body and answers: what no receiver can do without. */
async function bareServer(socket: string): Promise<{ socket: string; close(): void }> {
  const server = http.createServer((request, response) => {
    request.resume()
    request.on('end', () => response.writeHead(204).end())
  })
  await new Promise<void>(resolve => server.listen(socket, resolve))
  return {
    socket,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** How long a command takes as a hook, median of many, ms. */
async function timeOf(command: string, env: NodeJS.ProcessEnv): Promise<number> {
  const took: number[] = []
  const payload = readFileSync(import.meta.filename).subarray(0, 2000)
  for (let i = 0; i < 40; i++) {
    const at = performance.now()
    const child = spawn('/bin/sh', ['-c', `${command} claude`], { env, stdio: ['pipe', 'ignore', 'ignore'] })
    child.stdin.on('error', () => undefined)
    child.stdin.end(payload)
    await once(child, 'exit')
    took.push(performance.now() - at)
  }
  return quantile(took, 0.5)
}
