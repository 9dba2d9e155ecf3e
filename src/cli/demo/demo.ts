/**
 * `lull demo`: three recorded sessions, the agent's own screen beside lull's verdict and beside what the newest hook says; the
 * agents that run on this machine, read from files alone; then eight commands (demo-processes.ts), and what to type next.
 */

import { readdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { agents, type Change } from '../../agents.ts'
import { openStory, type RecordedStory } from '../../connect/open-story.ts'
import { explain } from '../../core/explain/explain.ts'
import type { Session, State } from '../../core.ts'
import { connect, type Lull, realClock } from '../../index.ts'
import { readSpeed } from '../commands/traces/replay-command.ts'
import { type TableRow, tableLines } from '../ui/demo-table.ts'
import { jsonLine, lines, print } from '../ui/print.ts'
import { demoProcesses, demoProcessesCommand } from './demo-processes.ts'
import { createScreen } from './demo-screen.ts'
import { changeLines, farewell, headline, hookAt, legend, storyLines, tellingInstant } from './story-lines.ts'

export type DemoFlags = {
  readonly speed?: string
  readonly once?: boolean
  readonly json?: boolean
  /** The commands alone. */
  readonly processes?: boolean
}

const folder = fileURLToPath(new URL('../../../demo', import.meta.url))

/** The recordings, by file name: what happens in each. */
const stories: Readonly<Record<string, string>> = {
  'claude-bash20': 'a tool that is silent for 20 s',
  'opencode-permission': 'a permission that nobody gives for 25 s',
  'claude-agent': 'a turn that ends while a background agent works on',
}

type Reel = RecordedStory & { readonly name: string; readonly about: string }

export async function demoCommand(flags: DemoFlags): Promise<void> {
  const speed = readSpeed(flags.speed)
  if (flags.processes) return demoProcessesCommand(flags)
  const reels = await loadReels()
  const lull = await connect()
  try {
    if (flags.once || flags.json) printOnce(reels, await runningRows(lull), flags)
    else await play(reels, lull, speed)
  } finally {
    await lull.close()
  }
  if (flags.json) return
  await demoProcesses(flags)
  print(lines('', ...farewell))
}

function loadReels(): Promise<readonly Reel[]> {
  const files = readdirSync(folder).filter(file => file.endsWith('.cast.gz'))
  return Promise.all(
    files
      .sort((a, b) => storyOrder(a) - storyOrder(b))
      .map(async file => {
        const name = file.replace('.cast.gz', '')
        return { ...(await openStory(path.join(folder, file))), name, about: stories[name] ?? '' }
      }),
  )
}

const storyOrder = (file: string): number => Object.keys(stories).indexOf(file.replace('.cast.gz', ''))

type RunningRow = { readonly name: string; readonly session: Session; readonly now: number }

async function runningRows(lull: Lull): Promise<RunningRow[]> {
  const now = realClock().now()
  return (await lull.sessions()).map(({ agent, pid, cwd, session }) => ({
    name: `${agent} ${pid} ${cwd === undefined ? '' : path.basename(cwd)}`.trim(),
    session,
    now,
  }))
}

function printOnce(reels: readonly Reel[], running: readonly RunningRow[], flags: DemoFlags): void {
  const ends = reels.map(reel => ({ reel, change: reel.changes.at(-1) as Change }))
  if (flags.json) {
    const sessions = ends.map(({ reel, change }) => ({
      name: reel.name,
      story: reel.about,
      seconds: change.at / 1000,
      changes: reel.changes.length,
      ...claim(change.session, change.at),
    }))
    print(
      jsonLine({
        sessions,
        running: running.map(({ name, session, now }) => ({ name, ...claim(session, now) })),
      }),
    )
    return
  }
  print(lines(headline, legend, ''))
  for (const { reel, change } of ends) {
    const end = explain(change.verdict, change.at, change.session.facts)
    const at = tellingInstant(reel)
    print(
      lines(
        `${reel.name}: ${reel.about}`,
        ...changeLines(reel),
        `  after ${(change.at / 1000).toFixed(1)} s: ${end}`,
        `  its screen at ${(at / 1000).toFixed(1)} s, and what is said of it:`,
        ...storyLines(reel, at, { width: 120, rows: 8, isColoured: false }),
        '',
      ),
    )
  }
  print(lines(...runningLines(running, false), ''))
}

function claim(session: Session, now: number) {
  const { verdict, facts } = session
  const detail = (state: State) => ({
    state: state.kind,
    ...(state.kind === 'waiting' ? { for: state.for } : {}),
    ...(state.kind === 'working' && state.doing ? { doing: state.doing } : {}),
  })
  return {
    ...detail(verdict.state),
    health: verdict.health.level,
    confidence: verdict.confidence,
    turn: verdict.turn,
    turnOver: verdict.turnOver,
    why: explain(verdict, now, facts),
  }
}

async function play(reels: readonly Reel[], lull: Lull, speed: number): Promise<void> {
  const end = Math.max(...reels.map(reel => reel.changes.at(-1)?.at ?? 0)) + 2000
  const began = performance.now()
  const screen = createScreen()
  for (let now = 0; now < end; now = (performance.now() - began) * speed) {
    const [shown, ...others] = reels.toSorted((a, b) => urgency(b, now) - urgency(a, now))
    const view = { width: screen.width - 1, rows: 9, isColoured: screen.isColoured }
    screen.draw([
      ` ${headline}`,
      ` ${legend}`,
      '',
      heading(now, speed),
      ...(shown ? [` ${shown.name}: ${shown.about}`, ...storyLines(shown, now, view)] : []),
      ...tableLines(
        others.map(reel => rowAt(reel, now)),
        screen.width,
        screen.isColoured,
      ),
      '',
      ...runningLines(await runningRows(lull), screen.isColoured, screen.width),
    ])
    await sleep(screen.isLive ? 100 : 1000)
  }
  print(lines(''))
}

/** The one whose screen is shown: of which the newest hook is wrong, or else the one that runs on. */
function urgency(reel: Reel, now: number): number {
  const change = reel.changes.findLast(({ at }) => at <= now)
  if (!change || now > (reel.changes.at(-1)?.at ?? 0)) return 0
  return hookAt(reel, change, now)?.isWrong ? 2 : 1
}

const heading = (now: number, speed: number): string =>
  ` recorded sessions, ${(now / 1000).toFixed(0).padStart(3)} s${speed === 1 ? '' : ` (${speed} times real time)`}`

function rowAt(reel: Reel, now: number): TableRow {
  const change = reel.changes.findLast(c => c.at <= now) ?? (reel.changes[0] as Change)
  const { verdict, session } = change
  return {
    name: reel.name,
    state: verdict.state,
    turnOver: verdict.turnOver,
    why: explain(verdict, now, session.facts),
  }
}

function runningLines(running: readonly RunningRow[], isColoured: boolean, width = 120): string[] {
  const rows = running.map(({ name, session, now }) => ({
    name,
    state: session.verdict.state,
    turnOver: session.verdict.turnOver,
    why: explain(session.verdict, now, session.facts),
  }))
  if (rows.length === 0)
    return [
      ` no coding agent runs on this machine now (known: ${Object.values(agents)
        .map(a => a.title)
        .join(', ')})`,
    ]
  return [' running on this machine now', ...tableLines(rows, width, isColoured)]
}
