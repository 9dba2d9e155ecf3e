/**
 * `npm run test:agents [-- CLI… | hooks | without | tmux | headless | SITUATION…]`: every agent that lull knows, pinned, on
 * scripted models, in tmux and headless, with lull's hooks and without. Verdicts are laid beside what the models and the keys
 * know, and every dialog is answered by `lull answer`. Exits 1 where a floor is missed. In the folder $LULL_AGENTS the
 * truth, the verdicts and the screens that they were given on are kept.
 */
import { mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ensureLab } from '../scripts/setup-lab.ts'
import { watch } from './day/watcher.ts'
import { now } from './lab/truth.ts'
import { run } from './live/processes.ts'
import { ownHome } from './own-home.ts'
import { gather, type Member } from './test-agents/cast.ts'
import { facts, type PlayedCli, playedClis } from './test-agents/facts.ts'
import { type Headless, playHeadless } from './test-agents/headless.ts'
import { keeper } from './test-agents/keeper.ts'
import { playNames } from './test-agents/play-names.ts'
import { plays, programme } from './test-agents/plays.ts'
import { type Left, outcomeOf, outcomeOfHeadless, report } from './test-agents/report.ts'

/** So many agents at once, two a core: more, and it is a bench of the machine, where a CLI draws seconds after Enter. */
const lanes = Math.min(8, 2 * availableParallelism())

const words = process.argv.slice(2)
const has = (word: string, other: string): boolean => words.includes(word) || !words.includes(other)
const named = playedClis.filter(cli => words.includes(cli))
const clis: readonly PlayedCli[] = named.length > 0 ? named : playedClis
const situations = playNames.filter(name => words.includes(name))

const { home, env } = ownHome('agents')
mkdirSync(path.join(home, 'run'), { mode: 0o700 })
ensureLab(clis)
const begun = now()
await run(['host', 'start'], env)
const kept = keeper(process.env.LULL_AGENTS)
const watcher = await watch(env, session => kept.see(session))
const kinds = [true, false].filter(hooks => (hooks ? has('hooks', 'without') : has('without', 'hooks')))
const members = await gather(env, clis, kinds)
const left: Left[] = []
for (const cli of clis) {
  const why = facts[cli].noHooks
  if (kinds.includes(true) && why) left.push({ cli, name: 'hooks', why })
}
const headless: Headless[] = []

const inTmux = has('tmux', 'headless') ? members.map(member => () => playAll(member)) : []
const without = has('headless', 'tmux')
  ? members.map(({ cli, hooks }) => async () => {
      headless.push(await playHeadless(cli, hooks, env))
    })
  : []
const jobs = [...inTmux, ...without]
try {
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      await pause(lane * 2000)
      for (let job = jobs.shift(); job; job = jobs.shift()) await job()
    }),
  )
} finally {
  await finish()
}

async function playAll(member: Member): Promise<void> {
  const { player, cli, name } = member
  const { actor } = player
  const { played, left: never } = programme(cli, situations)
  for (const entry of never)
    if (!left.some(other => other.cli === entry.cli && other.name === entry.name)) left.push(entry)
  /** It remembers what it was allowed to do without asking. */
  const start = async (): Promise<void> => {
    await actor.start()
    await player.asksNow(false)
  }
  let isUp = await attempt(name, 'start', start)
  for (const situation of played) {
    actor.situation(situation)
    if (!isUp) {
      actor.lost()
      isUp = await attempt(name, `start before ${situation}`, start)
    }
    isUp &&= await attempt(name, situation, () => plays[situation](player))
    await actor.leaveDialog().catch(() => undefined)
  }
  await actor.close()
  actor.situation('the end')
  actor.lost()
}

async function attempt(agent: string, situation: string, act: () => Promise<void>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    left.push({ cli: agent, name: situation, why })
    kept.note({ at: now(), agent, situation, why })
    process.stderr.write(`agents: ${agent}, ${situation}: broken off\n`)
    return false
  }
}

async function finish(): Promise<void> {
  const end = now()
  await watcher.close()
  await run(['host', 'stop'], env)
  const outcomes = [
    ...(inTmux.length > 0 ? members : []).map(member => outcomeOf(member, watcher.rows, end)),
    ...headless.flatMap(one => ('spans' in one ? [outcomeOfHeadless(one, watcher.rows)] : [])),
  ]
  for (const one of headless) if ('why' in one) left.push({ cli: one.name, name: 'headless', why: one.why })
  for (const { player, place } of members) {
    await player.actor.close()
    await place.remove()
  }
  kept.keep(outcomes, watcher.rows, members)
  const { text, figures, missed } = report(outcomes, left, begun, end)
  process.stdout.write(`${text}\n`)
  process.stdout.write(`${JSON.stringify({ bench: 'agents-live', ...figures, missed })}\n`)
  process.exitCode = missed.length > 0 ? 1 : 0
}
