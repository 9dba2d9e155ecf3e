/**
 * `npm run bench:day [-- LANE…]`: ten agents of five CLIs in tmux on scripted models, through all that happens to agents in
 * a day, and `lull watch` beside them. What lull says is laid beside what the models and the keys know. Lists each
 * disagreement; exits 1 where a floor is missed. In the folder $LULL_DAY the truth, the verdicts and traces are kept.
 *
 * `npm run bench:day -- morning [CLI…] [hooks | without] [host | no-host | killed[:S]]`: two of every CLI in a folder (bench/day/morning.ts).
 * `unseen` instead of `morning` plays what was chosen without knowing lull's rules (bench/day/unseen.ts).
 * `only:WORDS` plays those situations whose names hold the words.
 * `killed`: the host is killed each minute, and started again after 5 s; `killed:12`: each 12 s.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ensureLab, type LabCli, labClis } from '../scripts/setup-lab.ts'
import type { Actor } from './day/actor.ts'
import { dayParts, gather, hooked, type Lane, type Part } from './day/cast.ts'
import { keepHost } from './day/keep-host.ts'
import { morningPart } from './day/morning.ts'
import { endDay, type Failure, report } from './day/report.ts'
import type { Situation } from './day/situations.ts'
import { unseen } from './day/unseen.ts'
import { type SessionRow, type Watcher, watch } from './day/watcher.ts'
import { now } from './lab/truth.ts'
import { ownHome } from './own-home.ts'

const bin = path.resolve(import.meta.dirname, '../bin/lull.js')

type Recorders = {
  /** Records it from now on, once. */
  see(session: SessionRow): void
  close(): Promise<void>
}

/** @param folder where `AGENT-PANE-ID.cast` is written */
function recorders(folder: string, env: NodeJS.ProcessEnv): Recorders {
  const running = new Map<string, ChildProcess>()
  return {
    see({ id, agent, tmux }) {
      if (running.has(id) || !tmux?.includes('lull-lab-')) return
      const file = path.join(folder, `${agent}-${path.basename(tmux)}-${id}.cast`)
      const child = spawn(process.execPath, [bin, 'record', id, '-o', file, '--force'], {
        env,
        stdio: 'ignore',
      })
      running.set(id, child)
    },
    async close() {
      for (const child of running.values()) {
        if (child.exitCode !== null || child.signalCode !== null) continue
        const ended = once(child, 'exit')
        child.kill('SIGINT')
        await ended
      }
    },
  }
}

/** Starts are spread: ten at once on two cores would be a bench of the machine. ms */
const betweenStarts = 4000

const { home, env } = ownHome('day')
mkdirSync(path.join(home, 'run'), { mode: 0o700 })

const words = process.argv.slice(2)
const isUnseen = words.includes('unseen')
const isMorning = isUnseen || words.includes('morning')
const only = words.find(word => word.startsWith('only:'))?.slice(5) ?? ''
const killed = words.find(word => /^killed(:\d+)?$/.test(word))
const betweenKills = killed === undefined ? undefined : Number(killed.split(':')[1] ?? 60) * 1000
const named = words.filter(
  word =>
    !['morning', 'unseen', 'hooks', 'without', 'host', 'no-host', killed].includes(word) &&
    !word.startsWith('only:'),
)

const begun = now()
const parts = isMorning
  ? morningParts()
  : dayParts.filter(({ name }) => named.length === 0 || named.includes(name))
ensureLab([...new Set(parts.map(({ cli }) => cli))])
const host = words.includes('no-host') ? undefined : await keepHost(env, betweenKills)
const kept = process.env.LULL_DAY
if (kept) mkdirSync(kept, { recursive: true })
const traces = kept ? recorders(kept, env) : undefined
const watcher = await watch(env, session => traces?.see(session))
const lanes = await gather(env, parts)
const failures: Failure[] = []
/** The day's lanes were made to run together; of a morning's two a core do. */
const waiting = [...lanes]
const together = isMorning ? 2 * availableParallelism() : lanes.length
try {
  await Promise.all(
    Array.from({ length: together }, async (_, index) => {
      await pause(index * betweenStarts)
      for (let lane = waiting.shift(); lane; lane = waiting.shift()) await playLane(lane)
    }),
  )
} finally {
  await finish(watcher, lanes)
}

function morningParts(): readonly Part[] {
  const hooks = words.includes('hooks')
  const clis = labClis.filter(cli => named.length === 0 || named.includes(cli))
  return clis
    .filter(cli => !hooks || hooked.includes(cli))
    .map(cli => morningPart(cli, hooks, only, isUnseen ? unseenOf(cli) : undefined))
}

function unseenOf(cli: LabCli): readonly Situation[] {
  return unseen.flatMap(({ situation, clis = labClis }) => (clis.includes(cli) ? [situation] : []))
}

async function playLane({ actors, situations }: Lane): Promise<void> {
  const [a, b = a] = actors as [Actor, Actor?]
  await attempt('start', actors, () => startAll(actors))
  for (const situation of situations) await play(situation, actors, a, b)
  for (const actor of actors) {
    actor.situation('the end')
    actor.lost()
  }
  // It would go on to cost the machine what the others need.
  if (isMorning) for (const actor of actors) await actor.leave()
}

/** Two of a folder start in one second, but for OpenCode: of two that make one database, one hangs. */
async function startAll(actors: readonly Actor[]): Promise<void> {
  const [first, ...others] = actors as [Actor, ...Actor[]]
  if (first.role.cli === 'opencode') {
    for (const actor of actors) await actor.start()
    return
  }
  const begins = first.start()
  await pause(500)
  await Promise.all([begins, ...others.map(actor => actor.start())])
}

async function play(situation: Situation, actors: readonly Actor[], a: Actor, b: Actor): Promise<void> {
  for (const actor of actors) actor.situation(situation.name)
  const isPlayed = await attempt(situation.name, actors, () => situation.play(a, b))
  for (const actor of actors) await actor.leaveDialog()
  if (isPlayed) return
  for (const actor of actors) actor.lost()
  await attempt(`start after: ${situation.name}`, actors, async () => {
    for (const actor of actors) await actor.start()
  })
}

async function attempt(name: string, actors: readonly Actor[], act: () => Promise<void>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    const agents = actors.map(actor => actor.role.name).join(', ')
    failures.push({ name, agents, why: error instanceof Error ? error.message : String(error) })
    process.stderr.write(`day: ${agents}, ${name}: not played\n`)
    return false
  }
}

async function finish(watching: Watcher, played: readonly Lane[]): Promise<void> {
  const end = now()
  await watching.close()
  await traces?.close()
  const days = played.flatMap(({ actors }) => actors.map(actor => endDay(actor, watching.rows, end)))
  for (const { actors, place, shared } of played) {
    for (const actor of actors) await actor.close()
    await shared?.close()
    await place.remove()
  }
  await host?.stop()
  if (kept) {
    for (const each of days)
      writeFileSync(path.join(kept, `${each.agent}.json`), JSON.stringify(each, null, 1))
    writeFileSync(path.join(kept, 'failures.json'), JSON.stringify(failures, null, 1))
    writeFileSync(
      path.join(kept, 'watch.jsonl'),
      watching.rows.map(row => `${JSON.stringify(row)}\n`).join(''),
    )
  }
  const { text, figures, missed } = report(days, failures, begun, end, isMorning)
  process.stdout.write(`${text}\n`)
  process.stdout.write(`${JSON.stringify({ bench: 'day', ...figures, missed })}\n`)
  process.exitCode = missed.length > 0 ? 1 : 0
}
