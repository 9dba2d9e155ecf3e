/**
 * Carries out what `step/run-step.ts` decides about a run, and feeds it what came of it. The command starts first; what
 * judges it is loaded once it has run for a moment.
 */
import { isatty } from 'node:tty'
import type { Clock } from '../core/clock.ts'
import type { Instant } from '../core/state.ts'
import { ownChildren } from '../os/spawn/process-group.ts'
import { startedWith } from '../process/linux/started.ts'
import { adoptOrphans } from '../process/reaper.ts'
import type { OwnTerminal } from '../terminal/own-terminal.ts'
import { realClock } from '../track/clock.ts'
import { createSubscribers, newest, type Subscribers } from '../track/subscribers.ts'
import { followFiles, type GrowingFile } from './child/follow-output.ts'
import { type Out, type Outputs, planOutputs } from './child/outputs.ts'
import { type Child, startChild } from './child/piped-child.ts'
import type { Recorder } from './record-run.ts'
import type { RunEnd, RunOptions } from './run-options.ts'
import { defaultDwell, presets } from './step/presets.ts'
import { newRun, type RunEffect, type RunInput, type RunPart, stepRun } from './step/run-step.ts'
import type { RunVerdict } from './step/run-verdict.ts'
import { startStuckProgram } from './stuck-action.ts'
import type { Watch } from './watch-run.ts'

/** What a run has open, as far as it has come. */
type OpenRun = {
  readonly words: readonly string[]
  readonly options: Omit<RunOptions, 'record'>
  readonly opened: OpenedFiles
  readonly clock: Clock
  readonly begun: Instant
  readonly outputs: Outputs
  readonly changes: Subscribers<RunVerdict>
  readonly started: PromiseWithResolvers<{ readonly pid: number }>
  readonly ended: PromiseWithResolvers<RunEnd>
  /** Those of its outputs that are files. */
  files: readonly GrowingFile[]
  child?: Child
  recorder?: Recorder
  watch?: Watch | undefined
  terminal?: OwnTerminal | undefined
  /** Set once they are loaded. */
  watchRun?: typeof import('./watch-run.ts').watchRun
  followTerminal?: typeof import('../terminal/own-terminal.ts').followOwnTerminal
}

/** Descriptors that are open already. */
export type OpenedFiles = {
  /** Where it is recorded. */
  readonly record?: number | undefined
  /** What the command gets besides its three, under the same numbers. */
  readonly inherited?: readonly number[]
}

type Feed = (input: RunInput) => void

/** Begins at once. */
export function supervise(
  words: readonly string[],
  { record: _, ...options }: RunOptions,
  opened: OpenedFiles,
) {
  // Before it makes anything of its own.
  startedWith()
  const clock = realClock()
  const run: OpenRun = {
    words,
    options,
    opened,
    clock,
    begun: clock.now(),
    outputs: options.pty ? { 1: 'piped', 2: 'merged' } : planOutputs(),
    changes: createSubscribers(newest),
    started: Promise.withResolvers(),
    ended: Promise.withResolvers(),
    files: [],
  }
  // Whoever only iterates finds out there.
  for (const { promise } of [run.started, run.ended]) promise.catch(() => undefined)
  const { onStuck, actAt = 'confirmed', pty, onTerminal } = options
  const followsTerminal = pty === true && onTerminal !== undefined
  let state = newRun({ actAt, followsTerminal, ...(onStuck ? { onStuck } : {}) })
  const queue: RunInput[] = []
  let isBusy = false

  /** One after the other: what is done may come back at once. */
  function feed(happened: RunInput): void {
    queue.push(happened)
    if (isBusy) return
    isBusy = true
    try {
      for (let input = queue.shift(); input; input = queue.shift()) {
        const next = stepRun(state, input)
        state = next.state
        for (const effect of next.effects) carryOut(run, effect, feed)
      }
    } finally {
      isBusy = false
    }
  }

  feed({ type: 'begin' })
  return {
    started: run.started.promise,
    ended: run.ended.promise,
    changes: run.changes,
    look: () => (state.phase === 'ended' ? undefined : run.watch?.judge()),
    last: () => run.watch?.last(),
    kill: (signal: NodeJS.Signals): void => run.child?.kill(signal),
    leave: () => feed({ type: 'leave' }),
  }
}

function carryOut(run: OpenRun, effect: RunEffect, feed: Feed): void {
  const { options, child, words } = run
  switch (effect.do) {
    case 'start':
      void start(run, feed)
      return
    case 'timer':
      setTimeout(() => feed({ type: 'time' }), effect.after).unref()
      return
    case 'load':
      void load(run, effect.part).then(() => feed({ type: 'loaded', part: effect.part }))
      return
    case 'watch':
      watch(run, feed)
      return
    case 'follow_terminal':
      if (child && options.onTerminal)
        run.terminal = run.followTerminal?.(child.pid, run.clock, options.onTerminal)
      return
    case 'publish': {
      const { verdict, isNews } = effect
      if (child) run.recorder?.sample(child.pid, verdict, isNews)
      if (isNews) run.changes.emit(verdict)
      options.onSample?.(verdict, isNews)
      return
    }
    case 'judge_again':
      setImmediate(() => {
        const verdict = run.watch?.judge()
        feed({ type: 'judged_again', ...(verdict ? { verdict } : {}) })
      })
      return
    case 'start_program': {
      const onNotice = (sentence: string): void => options.onNotice?.(sentence)
      const { program, verdict } = effect
      if (child) startStuckProgram(program, { pid: child.pid, words, verdict, onNotice })
      return
    }
    case 'kill':
      child?.kill(effect.signal)
      return
    case 'notice':
      options.onNotice?.(effect.sentence)
      return
    case 'close':
      close(run, () => {
        fetchOutput(run)
        run.watch?.close()
        run.recorder?.end(effect.end)
        run.ended.resolve({ ...effect.end, isActedOn: effect.isActedOn, summary: summaryOf(run) })
      })
      return
    case 'reject':
      close(run, () => {
        run.started.reject(effect.error)
        run.ended.reject(effect.error)
      })
      return
  }
}

async function start(run: OpenRun, feed: Feed): Promise<void> {
  try {
    run.child = await startCommand(run, feed)
  } catch (error) {
    feed({ type: 'not_started', error })
    return
  }
  const { pid, ended } = run.child
  ownChildren.add(pid)
  run.started.resolve({ pid })
  feed({ type: 'started' })
  feed({ type: 'ended', end: await ended })
}

async function startCommand(run: OpenRun, feed: Feed): Promise<Child> {
  const { options, outputs, clock } = run
  const { record, inherited = [] } = run.opened
  const { cwd = process.cwd(), env = process.env, stdin = 'null' } = options
  const isWhole = record !== undefined
  run.files = followFiles(outputs, isWhole)
  if (record !== undefined) {
    const { createRecorder } = await import('./record-run.ts')
    run.recorder = createRecorder(record, {
      words: run.words,
      clock,
      begun: run.begun,
      onFailure: why => feed({ type: 'recording_failed', why }),
      onNotice: sentence => options.onNotice?.(sentence),
      ...(options.recordAs ? { cli: options.recordAs } : {}),
    })
  }
  if (options.adopts) adoptOrphans()
  const onOutput = (out: Out, piece: Buffer): void => passOutput(run, out, piece)
  const words = withOwnPid(run.words, env)
  if (!options.pty) return startChild({ words, cwd, env, stdin, inherited, outputs, onOutput, isWhole })
  const { startInTerminal } = await import('./child/pty-child.ts')
  return startInTerminal({
    words,
    cwd,
    env,
    inherited,
    takesKeys: takesKeys(options),
    onOutput: piece => onOutput(1, piece),
    onSize: size => run.recorder?.size(size),
    onKeys: piece => run.child && options.recordAs && run.recorder?.keys(run.child.pid, piece),
  })
}

/** Sockets of a socket activation are meant for one process, which their variable names (sd_listen_fds(3)): the command. */
const withOwnPid = (words: readonly string[], { LISTEN_PID }: NodeJS.ProcessEnv): readonly string[] =>
  LISTEN_PID === `${process.pid}` ? ['/bin/sh', '-c', 'LISTEN_PID=$$ exec "$@"', 'sh', ...words] : words

/** Somebody sits at lull's own terminal, and types for the command. */
const takesKeys = ({ pty, stdin }: RunOptions): boolean => pty === true && stdin !== 'open' && isatty(0)

async function load(run: OpenRun, part: RunPart): Promise<void> {
  if (part === 'watch') run.watchRun = (await import('./watch-run.ts')).watchRun
  else run.followTerminal = (await import('../terminal/own-terminal.ts')).followOwnTerminal
}

function watch(run: OpenRun, feed: Feed): void {
  const { child, options, outputs, clock, begun, files } = run
  const { stdin = 'null', preset = 'conservative', dwell = defaultDwell } = options
  if (!child) return
  run.watch = run.watchRun?.(child.pid, {
    clock,
    begun,
    preset: presets[preset],
    dwell,
    // Into a terminal of lull's own that nobody sits at, nobody types.
    stdin: takesKeys(options) ? 'keys' : options.pty ? 'open' : stdin,
    seesOutput: files.length > 0 || outputs[1] === 'piped' || outputs[2] === 'piped',
    ...(options.adopts ? { adopts: { isOwn: (pid: number) => ownChildren.has(pid) } } : {}),
    fetch: () => fetchOutput(run),
    onFault: ({ message }) => feed({ type: 'fault', message }),
    onVerdict: (verdict, isNews) => feed({ type: 'verdict', verdict, isNews }),
  })
  if (run.watch?.unsupported !== undefined) feed({ type: 'unsupported', why: run.watch.unsupported })
}

/** To all who read what it prints. */
function passOutput({ recorder, watch, terminal }: OpenRun, out: Out, piece: Buffer): void {
  recorder?.output(out, piece)
  watch?.receive(out, piece)
  terminal?.take(piece)
}

/** What is new in the files that it writes by itself. */
function fetchOutput(run: OpenRun): void {
  for (const file of run.files) file.read(piece => passOutput(run, file.out, piece))
}

function close(run: OpenRun, settle: () => void): void {
  try {
    settle()
  } catch (error) {
    run.ended.reject(error)
  } finally {
    if (run.child) ownChildren.delete(run.child.pid)
    run.terminal?.close()
    run.changes.close()
  }
}

function summaryOf({ clock, begun, watch }: OpenRun): RunEnd['summary'] {
  const now = clock.now()
  const parts = watch?.tally.summary(now) ?? { computing: 0, waiting: 0, quiet: 0, peakBytes: 0 }
  return { total: now - begun, ...parts }
}
