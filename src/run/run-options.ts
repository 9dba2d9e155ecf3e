/** What can be asked of a run, and what comes of it at its end. */
import { is } from '../core/check-values.ts'
import { isRecord } from '../core/trace/trace.ts'
import type { ProcessEnd } from '../os/spawn/process-group.ts'
import type { TerminalVerdict } from '../terminal/classify/terminal-verdict.ts'
import type { Stdin } from './child/piped-child.ts'
import type { CliRecording } from './record-run.ts'
import type { RunSummary } from './run-summary.ts'
import { type PresetName, presetNames } from './step/presets.ts'
import type { RunVerdict } from './step/run-verdict.ts'
import type { ActAt } from './step/stuck-action-step.ts'
import type { OnStuck } from './stuck-action.ts'

export type RunOptions = {
  /** The working folder where not given. */
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  /** 'null' where not given. */
  readonly stdin?: Stdin
  /** It gets a terminal of its own; keys typed at ours are its. */
  readonly pty?: boolean
  /** 'conservative' where not given. */
  readonly preset?: PresetName
  /** How long a proof must hold until it is certain, ms; 10 s where not given. */
  readonly dwell?: number
  /** What to do once it is stuck; nothing where not given. */
  readonly onStuck?: OnStuck
  /** 'confirmed' where not given: only on a proof. */
  readonly actAt?: ActAt
  /** A new file: the run is recorded there as a trace. */
  readonly record?: string
  /** With `record`: the recording is one of a CLI, with its files and, where it has a terminal of ours, its keys. */
  readonly recordAs?: CliRecording
  /** This process becomes the parent of orphans of the command, and may have no other children: for programs of their own. */
  readonly adopts?: boolean
  /** What a person should know besides verdicts. */
  readonly onNotice?: (sentence: string) => void
  /** Each look, about one a second. `isNews`: its health, or the cause of it, is not what it was. */
  readonly onSample?: (verdict: RunVerdict, isNews: boolean) => void
  /** With `pty`: what the command's terminal does, at each change: it runs, asks, is at a prompt. */
  readonly onTerminal?: (verdict: TerminalVerdict) => void
}

const isAction = (value: unknown): boolean =>
  isRecord(value) &&
  (value.type === 'exec' ? typeof value.command === 'string' : /^(notify|term)$/.test(`${value.type}`))

export const runChecks = {
  words: is.listOf(is.text),
  options: is.options<RunOptions>({
    cwd: is.text,
    env: is.record,
    stdin: is.oneOf('null', 'open', 'inherit'),
    pty: is.flag,
    preset: is.oneOf(...presetNames),
    dwell: is.duration,
    onStuck: is.must("{ type: 'notify' }, { type: 'term' } or { type: 'exec', command }", isAction),
    actAt: is.oneOf('confirmed', 'likely'),
    record: is.text,
    recordAs: is.options<CliRecording>({ name: is.text, watch: is.listOf(is.text), keepsSecrets: is.flag }),
    adopts: is.flag,
    onNotice: is.callback,
    onSample: is.callback,
    onTerminal: is.callback,
  }),
}

export type RunEnd = ProcessEnd & {
  /** `onStuck: term` ended it. */
  readonly isActedOn: boolean
  readonly summary: RunSummary
}
