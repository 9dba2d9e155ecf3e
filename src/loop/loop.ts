/** Runs a RALPH.md: the agent again and again, and less often while there is nothing to do. */

import path from 'node:path'
import { checkValues, is } from '../core/check-values.ts'
import type { Clock } from '../core/clock.ts'
import { defined } from '../core/defined.ts'
import { LullError } from '../core/lull-error.ts'
import { openHandle } from '../core/open-handle.ts'
import { whyNot } from '../core/system-refusal.ts'
import { isRecord } from '../core/trace/trace.ts'
import { homeOf } from '../os/file/places.ts'
import { filesOfProgram, isProgram } from '../os/spawn/find-program.ts'
import { realClock } from '../track/clock.ts'
import { type AgentSession, type HeadlessCommand, headless, startAgent } from './loop-agent.ts'
import type { LoopEvent } from './loop-events.ts'
import { createChannel, type IterationLog, makeLogFolder, openLog } from './loop-output.ts'
import { type Controls, runLoop } from './loop-runner.ts'
import { assemble, type Values } from './ralph/prompt.ts'
import { type CommandContext, type Ender, runCommands } from './ralph/prompt-commands.ts'
import { isRalph, type Ralph, readBody, readRalph } from './ralph/ralph.ts'
import { findRalph } from './ralph/ralph-file.ts'
import { type IdleRule, idleDefaults, idleRuleOf } from './step/idle-backoff.ts'
import type { Plan, Stop } from './step/loop-state.ts'

/** Durations in ms. */
export type LoopOptions = {
  /** A file, a folder that has a RALPH.md, or the name of one in `.agents/ralphs`; or one that was read. */
  readonly ralph?: string | Ralph
  /** Values for the arguments that it declares. */
  readonly args?: ReadonlyMap<string, string>
  readonly maxIterations?: number
  /** Stop at the first iteration that fails, times out or is limited. */
  readonly stopOnError?: boolean
  /** Between iterations that are not idle. */
  readonly delay?: number
  /** After which an iteration's agent is ended. */
  readonly timeout?: number
  /**
   * As the file's `idle:` block, before which each of these counts; `true` for one without settings, `false` for none.
   * `backoff` is a factor.
   */
  readonly idle?: boolean | Partial<IdleRule>
  /** A folder for a log an iteration. */
  readonly logDir?: string
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  readonly clock?: Clock
  /** Called with each run of the agent, when it has started. */
  readonly onSession?: (session: AgentSession) => void
}

/**
 * The events, and what can be done to the loop. To leave the iteration early ends it, and so does the end of an
 * `await using`, which also waits until what ran has ended.
 */
export type LoopRun = AsyncIterableIterator<LoopEvent> &
  AsyncDisposable &
  Controls & { readonly outcome: Promise<Stop> }

/** Finds and reads a RALPH.md. @throws {LullError} BAD_RALPH with a sentence for people */
export function openRalph(target: string | undefined, cwd: string, env: NodeJS.ProcessEnv): Ralph {
  const file = findRalph(target, cwd, homeOf(env))
  const near = path.relative(cwd, file)
  return readRalph(file, near.startsWith('..') ? file : near)
}

/**
 * Begins a loop.
 *
 * ```ts
 * for await (const event of loop({ ralph: 'fix-tests', maxIterations: 10 })) console.log(event.type)
 * ```
 * @throws {LullError} BAD_RALPH where it can't begin, with a sentence for people
 */
export function loop(options: LoopOptions = {}): LoopRun {
  checkValues('loop', [options], { options: loopOptions })
  const { cwd = process.cwd(), env = process.env, clock = realClock(true), logDir } = options
  const given = options.ralph
  const ralph = typeof given === 'object' ? given : openRalph(given, cwd, env)
  const run = headless(ralph.agent)
  checkProgram(run.words[0] ?? '', cwd, env.PATH)
  checkNumbers(options)
  if (logDir !== undefined) makeLogFolder(path.resolve(cwd, logDir))

  const channel = createChannel(
    () => clock.wall(),
    () => controls.terminate(),
  )
  const warn = (message: string): void => channel.put({ type: 'LOG_MESSAGE', level: 'warning', message })
  const stop = Promise.withResolvers<Stop>()
  const prompts = promptsOf(ralph, options, { cwd, env }, warn)

  const controls = runLoop(planOf(ralph, run, options), {
    clock,
    prepare: prompts,
    startAgent(iteration, prompt, listener) {
      const log =
        logDir === undefined ? undefined : openLog(path.resolve(cwd, logDir), iteration, clock.wall(), warn)
      return startAgent({
        headless: run,
        cwd,
        env,
        prompt,
        id: `${ralph.name}-${iteration}`,
        iteration,
        clock,
        onOutput: text => log?.write(text),
        onLine: (stream, line) =>
          channel.put({ type: 'AGENT_OUTPUT_LINE', iteration, stream, line: line.slice(0, longestShown) }),
        onState: listener.onState,
        onSession: session => options.onSession?.(session),
        onEnd: closing(log, listener.onEnd),
      })
    },
    emit: event => channel.put(event),
    stopped(how) {
      channel.end()
      stop.resolve(how)
    },
  })
  const handle = openHandle('this loop was closed: begin another one')
  const whileOpen = (call: Exclude<keyof Controls, 'status'>) => (signal?: string) => {
    handle.enter(call, [signal], { signal: is.optional(is.text) })
    controls[call](signal)
  }
  return Object.assign(channel.events, {
    interrupt: whileOpen('interrupt'),
    terminate: whileOpen('terminate'),
    skip: whileOpen('skip'),
    pause: whileOpen('pause'),
    resume: whileOpen('resume'),
    status: controls.status,
    outcome: stop.promise,
    async [Symbol.asyncDispose]() {
      handle.close()
      await channel.events.return?.()
      await stop.promise
    },
  })
}

/** `checkNumbers` checks its numbers. */
const loopOptions = is.options<LoopOptions>({
  ralph: (value, where) => (typeof value === 'string' ? undefined : isRalph(value, where)),
  args: is.must('a Map', value => value instanceof Map),
  maxIterations: is.number,
  stopOnError: is.flag,
  delay: is.number,
  timeout: is.number,
  idle: is.must('true, false or an object', value => typeof value === 'boolean' || isRecord(value)),
  logDir: is.text,
  cwd: is.text,
  env: is.record,
  clock: is.record,
  onSession: is.callback,
})

/**
 * Before the loop begins, not at its first iteration.
 * @throws {LullError} BAD_RALPH where there is no such program
 */
function checkProgram(name: string, cwd: string, searched: string | undefined): void {
  if (filesOfProgram(name, cwd, searched).some(isProgram)) return
  throw new LullError(
    'BAD_RALPH',
    name.includes('/')
      ? `the agent ${name} is not a program that can be run: check its path and its rights`
      : `the agent ${name} is not on PATH: install it, or name another one in RALPH.md`,
  )
}

/** A line of output in an event is cut here; a log has it whole. */
const longestShown = 10_000

function closing<T>(log: IterationLog | undefined, onEnd: (result: T) => void): (result: T) => void {
  return result => {
    log?.close()
    onEnd(result)
  }
}

function planOf(ralph: Ralph, run: HeadlessCommand, options: LoopOptions): Plan {
  const { maxIterations, timeout, delay = 0, stopOnError = false } = options
  const { idle, raised } = idleOf(ralph, options)
  return defined({
    ralph: ralph.name,
    agent: run.words,
    commandCount: ralph.commands.length,
    warnings: [...ralph.warnings, ...raised],
    stopOnError,
    delay,
    maxIterations,
    timeout,
    idle,
  })
}

/** Overrides the file. */
function idleOf({ idle: written }: Ralph, { idle = written !== undefined }: LoopOptions) {
  if (idle === false) return { idle: undefined, raised: [] }
  return idleRuleOf(idle === true ? {} : idle, written)
}

function checkNumbers({ maxIterations, delay = 0, timeout, idle }: LoopOptions): void {
  if (typeof idle === 'object') checkIdle(idle)
  if (maxIterations !== undefined && !(Number.isInteger(maxIterations) && maxIterations > 0))
    throw new LullError('BAD_RALPH', `the number of iterations must be 1 or more, not ${maxIterations}`)
  if (!(delay >= 0 && delay < Infinity))
    throw new LullError('BAD_RALPH', `the delay must be 0 or more, not ${delay}`)
  if (timeout !== undefined && !(timeout > 0 && timeout < Infinity))
    throw new LullError('BAD_RALPH', `the timeout must be above 0, not ${timeout}`)
}

function checkIdle(idle: Partial<IdleRule>): void {
  for (const [name, value] of Object.entries({ ...idleDefaults, ...defined(idle) })) {
    const least = name === 'backoff' ? 1 : Number.MIN_VALUE
    if (!(value >= least && value < Infinity))
      throw new LullError(
        'BAD_RALPH',
        `idle.${name} must be ${name === 'backoff' ? '1 or more' : 'above 0'}, not ${value}`,
      )
  }
  for (const name of ['maxDelay', 'max'] as const)
    if (idle.delay !== undefined && (idle[name] ?? Infinity) < idle.delay)
      throw new LullError(
        'BAD_RALPH',
        `idle.${name} must not be less than idle.delay: ${idle[name]} ms, ${idle.delay} ms`,
      )
}

/** Runs the commands, reads the body as it is now, and puts the prompt together. */
function promptsOf(
  ralph: Ralph,
  options: LoopOptions,
  context: CommandContext,
  warn: (message: string) => void,
) {
  const args = options.args ?? new Map<string, string>()
  let body = ralph.body
  return (iteration: number, done: Parameters<Parameters<typeof runLoop>[1]['prepare']>[1]): Ender =>
    runCommands(ralph, args, context, ({ outputs, results }) => {
      body = bodyNow(ralph.file, warn) ?? body
      const names = new Map([
        ['name', ralph.name],
        ['iteration', String(iteration)],
        ...(options.maxIterations === undefined
          ? []
          : [['max_iterations', String(options.maxIterations)] as const]),
      ])
      const values: Values = { commands: outputs, args, ralph: names }
      done(assemble(body, values, ralph.credit), results)
    })
}

/** A checkout or an editor may have taken the file away for a moment: then the prompt is the last one. */
function bodyNow(file: string, warn: (message: string) => void): string | undefined {
  try {
    const body = readBody(file)
    if (body === undefined) warn(`${file} holds no prompt now: the last one is used`)
    return body
  } catch (error) {
    warn(`${file} can't be read now (${whyNot(error)}): the last prompt is used`)
    return undefined
  }
}
