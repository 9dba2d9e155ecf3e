/** A run without a terminal: what is said of it from its start until some seconds after its end. */
import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { below } from '../day/below.ts'
import type { Span, Truth } from '../day/truth.ts'
import type { Stay } from '../day/watcher.ts'
import { environmentOf, labAgent } from '../lab/agents.ts'
import { startModel } from '../lab/model.ts'
import { newPlace } from '../lab/place.ts'
import { endsTurn, isMainRequest, now } from '../lab/truth.ts'
import { installHooks } from './cast.ts'
import type { PlayedCli } from './facts.ts'

export type Headless = { readonly name: string; readonly cli: PlayedCli; readonly hooks: boolean } & (
  | { readonly why: string }
  | { readonly spans: readonly Span[]; readonly stays: readonly Stay[] }
)

/** Its processes are looked for so often, ms. */
const glance = 100

/** Watched for so long after its end, ms. */
const afterwards = 4000

/** A run of one command of 8 s. ms */
const patience = 90_000

export async function playHeadless(
  cli: PlayedCli,
  hooks: boolean,
  env: NodeJS.ProcessEnv,
): Promise<Headless> {
  const name = `${cli}-${hooks ? 'hooks' : 'without'}-headless`
  const place = newPlace()
  const model = await startModel()
  try {
    const agent = labAgent(cli, place, model.url)
    const environment = environmentOf(agent, place)
    for (const [file, content] of Object.entries(agent.files)) place.put(file, content)
    if (hooks) await installHooks(env, cli)(place, environment, agent)
    const words = [...agent.command, ...(hooks ? agent.trustsHooks : [])]
    const [command = '', ...args] = [...words, ...agent.headless('[[bash:8]] please')]
    const from = now()
    const child = spawn(command, args, { cwd: place.work, env: environment, stdio: 'ignore' })
    const pids = new Set<number>([child.pid as number])
    const looking = setInterval(() => {
      for (const pid of below(child.pid as number)) pids.add(pid)
    }, glance)
    const late = setTimeout(() => child.kill('SIGKILL'), patience)
    const code = await new Promise(resolve => {
      child.once('error', () => resolve('error'))
      child.once('close', resolve)
    })
    const ended = now()
    clearInterval(looking)
    clearTimeout(late)
    await pause(afterwards)
    const first = model.events.find(isMainRequest)
    const last = model.events.findLast(endsTurn)
    const tool = model.events.find(event => event.type === 'end' && !event.endsTurn)
    if (!first || !last || !tool || code !== 0)
      return { name, cli, hooks, why: `it ended with ${code} and ${model.events.length} events at the model` }
    const span = (begin: number, end: number, truth: Truth): Span => ({
      from: begin,
      to: end,
      truth,
      situation: 'headless',
    })
    const spans = [
      span(from, first.at, 'open'),
      span(first.at, last.at, 'working'),
      span(last.at, ended, 'open'),
      span(ended, now(), 'exited'),
    ]
    return { name, cli, hooks, spans, stays: [{ pids, from, to: now() }] }
  } finally {
    await model.close()
    await place.remove()
  }
}
