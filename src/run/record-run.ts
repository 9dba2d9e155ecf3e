/** Writes a run as a trace: its output, samples of its processes, verdicts and its end, so that it can be judged again. */

import { closeSync, writeSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { isAgentName } from '../agents/agent-names.ts'
import type { Clock } from '../core/clock.ts'
import { redact } from '../core/redact/redact.ts'
import { createTraceRedactor } from '../core/redact/redact-trace.ts'
import type { Instant } from '../core/state.ts'
import { whyNot } from '../core/system-refusal.ts'
import type { TraceCode } from '../core/trace/trace.ts'
import { writeEvent, writeHeader } from '../core/trace/trace-write.ts'
import { attempt } from '../os/attempt.ts'
import { readStat } from '../os/proc/stat.ts'
import type { ProcessEnd } from '../os/spawn/process-group.ts'
import { ptsOf, readSettings, type TerminalSize } from '../os/tty/tty.ts'
import { writeReport } from '../process/health-report.ts'
import { commandName } from '../track/replay.ts'
import type { Out } from './child/outputs.ts'
import type { RunVerdict } from './step/run-verdict.ts'
import { reportOf } from './step/run-verdict.ts'
import { watchFiles } from './watched-files.ts'

export type Recorder = ReturnType<typeof createRecorder>

/** A recording of a CLI, which lull may not know yet: the keys that are typed and the files that it writes belong to it. */
export type CliRecording = {
  /** Of an agent that is known, the recording is judged by its readers; else as any command is. */
  readonly name: string
  /** Files and folders: lines that are appended there are recorded, and small JSON files as they change. */
  readonly watch?: readonly string[]
  readonly keepsSecrets?: boolean
}

export type RecorderOptions = {
  readonly words: readonly string[]
  readonly clock: Clock
  /** When the command was started: the trace's instant 0. */
  readonly begun: Instant
  readonly cli?: CliRecording
  /** It can't be written any more (the disk is full): called once. */
  readonly onFailure: (why: string) => void
  readonly onNotice: (sentence: string) => void
}

/** Where nothing changes, a sample is recorded this often. */
const sampleEveryMs = 5000

/**
 * @param file the descriptor of a new file
 * @throws {LullError} USAGE where files to watch are not there
 */
export function createRecorder(file: number, options: RecorderOptions) {
  const { words, clock, begun, cli, onFailure, onNotice } = options
  const redactor = cli?.keepsSecrets ? undefined : createTraceRedactor()
  const decoders = { 1: new StringDecoder('utf8'), 2: new StringDecoder('utf8') }
  const typed = new StringDecoder('utf8')
  let lastSample = -Infinity
  let last: Instant = 0
  let isBroken = false

  const put = (line: string): void => {
    if (isBroken) return
    try {
      writeSync(file, `${line}\n`)
    } catch (error) {
      isBroken = true
      onFailure(whyNot(error))
    }
  }
  const event = (code: TraceCode, data: string, at = clock.now()): void => {
    // What it printed is read after its processes were looked at, and recorded before.
    last = Math.max(last, at - begun)
    const one = { at: last, code, data }
    for (const due of redactor?.push(one) ?? [one]) put(writeEvent(due))
  }

  const stopWatching = watchFiles(cli?.watch ?? [], {
    onLine: (path, line) => event('t', JSON.stringify({ path, line })),
    onContent: (path, content) => event('f', JSON.stringify({ path, content })),
    onNotice,
  })
  const header = writeHeader({
    ...nameOf(cli),
    startedAt: clock.wall() - (clock.now() - begun),
    note: words.join(' ').slice(0, 500),
  })
  put(redactor ? redact(header) : header)
  return {
    output(out: Out, piece: Uint8Array): void {
      const text = decoders[out].write(Buffer.from(piece))
      if (text !== '') event('o', text)
    },
    size({ columns, rows }: TerminalSize): void {
      event('r', `${columns}x${rows}`)
    },
    /** @param pid the first process of the terminal that they are typed into */
    keys(pid: number, piece: Uint8Array): void {
      const keys = recordableKeys(typed.write(Buffer.from(piece)), settingsOf(pid))
      if (keys) event('i', keys)
    },
    sample(pid: number, verdict: RunVerdict, isNews: boolean): void {
      if (!isNews && verdict.at - lastSample < sampleEveryMs) return
      lastSample = verdict.at
      event('p', writeReport(reportOf(verdict, pid)), verdict.at)
      if (isNews) event('v', JSON.stringify({ health: verdict.health, reason: verdict.reason }), verdict.at)
    },
    end(end: ProcessEnd): void {
      stopWatching()
      event('x', JSON.stringify(end))
      for (const due of redactor?.end() ?? []) put(writeEvent(due))
      attempt(() => closeSync(file))
    },
  }
}

function nameOf(cli: CliRecording | undefined): { readonly agent: string; readonly cli?: string } {
  if (!cli) return { agent: commandName }
  return isAgentName(cli.name) ? { agent: cli.name } : { agent: commandName, cli: cli.name }
}

/** The settings of a process's terminal now. */
function settingsOf(pid: number): ReturnType<typeof readSettings> {
  const tty = ptsOf(readStat(pid)?.tty ?? 0)
  return tty === undefined ? undefined : readSettings(tty)
}

/** How the terminal stood when a key was typed; undefined where nobody can tell. */
type Settings = { readonly echo: boolean; readonly canonical: boolean } | undefined

/** Stands for text that was typed and is not shown here. */
const hidden = '•'

/** Escape sequences (arrows, pastes' brackets, mouse) and single control characters. */
const controls = /(\u001b(?:\[[0-?]*[ -/]*[@-~]|O.|.)?|[\u0000-\u001f\u007f])/

/**
 * Where the terminal echoes, keys are on the screen anyway. A line that is typed without echo is a password: nothing of
 * it is recorded, not even its length. A program that takes single keys (a composer, a pager) echoes by itself or not:
 * its keys are recorded as far as they are no text, and what it shows of the text is in its output.
 * @returns undefined where nothing may be recorded
 */
export function recordableKeys(keys: string, settings: Settings): string | undefined {
  if (!settings) return undefined
  if (settings.echo) return keys
  if (settings.canonical) return undefined
  return keys
    .split(controls)
    .map((part, at) => (at % 2 === 1 || part === '' ? part : hidden))
    .join('')
}
