/** `lull run -- CMD…`: runs a command, passes everything through, and says on stderr what it does where that changes. */

import { openSync, writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import { exitCode, isLullError, LullError } from '../../core.ts'
import { endBySignal, passSignals } from '../../run/child/pass-signals.ts'
import { waitingInput } from '../../run/child/waiting-input.ts'
import { createLineWriter, type LineWriter } from '../../run/line-writer.ts'
import { type Run, run } from '../../run/run.ts'
import type { RunEnd } from '../../run/run-options.ts'
import type { RunVerdict } from '../../run/step/run-verdict.ts'
import type { TerminalVerdict } from '../../terminal.ts'
import { type RunFlags, readRunFlags } from '../flags/run-flags.ts'
import {
  describeEnd,
  describeLast,
  describeVerdict,
  endRow,
  isWorthSaying,
  verdictRow,
} from '../ui/print-run.ts'

/** @param argv the words after `run` */
export async function runCommand(argv: readonly string[]): Promise<void> {
  const flags = withTerminal(readRunFlags(argv))
  const files = openFiles(flags)
  const stderr = createLineWriter(2, () =>
    flags.pty === true && isatty(0) && process.stdin.isRaw ? '\r\n' : '\n',
  )
  const begun = performance.now()
  const notice = (sentence: string): void => stderr.line(`lull: ${sentence}`)
  const printer = createPrinter(flags, files.verdicts, stderr)
  const publisher = createPublisher(flags.words, notice, flags.cwd)
  const started = begin(
    flags,
    files.record,
    notice,
    (verdict, isNews) => {
      printer.verdict(verdict, isNews)
      publisher.sample(verdict, isNews)
    },
    publisher.terminal,
  )
  const release = passSignals(started.kill, signal => {
    if (signal !== 'SIGINT' && signal !== 'SIGTERM') return
    notice(describeLast(signal, started.look() ?? started.last(), performance.now() - begun))
  })
  // Whatever fails here, the command and its output go on.
  process.on('uncaughtException', error =>
    notice(`a fault of lull's own, the command goes on: ${error.message}`),
  )
  try {
    const { pid } = await started.started
    publisher.begin(pid)
    const stopLooking = flags.stdin === undefined && !flags.pty ? lookForInput(notice) : () => undefined
    const end = await started.ended
    stopLooking()
    printer.end(end)
    await Promise.all([publisher.close(), stderr.flush()])
    leave(end, release)
  } catch (error) {
    if (isLullError(error)) release()
    throw error
  }
}

function begin(
  { words, stdin, json: _, verdicts: _v, record: _r, ...rest }: RunFlags,
  record: number | undefined,
  onNotice: (sentence: string) => void,
  onSample: (verdict: RunVerdict, isNews: boolean) => void,
  onTerminal: (verdict: TerminalVerdict) => void,
): Run {
  return run(words, {
    ...rest,
    ...(stdin === undefined ? {} : { stdin }),
    ...(record === undefined ? {} : { record }),
    adopts: true,
    onNotice,
    onSample,
    onTerminal,
  })
}

/** A terminal's keys reach the command through a terminal of its own: it has a session of its own. */
function withTerminal(flags: RunFlags): RunFlags {
  const isTerminal = isatty(0)
  if (flags.pty && flags.stdin === 'inherit' && !isTerminal)
    throw new LullError(
      'USAGE',
      '--pty takes keys from a terminal, and stdin is none: leave --pty or --stdin inherit',
    )
  if (flags.stdin !== 'inherit' || !isTerminal || flags.pty) return flags
  if (isatty(1) && isatty(2)) return { ...flags, pty: true }
  throw new LullError(
    'USAGE',
    '--stdin inherit at a terminal gives the command a terminal for its output too: redirect neither stdout nor stderr, or use --pty',
  )
}

function openFiles({ record, verdicts }: RunFlags): { record?: number; verdicts?: number } {
  return {
    ...(verdicts === undefined ? {} : { verdicts: opened('--verdicts', verdicts, 'a') }),
    // A recording is somebody's evidence: none is written over.
    ...(record === undefined ? {} : { record: opened('--record', record, 'wx') }),
  }
}

function opened(option: string, file: string, how: 'a' | 'wx'): number {
  try {
    return openSync(file, how, 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new LullError('USAGE', `${option} ${file} exists: choose another name`)
    throw new LullError('USAGE', `${option} ${file} can't be written: ${(error as Error).message}`)
  }
}

type Printer = { verdict(verdict: RunVerdict, isNews: boolean): void; end(end: RunEnd): void }

function createPrinter({ json }: RunFlags, file: number | undefined, stderr: LineWriter): Printer {
  let printed: RunVerdict | undefined
  const row = (value: object): void => {
    const line = JSON.stringify(value)
    if (json) stderr.line(line)
    if (file !== undefined) writeSync(file, `${line}\n`)
  }
  return {
    verdict(verdict, isNews) {
      if (!isNews) return
      row(verdictRow(verdict, Date.now()))
      if (!json && isWorthSaying(printed, verdict)) stderr.line(`lull: ${describeVerdict(verdict)}`)
      printed = verdict
    },
    end(end) {
      row(endRow(end, Date.now()))
      if (!json) stderr.line(`lull: ${describeEnd(end)}`)
    },
  }
}

/** For `lull ps`, once it has been looked at: a short command is never shown, and does not pay for it. */
function createPublisher(words: readonly string[], notice: (sentence: string) => void, cwd = process.cwd()) {
  let pid: number | undefined
  let last: TerminalVerdict | undefined
  let publisher: Promise<import('../../run/publish-run.ts').RunPublisher | undefined> | undefined
  const open = async (of: number) => {
    const [{ publishSupervisedRun }, { placesOf, realClock, whyRuntimeRefused }] = await Promise.all([
      import('../../run/publish-run.ts'),
      import('../../index.ts'),
    ])
    const why = whyRuntimeRefused(placesOf())
    if (why !== undefined) {
      notice(`lull ps does not show this run: ${why}`)
      return undefined
    }
    const to = publishSupervisedRun(placesOf().runs, { pid: of, cwd, words }, realClock())
    if (last) to.terminal(last)
    return to
  }
  return {
    begin(of: number) {
      pid = of
    },
    sample(verdict: RunVerdict, isNews: boolean) {
      if (pid === undefined) return
      publisher ??= open(pid)
      void publisher.then(to => to?.sample(verdict, isNews))
    },
    terminal(verdict: TerminalVerdict) {
      last = verdict
      void publisher?.then(to => to?.terminal(verdict))
    },
    close: async () => (await publisher)?.close(),
  }
}

const lookEveryMs = 1000

/** Stdin is not the command's unless it was asked for: what waits there is not lost silently. */
function lookForInput(notice: (sentence: string) => void): () => void {
  const look = (): boolean => {
    const bytes = waitingInput()
    if (bytes > 0)
      notice(
        `${bytes} bytes wait on stdin, and the command does not get them: its stdin is empty; --stdin inherit gives it lull's`,
      )
    return bytes > 0
  }
  let isNoticed = look()
  const timer = setInterval(() => {
    isNoticed ||= look()
    if (isNoticed) clearInterval(timer)
  }, lookEveryMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    isNoticed ||= look()
  }
}

/** As the command ended, so does lull. */
function leave({ code, signal, isActedOn }: RunEnd, release: () => void): void {
  release()
  if (isActedOn) process.exit(exitCode.stuck)
  if (signal === undefined) process.exit(code ?? 0)
  endBySignal(signal)
}
