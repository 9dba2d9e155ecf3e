/** `lull demo --processes`: eight real commands side by side, and what each of them does or waits for. */

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { exitCode } from '../../core/exit-codes.ts'
import { causes } from '../../core/explain/explain-health.ts'
import { formatDuration } from '../../core/text/duration.ts'
import { oneLine } from '../../core/text/printable.ts'
import type { Cause, Health } from '../../core.ts'
import { realClock, textWidth } from '../../index.ts'
import { type DemoCommand, demoCommands, endDemoProgram } from '../../run/demo-programs.ts'
import { presets } from '../../run/step/presets.ts'
import { type Watch, watchRun } from '../../run/watch-run.ts'
import { cut } from '../ui/cells.ts'
import { inColour, type Meaning } from '../ui/colours.ts'
import { colouredLines, jsonLine, lines, own, print } from '../ui/print.ts'

/** Where a demo draws its tables: a terminal is drawn over; anything else gets one table a second. */

type DemoScreen = ReturnType<typeof createScreen>

export function createScreen() {
  const { stdout } = process
  const isLive = stdout.isTTY === true
  let drawn = 0
  return {
    isLive,
    isColoured: isLive && !process.env.NO_COLOR,
    get width(): number {
      return stdout.columns || 120
    },
    /** Plain lines are cut to the width: one that wraps would be drawn over in part only. */
    draw(all: readonly string[]): void {
      const width = stdout.columns || 120
      // What does not fit would scroll away under the next frame.
      const fits = isLive && stdout.rows ? all.slice(0, stdout.rows - 1) : all
      const lines = fits.map(line => (line.includes('\u001b') ? line : line.slice(0, width - 1)))
      if (isLive) print(own(drawn > 0 ? `\u001b[${drawn}A\u001b[J` : ''), colouredLines(...lines))
      else print(colouredLines(...lines, ''))
      drawn = lines.length
    },
  }
}

export type ProcessesFlags = { readonly once?: boolean; readonly json?: boolean }

/** Nobody waits ten minutes for a demo: a silence of 4 s counts, and a proof after 2 s. */
const preset = { ...presets.conservative, silence: 4000 }
const dwell = 2000
/** The most that the eight verdicts may take on a busy machine, ms. */
const patience = 45_000
/** A table is looked at for so long at least, ms. */
const showing = 15_000

type Seen = {
  readonly cause?: Cause
  readonly level: Health['level']
  readonly certainty: Health['certainty']
  readonly reason: string
}

type Act = { readonly command: DemoCommand; readonly child: ChildProcess; seen: Seen; watch?: Watch }

const isRight = ({ command, seen }: Act): boolean =>
  seen.cause !== undefined && command.causes.includes(seen.cause) && seen.level === command.level

/** Shows the eight until all their verdicts are right, or the patience is over; leaves no process behind. */
export async function demoProcesses(flags: ProcessesFlags): Promise<boolean> {
  const stage = await setStage()
  try {
    const began = performance.now()
    const screen = flags.once || flags.json ? undefined : createScreen()
    const elapsed = (): number => performance.now() - began
    for (;;) {
      screen?.draw(tableOf(stage.acts, elapsed(), screen))
      const isDone = stage.acts.every(isRight) && (screen === undefined || elapsed() >= showing)
      if (isDone || elapsed() >= patience) break
      await sleep(screen?.isLive ? 200 : screen ? 1000 : 100)
    }
    if (flags.json) print(jsonLine(asJson(stage.acts, elapsed())))
    else if (!screen) print(lines(...tableOf(stage.acts, elapsed(), undefined)))
    return stage.acts.every(isRight)
  } finally {
    stage.strike()
  }
}

export async function demoProcessesCommand(flags: ProcessesFlags): Promise<void> {
  if (!(await demoProcesses(flags))) process.exitCode = exitCode.failed
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

async function setStage() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lull-demo-'))
  // It takes requests and never answers.
  const server = createServer(() => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const acts: Act[] = []
  let isStruck = false

  function strike(): void {
    if (isStruck) return
    isStruck = true
    for (const { child, watch } of acts) {
      watch?.close()
      endDemoProgram(child)
    }
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true, force: true })
    for (const signal of signals) process.removeListener(signal, ended)
    process.removeListener('exit', strike)
  }
  function ended(signal: NodeJS.Signals): void {
    strike()
    process.kill(process.pid, signal)
  }
  for (const signal of signals) process.on(signal, ended)
  process.on('exit', strike)
  for (const command of demoCommands) acts.push(perform(command, command.start({ folder, url })))
  return { acts, strike }
}

function perform(command: DemoCommand, child: ChildProcess): Act {
  const seen: Seen = { level: 'healthy', certainty: 'low', reason: 'it has just begun' }
  const act: Act = { command, child, seen }
  const clock = realClock()
  child.on('error', error => {
    act.seen = { level: 'healthy', certainty: 'low', reason: error.message }
  })
  child.on('exit', (code, signal) => {
    act.watch?.close()
    const how = signal ? `by ${signal}` : `with code ${code}`
    act.seen = { cause: 'exited', level: 'healthy', certainty: 'certain', reason: `it has ended ${how}` }
  })
  if (child.pid === undefined) return act
  const watch = watchRun(child.pid, {
    clock,
    begun: clock.now(),
    preset,
    dwell,
    stdin: child.stdin ? 'open' : 'null',
    seesOutput: true,
    fetch: () => undefined,
    onVerdict({ health, reason }) {
      if (act.seen.cause !== 'exited') act.seen = { ...health, reason }
    },
  })
  act.watch = watch
  child.stdout?.on('data', (piece: Buffer) => watch.receive(1, piece))
  return act
}

const levels: Readonly<Record<Health['level'], { words: string; meaning: Meaning }>> = {
  healthy: { words: 'healthy', meaning: 'done' },
  suspicious: { words: 'suspicious', meaning: 'asks' },
  likely_stuck: { words: 'likely stuck', meaning: 'unclear' },
  confirmed_stuck: { words: 'stuck', meaning: 'wrong' },
}

function tableOf(acts: readonly Act[], elapsed: number, screen: DemoScreen | undefined): string[] {
  const nameWidth = Math.max(...acts.map(({ command }) => command.name.length))
  const isWide = screen?.isLive ? screen.width : 160
  const rows = acts.flatMap(act => {
    const { command, seen, child } = act
    const { words, meaning } = levels[seen.level]
    const name = `${command.name.padEnd(nameWidth)}  ${String(child.pid ?? '').padStart(7)}`
    const about = `${words.padEnd(12)}  ${seen.cause === undefined ? '…' : causes[seen.cause]}`
    const line = cut(about, isWide - textWidth(name) - 6)
    const shown = screen?.isColoured ? inColour(line, meaning) : line
    return [
      ` ${isRight(act) ? '✓' : ' '} ${name}  ${shown}`,
      `     ${oneLine(seen.reason, Math.max(20, isWide - 8))}`,
    ]
  })
  return [` eight commands that run on this machine now, ${formatDuration(elapsed)}`, ...rows]
}

const asJson = (acts: readonly Act[], elapsed: number) => ({
  right: acts.every(isRight),
  seconds: Math.round(elapsed) / 1000,
  commands: acts.map(act => ({
    name: act.command.name,
    pid: act.child.pid,
    expected: { causes: act.command.causes, health: act.command.level },
    cause: act.seen.cause ?? 'unknown',
    health: act.seen.level,
    certainty: act.seen.certainty,
    reason: act.seen.reason,
    right: isRight(act),
  })),
})
