/**
 * Runs a command and watches it: says at any moment whether it computes, waits or is stuck, and why. The command starts
 * first; what judges it is loaded once it has run for a moment.
 */

import { isatty } from 'node:tty'
import { LullError } from '../core/lull-error.ts'
import { ownChildren } from '../os/spawn/own-children.ts'
import type { ProcessEnd } from '../os/spawn/process-group.ts'
import { adoptOrphans } from '../process/reaper.ts'
import type { TerminalVerdict } from '../terminal/classify/terminal-verdict.ts'
import type { OwnTerminal } from '../terminal/own-terminal.ts'
import { realClock } from '../track/clock.ts'
import { createSubscribers } from '../track/subscribers.ts'
import '../process/linux/started.ts'
import { followFiles, type Growth } from './child/follow-output.ts'
import { type Out, type Outputs, planOutputs } from './child/outputs.ts'
import { type Child, type Stdin, startChild } from './child/piped-child.ts'
import type { Recorder } from './record-run.ts'
import { checkFolder } from './run-error.ts'
import type { RunSummary } from './run-summary.ts'
import { defaultDwell, type PresetName, presets } from './step/presets.ts'
import type { RunVerdict } from './step/run-verdict.ts'
import type { ActAt } from './step/stuck-action-step.ts'
import type { OnStuck } from './stuck-action.ts'
import type { Watch } from './watch-run.ts'

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
  /** The descriptor of a new file: the run is recorded there as a trace. */
  readonly record?: number
  /** This process becomes the parent of orphans of the command, and may have no other children: for programs of their own. */
  readonly adopts?: boolean
  /** What a person should know besides verdicts. */
  readonly say?: (sentence: string) => void
  /** Each look, about one a second. */
  readonly sampled?: (verdict: RunVerdict, isNews: boolean) => void
  /** With `pty`: what the command's terminal does, at each change: it runs, asks, is at a prompt. */
  readonly terminal?: (verdict: TerminalVerdict) => void
}

export type RunEnd = ProcessEnd & {
  /** `onStuck: term` ended it. */
  readonly isActedOn: boolean
  readonly summary: RunSummary
}

/** Iterated over, it gives each verdict whose health, or the cause of it, is not what it was, until the command ends. */
export type Run = AsyncIterable<RunVerdict> & {
  /** @throws {LullError} NOT_FOUND, NOT_EXECUTABLE by the promise, where it could not be started */
  readonly started: Promise<{ readonly pid: number }>
  /** It has ended, and all that it printed is where it belongs. Rejects as `started` does. */
  readonly ended: Promise<RunEnd>
  /** Judged now; undefined before the first look (0.2 s), after its end, and on systems that can't be looked into. */
  look(): RunVerdict | undefined
  last(): RunVerdict | undefined
  /** To its whole group. */
  kill(signal: NodeJS.Signals): void
}

/** A command that is over sooner is not looked at, and pays for nothing. */
const loadAfterMs = 150

/**
 * Runs a command; its output goes where this process's own goes.
 * @param words the program and its arguments: no shell is between
 * @throws {LullError} NO_COMMAND, NO_FOLDER where there are no words, or no such folder
 */
export function run(words: readonly string[], options: RunOptions = {}): Run {
  const { cwd = process.cwd(), stdin = 'null', pty = false } = options
  if (words[0] === undefined || words[0] === '')
    throw new LullError('NO_COMMAND', 'which command? lull run -- CMD…')
  if (options.cwd !== undefined) checkFolder(cwd)
  const clock = realClock()
  const changes = createSubscribers<RunVerdict>()
  const outputs: Outputs = pty ? { 1: 'passed', 2: 'along' } : planOutputs()
  const isWhole = options.record !== undefined
  const begun = clock.now()
  const own = new Set<number>()
  let watch: Watch | undefined
  let recorder: Recorder | undefined
  let child: Child | undefined
  let terminal: OwnTerminal | undefined
  let files: readonly Growth[] = []
  let isOver = false
  let isActedOn = false
  let hasActed = false

  const heard = (out: Out, piece: Buffer): void => {
    recorder?.output(out, piece)
    watch?.heard(out, piece)
    terminal?.take(piece)
  }
  const fetch = (): void => {
    for (const file of files) file.read(piece => heard(file.out, piece))
  }

  async function start(): Promise<{ pid: number }> {
    files = followFiles(outputs, isWhole)
    const env = options.env ?? process.env
    if (options.record !== undefined) recorder = await recording(options.record)
    if (options.adopts) adoptOrphans()
    child = pty
      ? await (await import('./child/pty-child.ts')).startInTerminal({
          words,
          cwd,
          env,
          takesKeys: stdin !== 'open' && isatty(0),
          heard: piece => heard(1, piece),
        })
      : await startChild({ words, cwd, env, stdin, outputs, heard, isWhole })
    own.add(child.pid)
    const { pid } = child
    setTimeout(() => void watching(pid), loadAfterMs).unref()
    if (pty && options.terminal) await judgeTerminal(pid, options.terminal)
    return { pid }
  }

  async function judgeTerminal(pid: number, told: (verdict: TerminalVerdict) => void): Promise<void> {
    const { followOwnTerminal } = await import('../terminal/own-terminal.ts')
    if (!isOver) terminal = followOwnTerminal(pid, clock, told)
  }

  async function recording(file: number): Promise<Recorder> {
    const { createRecorder } = await import('./record-run.ts')
    return createRecorder(file, words, clock, why =>
      options.say?.(`the recording ends here, it can't be written: ${why}`),
    )
  }

  async function watching(pid: number): Promise<void> {
    if (isOver) return
    const [{ watchRun }, { mayAct }, { act }] = await Promise.all([
      import('./watch-run.ts'),
      import('./step/stuck-action-step.ts'),
      import('./stuck-action.ts'),
    ])
    if (isOver) return
    const { onStuck, actAt = 'confirmed' } = options
    watch = watchRun(pid, {
      clock,
      begun,
      preset: presets[options.preset ?? 'conservative'],
      dwell: options.dwell ?? defaultDwell,
      stdin: pty && stdin !== 'open' ? 'keys' : stdin,
      hears: files.length > 0 || outputs[1] === 'passed' || outputs[2] === 'passed',
      ...(options.adopts
        ? { adopts: { isOwn: (child: number) => own.has(child) || ownChildren.has(child) } }
        : {}),
      fetch,
      failed: error =>
        options.say?.(`a fault of lull's own, the command goes on unwatched: ${error.message}`),
      told(verdict, isNews) {
        recorder?.sample(pid, verdict, isNews)
        if (isNews) changes.emit(verdict)
        options.sampled?.(verdict, isNews)
        if (verdict.health.level === 'healthy') hasActed = false
        if (!onStuck || hasActed || !mayAct(verdict, actAt)) return
        hasActed = true
        // Out of this look, whose verdict may be old by now.
        setImmediate(() => {
          const fresh = watch?.look()
          if (isOver || !child || !fresh || !mayAct(fresh, actAt)) {
            hasActed = false
            return
          }
          isActedOn ||= onStuck.type === 'term'
          act(onStuck, {
            pid,
            words,
            verdict: fresh,
            kill: child.kill,
            own,
            say: sentence => options.say?.(sentence),
          })
        })
      },
    })
    if (watch.lacks !== undefined) options.say?.(watch.lacks)
  }

  async function end(): Promise<RunEnd> {
    try {
      await started
      const ended = await (child as Child).ended
      isOver = true
      fetch()
      watch?.close()
      recorder?.end(ended)
      return { ...ended, isActedOn, summary: summaryNow() }
    } finally {
      isOver = true
      terminal?.close()
      changes.close()
    }
  }

  function summaryNow(): RunSummary {
    const now = clock.now()
    const parts = watch?.tally.summary(now) ?? { computing: 0, waiting: 0, quiet: 0, peakBytes: 0 }
    return { total: now - begun, ...parts }
  }

  const started = start()
  const ended = end()
  // Whoever only iterates is told there.
  ended.catch(() => undefined)
  return {
    started,
    ended,
    look: () => (isOver ? undefined : watch?.look()),
    last: () => watch?.last(),
    kill: signal => child?.kill(signal),
    [Symbol.asyncIterator]() {
      const verdicts = changes.subscribe()
      return (async function* () {
        yield* verdicts
        await ended
      })()
    },
  }
}
