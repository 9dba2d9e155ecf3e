/** `lull loop`: runs a RALPH.md, prints what happens, and ends with a code for how it ended. */

import { once } from 'node:events'
import os from 'node:os'
import { exitCode, LullError, oneLine, usageOf } from '../../core.ts'
import { placesOf, whyRuntimeRefused } from '../../index.ts'
import { type LoopOptions, type LoopRun, loop, openRalph } from '../../loop/loop.ts'
import type { LoopEvent, Outcome } from '../../loop/loop-events.ts'
import { initRalph } from '../../loop/ralph/new-ralph.ts'
import { readArguments } from '../../loop/ralph/ralph-arguments.ts'
import type { Stop } from '../../loop/step/loop-state.ts'
import { publishRun } from '../../sessions/runs/published-runs.ts'
import { readDuration } from '../flags/duration-flag.ts'
import { createLoopPrinter } from '../ui/print-loop.ts'

export type LoopFlags = {
  readonly maxIterations?: string
  readonly stopOnError?: boolean
  readonly delay?: string
  readonly logDir?: string
  readonly timeout?: string
  readonly json?: boolean
}

/**
 * @param words the RALPH.md and the values of its arguments, as they stood on the command line
 * @param plain so many of them, at the end, came after `--`
 */
export async function loopCommand(words: readonly string[], plain: number, flags: LoopFlags): Promise<void> {
  let run: LoopRun | undefined
  // Before it begins: from then on the agent would be left behind.
  const release = listenToSignals(() => run)
  try {
    run = begun(words, plain, flags)
    await print(run, flags.json === true)
    const stop = await run.outcome
    process.exitCode = codeOf(stop)
    if (stop.outcome === 'terminated' || stop.outcome === 'interrupted') leave()
  } finally {
    release()
  }
}

export function loopInitCommand(folder: string | undefined): void {
  const file = withSentences(() => initRalph(folder ?? '.'))
  process.stdout.write(`${file} is written: change it, then run lull loop${folder ? ` ${folder}` : ''}\n`)
}

function begun(words: readonly string[], plain: number, flags: LoopFlags): LoopRun {
  const [first] = words
  const isNamed = first !== undefined && words.length > plain && !first.startsWith('-')
  const target = isNamed ? first : undefined
  return withSentences(() => {
    const ralph = openRalph(target, process.cwd(), process.env)
    const args = readArguments(ralph.args, isNamed ? words.slice(1) : words, plain)
    return loop({ ralph, args, ...optionsOf(flags), onSession: shown(ralph.name) })
  }, target)
}

/** Publishes each run, so that `lull ps` shows it, where the runtime folder can be written. */
function shown(name: string): NonNullable<LoopOptions['onSession']> {
  const places = placesOf()
  const why = whyRuntimeRefused(places)
  if (why !== undefined) {
    process.stderr.write(`lull: lull ps does not show this loop: ${oneLine(why, 300)}\n`)
    return () => undefined
  }
  return session =>
    void publishRun(places.runs, { ...session, note: `loop ${name}, iteration ${session.iteration}` })
}

function optionsOf({ maxIterations, stopOnError, delay, logDir, timeout }: LoopFlags): LoopOptions {
  return {
    ...(maxIterations === undefined ? {} : { maxIterations: readCount(maxIterations) }),
    ...(stopOnError === undefined ? {} : { stopOnError }),
    ...(delay === undefined ? {} : { delay: readDuration('--delay', delay) }),
    ...(logDir === undefined ? {} : { logDir }),
    ...(timeout === undefined ? {} : { timeout: readDuration('--timeout', timeout) }),
  }
}

function readCount(text: string): number {
  const count = /^\d{1,15}$/.test(text) ? Number(text) : 0
  if (count > 0) return count
  throw new LullError('USAGE', `-n ${text}: must be a whole number from 1 on`)
}

function withSentences<T>(act: () => T, target?: string): T {
  try {
    return act()
  } catch (error) {
    throw usageOf(error, target)
  }
}

/** For the last words, where the reader stands still. */
const lastWordsMs = 1000

/** A program that was asked to stop must not wait for the reader of its output for ever, as Node would. */
function leave(): void {
  if (process.stdout.writableLength === 0) return
  const timer = setTimeout(() => process.exit(), lastWordsMs)
  process.stdout.once('drain', () => clearTimeout(timer))
}

const ending = ['SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

function listenToSignals(run: () => LoopRun | undefined): () => void {
  const interrupt = (): void => run()?.interrupt()
  const terminate = (signal: NodeJS.Signals): void => run()?.terminate(signal)
  process.on('SIGINT', interrupt)
  for (const signal of ending) process.on(signal, terminate)
  return () => {
    process.off('SIGINT', interrupt)
    for (const signal of ending) process.off(signal, terminate)
  }
}

/** Waits for a reader that is slow. One that is gone (`| head`, a closed terminal) ends the loop as a signal would. */
async function print(run: LoopRun, isJson: boolean): Promise<void> {
  const { stdout } = process
  let isGone = false
  let isOver = false
  void run.outcome.then(() => {
    isOver = true
  })
  stdout.removeAllListeners('error')
  stdout.on('error', () => {
    isGone = true
    run.terminate('SIGPIPE')
  })
  const write = (text: string): boolean => isGone || text === '' || stdout.write(text)
  const printer = createLoopPrinter(write, stdout.isTTY === true ? () => stdout.columns ?? 80 : undefined)
  try {
    for await (const event of run) {
      const isRoom = isJson ? write(`${JSON.stringify(toRow(event))}\n`) : printer.print(event)
      if (!isRoom && !isOver) await Promise.race([run.outcome, once(stdout, 'drain').catch(() => undefined)])
    }
  } finally {
    printer.close()
  }
}

/** A JSON line: `type` first, times as ISO text. */
const toRow = ({ type, time, ...rest }: LoopEvent): object => ({
  type,
  time: new Date(time).toISOString(),
  ...rest,
})

const codes: Readonly<Record<Exclude<Outcome, 'terminated'>, number>> = {
  done: exitCode.reached,
  max_iterations: exitCode.reached,
  idle_max: exitCode.idleMax,
  blocked: exitCode.waitsForPerson,
  failed: exitCode.failed,
  timed_out: exitCode.timeout,
  limited: exitCode.limited,
  interrupted: exitCode.interrupted,
}

/** The exit code by which a shell reports a signal: 128 and its number. */
function codeOf({ outcome, signal }: Stop): number {
  if (outcome !== 'terminated') return codes[outcome]
  const number = Object.entries(os.constants.signals).find(([name]) => name === signal)?.[1]
  return 128 + (number ?? os.constants.signals.SIGTERM)
}
