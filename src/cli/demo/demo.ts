/**
 * `lull demo`: three recorded sessions, one after the other, the agent's own screen beside lull's verdict and the newest
 * hook; the agents of this machine, read from files alone; eight commands (demo-processes.ts); and commands to type next.
 */

import { readdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { agents, type Change } from '../../agents.ts'
import { openStory, type RecordedStory } from '../../connect/open-story.ts'
import { describeState, explain } from '../../core/explain/explain.ts'
import { oneLine, printable } from '../../core/text/printable.ts'
import type { Session, State } from '../../core.ts'
import { connect, type Lull, realClock, textWidth } from '../../index.ts'
import { readSpeed } from '../commands/traces/replay-command.ts'
import { cut, pad } from '../ui/cells.ts'
import { inColour, type Meaning } from '../ui/colours.ts'
import { jsonLine, lines, print } from '../ui/print.ts'
import { createScreen, demoProcesses, demoProcessesCommand } from './demo-processes.ts'
import {
  changeLines,
  farewell,
  headline,
  legend,
  openingLines,
  outcomeLines,
  spanOf,
  storyLines,
  tellingInstant,
} from './story-lines.ts'

type TableRow = {
  readonly name: string
  readonly state: State
  readonly why: string
}

const meanings: Readonly<Record<State['kind'], Meaning>> = {
  starting: 'faint',
  working: 'works',
  waiting: 'asks',
  idle: 'done',
  exited: 'faint',
  unknown: 'unclear',
}

/** Lines of at most `width` cells, the states in colour where `isColoured`. */
function tableLines(rows: readonly TableRow[], width: number, isColoured: boolean): string[] {
  const nameWidth = Math.max(8, ...rows.map(row => textWidth(row.name)))
  return rows.flatMap(({ name, state, why }) => {
    const words = cut(describeState(state), width - nameWidth - 4)
    const shown = isColoured ? inColour(words, meanings[state.kind]) : words
    return [
      ` ${pad(cut(printable(name), width - 8), nameWidth)}  ${shown}`,
      cut(`   ${oneLine(why, 400)}`, width - 1),
    ]
  })
}

export type DemoFlags = {
  readonly speed?: string
  readonly once?: boolean
  readonly json?: boolean
  /** The recorded sessions alone, and the commands alone. */
  readonly stories?: boolean
  readonly processes?: boolean
  readonly page?: boolean
}

const folder = fileURLToPath(new URL('../../../demo', import.meta.url))

/** The recordings, by file name: what happens in each. */
const stories: Readonly<Record<string, string>> = {
  'claude-agent': 'a turn that ends while a background agent works on',
  'opencode-permission': 'a permission that stays open for 25 s',
  'claude-bash20': 'a tool that is silent for 20 s',
}

type Reel = RecordedStory & { readonly name: string; readonly title: string; readonly about: string }

export async function demoCommand(flags: DemoFlags, version: string): Promise<void> {
  if (flags.page) return (await import('./demo-page.ts')).demoPage(storyFiles(), version)
  const speed = readSpeed(flags.speed)
  if (flags.processes) return demoProcessesCommand(flags)
  const reels = await loadReels()
  if (flags.stories && !flags.once && !flags.json) {
    await play(reels, undefined, speed)
    print(lines(...farewell))
    return
  }
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

const storyFiles = (): readonly string[] =>
  readdirSync(folder)
    .filter(file => file.endsWith('.cast.gz'))
    .sort((a, b) => storyOrder(a) - storyOrder(b))
    .map(file => path.join(folder, file))

function loadReels(): Promise<readonly Reel[]> {
  return Promise.all(
    storyFiles().map(async file => {
      const name = path.basename(file, '.cast.gz')
      const title = Object.values(agents).find(agent => name.startsWith(agent.name))?.title ?? name
      return { ...(await openStory(file)), name, title, about: stories[name] ?? '' }
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
  print(lines(headline, ...legend, ''))
  for (const { reel, change } of ends) {
    const end = explain(change.verdict, change.at, change.session.facts)
    const at = tellingInstant(reel)
    print(
      lines(
        `${reel.name}: ${reel.about}`,
        ...changeLines(reel),
        `  after ${(change.at / 1000).toFixed(1)} s: ${end}`,
        `  its screen at ${(at / 1000).toFixed(1)} s, and lull’s verdict:`,
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

/** Length of a story at the usual speed of 2, whatever it took in truth: ms. */
const tellingMs = 8000
const usualSpeed = 2
/** The agents of this machine are looked at this often, ms. */
const lookMs = 1000

async function play(reels: readonly Reel[], lull: Lull | undefined, speed: number): Promise<void> {
  const screen = createScreen()
  const { isColoured } = screen
  const finished: string[] = []
  let running: readonly RunningRow[] = []
  let lookAt = -Infinity
  const around = async (width: number): Promise<readonly string[]> => {
    if (!lull) return []
    if (performance.now() > lookAt) {
      running = await runningRows(lull)
      lookAt = performance.now() + lookMs
    }
    return ['', ...runningLines(running, isColoured, width)]
  }
  const opening = (width: number) => [...openingLines(width - 1), ...finished]
  for (const [n, reel] of reels.entries()) {
    const { from, to } = spanOf(reel)
    const pace = ((to - from) / tellingMs) * (speed / usualSpeed)
    const began = performance.now()
    for (let now = from; now < to; now = from + (performance.now() - began) * pace) {
      const { width } = screen
      const clock = `${((now - from) / 1000).toFixed(0).padStart(2)} s`
      screen.draw([
        ...opening(width),
        '',
        cut(` ${clock}  ${n + 1}/${reels.length} ${reel.title}: ${reel.about}`, width - 1),
        ...storyLines(reel, now, { width: width - 1, rows: 9, isColoured }),
        ...(await around(width)),
      ])
      await sleep(screen.isLive ? 100 : 1000)
    }
    finished.push(...outcomeLines(reel, `${reel.title}: ${reel.about}`, screen.width - 1, isColoured))
  }
  screen.draw([...opening(screen.width), ...(await around(screen.width))])
  print(lines(''))
}

/** A first screen is no table of all. */
const mostRunning = 4

function runningLines(running: readonly RunningRow[], isColoured: boolean, width = 120): string[] {
  const rows = running.map(({ name, session, now }) => ({
    name,
    state: session.verdict.state,
    why: explain(session.verdict, now, session.facts),
  }))
  if (rows.length === 0)
    return [
      ` no coding agent runs on this machine now (known: ${Object.values(agents)
        .map(a => a.title)
        .join(', ')})`,
    ]
  const more = rows.length - mostRunning
  return [
    ' running on this machine now',
    ...tableLines(rows.slice(0, mostRunning), width, isColoured),
    ...(more > 0 ? [`   and ${more} more: lull ps`] : []),
  ]
}
