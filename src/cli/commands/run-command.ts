/** `lull run -- CMD…`: runs a command, passes everything through, and prints health changes on stderr. */

import { writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import { exitCode } from '../../core/exit-codes.ts'
import { isLullError, LullError } from '../../core/lull-error.ts'
import { whyNot } from '../../core/system-refusal.ts'
import { printable, printableJson } from '../../core/text/printable.ts'
import { waitingInput } from '../../run/child/outputs.ts'
import { endBySignal, passSignals } from '../../run/child/pass-signals.ts'
import { createLineWriter, type LineWriter } from '../../run/line-writer.ts'
import { inheritedFiles, openOutput } from '../../run/output-file.ts'
import type { RunPublisher } from '../../run/publish-run.ts'
import { type Run, runInto } from '../../run/run.ts'
import type { RunEnd } from '../../run/run-options.ts'
import type { RunVerdict } from '../../run/step/run-verdict.ts'
import type { OpenedFiles } from '../../run/supervisor.ts'
import type { TerminalVerdict } from '../../terminal.ts'
import { type RunFlags, readRunFlags } from '../flags/run-flags.ts'
import {
  describeEnd,
  describeLast,
  describeVerdict,
  endRow,
  errorRow,
  isWorthSaying,
  noticeRow,
  verdictRow,
} from '../ui/print-run.ts'

/** @param argv the words after `run` */
export async function runCommand(argv: readonly string[]): Promise<void> {
  const inherited = inheritedFiles()
  const flags = readRunFlags(argv)
  const stderr = createLineWriter(2, () =>
    (flags.pty || flags.stdin === 'inherit') && isatty(0) && process.stdin.isRaw ? '\r\n' : '\n',
  )
  try {
    await runWith(withTerminal(flags), inherited, stderr)
  } catch (error) {
    if (!flags.json || !isLullError(error)) throw error
    stderr.line(printableJson(errorRow(error, Date.now())))
    await stderr.flush()
    process.exitCode = error.exit
  }
}

async function runWith(flags: RunFlags, inherited: readonly number[], stderr: LineWriter): Promise<void> {
  if (!flags.words[0]) throw new LullError('NO_COMMAND', 'no command given; usage: lull run -- CMD…')
  const notice = (sentence: string): void =>
    stderr.line(flags.json ? printableJson(noticeRow(sentence, Date.now())) : printable(`lull: ${sentence}`))
  const files = openFiles(flags, notice)
  const begun = performance.now()
  const printer = createPrinter(flags, files.verdicts, { stderr, notice })
  const publisher = createPublisher({ begun, words: flags.words, cwd: flags.cwd ?? process.cwd() }, notice)
  const started = begin(
    flags,
    { record: files.record, inherited },
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
    notice(`internal error of lull; the command keeps running: ${error.message}`),
  )
  try {
    const { pid } = await started.started
    publisher.begin(pid)
    const stopLooking = flags.stdin === undefined && !flags.pty ? lookForInput(notice) : () => undefined
    const end = await started.ended
    stopLooking()
    printer.end(end)
    await Promise.all([publisher.close(end), stderr.flush()])
    leave(end, release)
  } catch (error) {
    if (isLullError(error)) release()
    throw error
  }
}

function begin(
  { words, stdin, json: _, verdicts: _v, record: _r, ...rest }: RunFlags,
  opened: OpenedFiles,
  onNotice: (sentence: string) => void,
  onSample: (verdict: RunVerdict, isNews: boolean) => void,
  onTerminal: (verdict: TerminalVerdict) => void,
): Run {
  const options = { ...rest, ...(stdin === undefined ? {} : { stdin }) }
  return runInto(opened, words, { ...options, adopts: true, onNotice, onSample, onTerminal })
}

/** A terminal's keys reach the command through a terminal of its own: it has a session of its own. */
function withTerminal(flags: RunFlags): RunFlags {
  const isTerminal = isatty(0)
  if (flags.pty && flags.stdin === 'inherit' && !isTerminal)
    throw new LullError('USAGE', '--pty needs a terminal on stdin; leave out --pty or --stdin inherit')
  if (flags.stdin !== 'inherit' || !isTerminal || flags.pty) return flags
  if (isatty(1) && isatty(2)) return { ...flags, pty: true }
  throw new LullError(
    'USAGE',
    '--stdin inherit at a terminal needs stdout and stderr there too; do not redirect them, or use --pty',
  )
}

type OpenFiles = { readonly record: number | undefined; readonly verdicts: number | undefined }

function openFiles({ record, verdicts }: RunFlags, notice: (sentence: string) => void): OpenFiles {
  const opened = (option: string, file: string | undefined, how: 'a' | 'wx'): number | undefined => {
    if (file === undefined) return undefined
    try {
      return openOutput(file, how, `${option} ${file}`, 'choose another name')
    } catch (error) {
      // As where its reader goes later: the command is what counts.
      if (!isLullError(error, 'NOT_A_FILE')) throw error
      notice(`${error.message}: the command runs without it`)
      return undefined
    }
  }
  // A recording is somebody's evidence: none is written over.
  return { verdicts: opened('--verdicts', verdicts, 'a'), record: opened('--record', record, 'wx') }
}

type Printer = { verdict(verdict: RunVerdict, isNews: boolean): void; end(end: RunEnd): void }

type Saying = { readonly stderr: LineWriter; notice(sentence: string): void }

function createPrinter({ json }: RunFlags, file: number | undefined, { stderr, notice }: Saying): Printer {
  let printed: RunVerdict | undefined
  let isBroken = false
  const row = (value: object): void => {
    const line = printableJson(value)
    if (json) stderr.line(line)
    if (isBroken || file === undefined) return
    try {
      writeSync(file, `${line}\n`)
    } catch (error) {
      isBroken = true
      notice(`--verdicts stops, because its file cannot be written: ${whyNot(error)}`)
    }
  }
  return {
    verdict(verdict, isNews) {
      if (!isNews) return
      row(verdictRow(verdict, Date.now() - Number(process.hrtime.bigint()) / 1e6))
      if (!json && isWorthSaying(printed, verdict))
        stderr.line(printable(`lull: ${describeVerdict(verdict)}`))
      printed = verdict
    },
    end(end) {
      row(endRow(end, Date.now()))
      if (!json) stderr.line(printable(`lull: ${describeEnd(end)}`))
    },
  }
}

/** For `lull ps`, once it has been looked at: a short command is never shown, and does not pay for it. */
function createPublisher(
  { begun, ...run }: { readonly begun: number; readonly words: readonly string[]; readonly cwd: string },
  notice: (sentence: string) => void,
) {
  let pid: number | undefined
  let last: TerminalVerdict | undefined
  let publisher: Promise<RunPublisher | undefined> | undefined
  const open = async (of: number) => {
    const [{ publishSupervisedRun }, { placesOf, realClock, whyRuntimeRefused }] = await Promise.all([
      import('../../run/publish-run.ts'),
      import('../../index.ts'),
    ])
    const why = whyRuntimeRefused(placesOf())
    if (why !== undefined) {
      notice(`lull ps cannot list this run: ${why}`)
      return undefined
    }
    const clock = realClock()
    const started = clock.now() - (performance.now() - begun)
    const to = publishSupervisedRun(placesOf().runs, { pid: of, begun: started, ...run }, clock)
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
    close: async (end: RunEnd) => (await publisher)?.close(end),
  }
}

const lookEveryMs = 1000

/** Stdin is not the command's unless it was asked for: what waits there is not lost silently. */
function lookForInput(notice: (sentence: string) => void): () => void {
  const look = (): boolean => {
    const bytes = waitingInput()
    if (bytes > 0)
      notice(
        `${bytes} bytes wait on stdin, but the command's stdin is empty; use --stdin inherit to pass them on`,
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
