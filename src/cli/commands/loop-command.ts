/** `lull loop`: runs a RALPH.md, prints what happens, and ends with a code for how it ended. */

import { once } from 'node:events'
import os from 'node:os'
import { usageOf } from '../../core/error-sentence.ts'
import { exitCode } from '../../core/exit-codes.ts'
import { LullError } from '../../core/lull-error.ts'
import { whyNot } from '../../core/system-refusal.ts'
import { oneLine } from '../../core/text/printable.ts'
import type { Printable } from '../../core.ts'
import { placesOf, whyRuntimeRefused } from '../../index.ts'
import { type LoopOptions, type LoopRun, loop, openRalph } from '../../loop/loop.ts'
import { serveLoop } from '../../loop/loop-control.ts'
import type { LoopEvent, Outcome } from '../../loop/loop-events.ts'
import { readArguments } from '../../loop/ralph/prompt.ts'
import { initRalph } from '../../loop/ralph/ralph-file.ts'
import type { Stop } from '../../loop/step/loop-state.ts'
import { findLeftBehind, publishLoop } from '../../sessions/runs/publish-loop.ts'
import { readDuration } from '../flags/flag-values.ts'
import { type LoopPublisher, loopPublisher } from '../ui/loop-row.ts'
import { jsonLine, lines, onNotice, print } from '../ui/print.ts'
import { createLoopPrinter } from '../ui/print-loop.ts'

export type LoopFlags = {
  readonly maxIterations?: string
  readonly stopOnError?: boolean
  readonly delay?: string
  readonly logDir?: string
  readonly timeout?: string
  readonly idle?: boolean
  readonly idleDelay?: string
  readonly idleBackoff?: string
  readonly idleMaxDelay?: string
  readonly idleMax?: string
  readonly json?: boolean
  readonly endLeftBehind?: boolean
}

type ShownLoop = LoopRun & { readonly row: LoopPublisher | undefined }

/**
 * @param words the RALPH.md and the values of its arguments, as they stood on the command line
 * @param plain so many of them, at the end, came after `--`
 */
export async function loopCommand(words: readonly string[], plain: number, flags: LoopFlags): Promise<void> {
  let run: ShownLoop | undefined
  let steered: { close(): Promise<void> } | undefined
  // Before it begins: from then on the agent would be left behind.
  const release = listenToSignals(() => run)
  try {
    await tellLeftBehind(flags.endLeftBehind === true)
    run = begun(words, plain, flags)
    // Where nothing can listen, it can't be steered from elsewhere, and runs all the same.
    steered = await serveLoop(placesOf(), run).catch(() => undefined)
    const isPrinted = await printEvents(run, flags.json === true)
    const stop = await run.outcome
    run.row?.close(endOf(stop))
    process.exitCode = isPrinted ? codeOf(stop) : exitCode.failed
    if (stop.outcome === 'terminated' || stop.outcome === 'interrupted') leave()
  } finally {
    run?.row?.close()
    release()
    await steered?.close()
  }
}

export function loopInitCommand(folder: string | undefined): void {
  const file = withSentences(() => initRalph(folder ?? '.'))
  print(lines(`${file} is written: change it, then run lull loop${folder ? ` ${folder}` : ''}`))
}

function begun(words: readonly string[], plain: number, flags: LoopFlags): ShownLoop {
  const [first] = words
  const isNamed = first !== undefined && words.length > plain && !first.startsWith('-')
  const target = isNamed ? first : undefined
  return withSentences(() => {
    const ralph = openRalph(target, process.cwd(), process.env)
    const args = readArguments(ralph.args, isNamed ? words.slice(1) : words, plain)
    const options = { ralph, args, ...optionsOf(flags) }
    const row = rowOf(ralph.name, options.maxIterations)
    return Object.assign(loop({ ...options, onSession: session => row?.begun(session) }), { row })
  }, target)
}

/** Agents of loops that were killed: they are ended only where that was asked for. */
async function tellLeftBehind(isEnded: boolean): Promise<void> {
  for (const { session, end } of findLeftBehind(placesOf().runs)) {
    const { pid, note = '', cwd = '' } = session
    const who = `${oneLine(note, 200)}, pid ${pid} in ${oneLine(cwd, 500)}`
    if (!isEnded)
      onNotice(
        `the agent of a killed loop still runs (${who}); lull explain pid:${pid} shows what it does, --end-left-behind ends it`,
      )
    else
      onNotice(
        (await end())
          ? `ended the agent of a killed loop (${who})`
          : `cannot end the agent of a killed loop (${who})`,
      )
  }
}

/** Shows the loop in `lull ps`, where the runtime folder can be written. */
function rowOf(name: string, most: number | undefined): LoopPublisher | undefined {
  const places = placesOf()
  const why = whyRuntimeRefused(places)
  if (why === undefined) return loopPublisher(publishLoop(places.runs, process.cwd()), name, most)
  onNotice(`lull ps cannot list this loop: ${oneLine(why, 300)}`)
  return undefined
}

function optionsOf(flags: LoopFlags): LoopOptions {
  const { maxIterations, stopOnError, delay, logDir, timeout } = flags
  return {
    ...idleOf(flags),
    ...(maxIterations === undefined ? {} : { maxIterations: readCount(maxIterations) }),
    ...(stopOnError === undefined ? {} : { stopOnError }),
    ...(delay === undefined ? {} : { delay: readDuration('--delay', delay) }),
    ...(logDir === undefined ? {} : { logDir }),
    ...(timeout === undefined ? {} : { timeout: readDuration('--timeout', timeout) }),
  }
}

function idleOf({
  idle,
  idleDelay,
  idleBackoff,
  idleMaxDelay,
  idleMax,
}: LoopFlags): Pick<LoopOptions, 'idle'> {
  const given = {
    ...(idleDelay === undefined ? {} : { delay: readDuration('--idle-delay', idleDelay) }),
    ...(idleBackoff === undefined ? {} : { backoff: readFactor(idleBackoff) }),
    ...(idleMaxDelay === undefined ? {} : { maxDelay: readDuration('--idle-max-delay', idleMaxDelay) }),
    ...(idleMax === undefined ? {} : { max: readDuration('--idle-max', idleMax) }),
  }
  if (Object.keys(given).length === 0) return idle === undefined ? {} : { idle }
  if (idle === false)
    throw new LullError('USAGE', '--no-idle contradicts the other --idle options; give only one kind')
  return { idle: given }
}

function readFactor(text: string): number {
  const factor = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : 0
  if (factor >= 1) return factor
  throw new LullError('USAGE', `--idle-backoff ${text}: must be a number from 1 on`)
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

/** For the last output, where its reader has stopped reading. */
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

/**
 * Waits for a reader that is slow. One that is gone (`| head`, a closed terminal) ends the loop as a signal would.
 * @returns false where it ended because nothing can be printed: a full disk
 */
async function printEvents(run: ShownLoop, isJson: boolean): Promise<boolean> {
  const { stdout } = process
  let isPrinted = true
  let isGone = false
  let isOver = false
  void run.outcome.then(() => {
    isOver = true
  })
  stdout.removeAllListeners('error')
  stdout.on('error', error => {
    if (!isGone && !('code' in error && error.code === 'EPIPE')) {
      isPrinted = false
      onNotice(`cannot write to stdout: ${whyNot(error)}`)
    }
    isGone = true
    run.terminate('SIGPIPE')
  })
  const write = (text: Printable): boolean => isGone || text === '' || print(text)
  const printer = createLoopPrinter(write, stdout.isTTY === true ? () => stdout.columns ?? 80 : undefined)
  try {
    for await (const event of run) {
      run.row?.take(event)
      const isRoom = isJson ? write(jsonLine(toRow(event))) : printer.print(event)
      if (!isRoom && !isOver) await Promise.race([run.outcome, once(stdout, 'drain').catch(() => undefined)])
    }
  } finally {
    printer.close()
  }
  return isPrinted
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

/** Ends that a person wanted, now or in RALPH.md: `lull since` counts none of them as died. */
const wanted: readonly Outcome[] = ['terminated', 'interrupted', 'idle_max']

/** Of the row in `lull ps`. */
const endOf = (stop: Stop): number | undefined => (wanted.includes(stop.outcome) ? undefined : codeOf(stop))

/** The exit code by which a shell reports a signal: 128 and its number. */
function codeOf({ outcome, signal }: Stop): number {
  if (outcome !== 'terminated') return codes[outcome]
  const number = Object.entries(os.constants.signals).find(([name]) => name === signal)?.[1]
  return 128 + (number ?? os.constants.signals.SIGTERM)
}
