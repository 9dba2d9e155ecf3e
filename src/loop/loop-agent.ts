/**
 * One run of the agent: the prompt in on stdin, its output passed on line by line and its rows filed as a session, and at the
 * end its last message.
 */
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { type AgentName, agentNames } from '../agents/agent-names.ts'
import { agents } from '../agents/registry.ts'
import { startedSession } from '../core/advance.ts'
import type { Clock, Timer } from '../core/clock.ts'
import { defined } from '../core/defined.ts'
import type { Facts, News, Signal } from '../core/evidence/signal.ts'
import type { Session } from '../core/session.ts'
import { type State, sameState } from '../core/state.ts'
import { tailOf } from '../core/text/code-fence.ts'
import { keepEnd, lineSplitter } from '../os/spawn/bounded-text.ts'
import { type CapturedGroup, captureGroup, type GroupEnd } from '../os/spawn/captured-group.ts'
import { readReport, writeReport } from '../process/health-report.ts'
import { lookHalted } from '../process/linux/look-halted.ts'
import { type Halted, stepHalted } from '../sessions/agents/halted-step.ts'
import { endOfTurn } from '../sessions/turn-end.ts'
import { createTrack, type Track } from '../track/track.ts'
import { newRows, type RowsStep, readAnswer, readRowLine } from './headless-rows.ts'
import { resetIn } from './limit-reset.ts'
import { searchMarker } from './marker/marker.ts'
import { reasonOf } from './ralph/prompt-commands.ts'
import type { AgentResult } from './step/loop-state.ts'
import { zoneAt } from './time-zone.ts'

export type HeadlessCommand = {
  /** The command line that is run. */
  readonly words: readonly string[]
  /** The CLI that is asked for rows. What is printed shows whose rows they are (headless-rows.ts). */
  readonly rows?: AgentName
}

/** What is asked of the command line: rows, where the CLI is asked for them by its bare name. */
export function headless(words: readonly string[]): HeadlessCommand {
  const name = agentOf(words)
  if (name === undefined) return { words }
  const { process: program, headless: options } = agents[name]
  if (!options) return { words }
  const [advised = ''] = options.rows
  const { asksUnless: format } = options
  const isBare = program.argv0.includes(path.basename(words[0] ?? ''))
  const isAsked = format !== undefined && isBare && !words.some(word => word.split('=')[0] === format)
  const run = isAsked ? [...words, ...advised.split(' ')] : [...words]
  if (options.rows.some(option => hasOption(run, option)))
    return { words: [...run, ...missing(options.needs, advised, run)], rows: name }
  return { words: run }
}

const missing = (needed: string | undefined, advised: string, words: readonly string[]): string[] =>
  needed !== undefined && hasOption(words, advised) && !words.includes(needed) ? [needed] : []

function hasOption(words: readonly string[], option: string): boolean {
  const [name = '', value] = option.split(' ')
  if (value === undefined) return words.includes(name)
  return words.some((word, i) => (word === name && words[i + 1] === value) || word === `${name}=${value}`)
}

/** Programs that run another one, and the words before it. */
const runsAnother =
  /^(env|nice|ionice|nohup|stdbuf|timeout|time|sudo|npx|bunx|node|bun|exec|-.*|[A-Za-z_]\w*=.*|\d+(\.\d+)?[smhd]?)$/

/** The CLI of a command line, behind `env`, `timeout`, `npx` and the like. */
function agentOf(words: readonly string[]): AgentName | undefined {
  const first = words.find(word => !runsAnother.test(path.basename(word)))
  if (first === undefined) return undefined
  return agentNames.find(name => {
    const { argv0, script } = agents[name].process
    return argv0.includes(path.basename(first)) || script?.test(first) === true
  })
}

/** A run of the agent as a session: `track` holds it under `id` until the run is over. */
export type AgentSession = {
  readonly id: string
  readonly iteration: number
  readonly agent?: AgentName
  readonly pid: number
  readonly cwd: string
  readonly track: Track
}

export type LoopAgentOptions = {
  readonly headless: HeadlessCommand
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly prompt: string
  readonly id: string
  readonly iteration: number
  readonly clock: Clock
  /** All that it prints, as it comes. */
  readonly onOutput: (text: string) => void
  readonly onLine: (stream: 'stdout' | 'stderr', line: string) => void
  readonly onState: (state: State, facts: Facts) => void
  readonly onSession: (session: AgentSession) => void
  readonly onEnd: (result: AgentResult) => void
}

/** Of an output that is no JSON so much is searched for a marker, from its end. */
const mostSearched = 64 * 1024
/** An output of one JSON text is read up to this length. */
const mostOutput = 1_000_000
/** As much as rows keep of a final message. */
const mostResult = 4000

export function startAgent(options: LoopAgentOptions): CapturedGroup {
  const { headless, cwd, prompt, id, iteration, clock, onOutput, onEnd } = options
  const track = createTrack(clock)
  const rows = rowReader(headless.rows, id, track, options)
  const output = keepEnd(mostOutput)
  const errors = keepEnd(mostResult)
  const stdout = lineSplitter(line => {
    rows.read(line)
    options.onLine('stdout', line)
  })
  const stderr = lineSplitter(line => options.onLine('stderr', line))
  let stopLooking = () => {}
  track.begin(id, startedSession(clock.now()))
  if (headless.rows === undefined) track.file(id, [running(clock.now())])

  const group = captureGroup({
    words: headless.words,
    cwd,
    env: { ...options.env, LULL_LOOP: id },
    stdin: prompt,
    stdout(text) {
      onOutput(text)
      output.take(text)
      stdout.take(text)
    },
    stderr(text) {
      onOutput(text)
      errors.take(text)
      stderr.take(text)
    },
    ended(end) {
      stopLooking()
      stdout.end()
      stderr.end()
      const isRead = rows.end(output.text())
      const session = track.get(id)
      const last = isRead && session ? ofRows(session, clock) : ofOutput(output.text())
      track.file(id, [exitOf(end, clock.now())])
      track.close()
      onEnd(resultOf(end, last, errors.text(), prompt))
    },
  })
  if (group.pid !== undefined) {
    const { pid } = group
    const name = headless.rows ?? path.basename(headless.words[0] ?? '')
    stopLooking = watchHalted({ name, pid }, clock, signals => track.file(id, signals))
    options.onSession(defined({ id, iteration, pid, cwd, track, agent: headless.rows }))
  }
  return group
}

/** Files rows as signals, and reports when they change what the agent does. */
function rowReader(asked: AgentName | undefined, id: string, track: Track, options: LoopAgentOptions) {
  const { clock, onState } = options
  let rows = newRows(asked, clock.wall() - clock.now())
  let last: { readonly state: State; readonly tool: string | undefined } | undefined
  function file({ rows: next, signals }: RowsStep): void {
    rows = next
    if (signals.length === 0) return
    const { state } = track.file(id, signals)
    const facts = track.get(id)?.facts ?? {}
    const tool = state.kind === 'working' && state.doing === 'tool' ? facts.tool : undefined
    if (last && sameState(last.state, state) && last.tool === tool) return
    last = { state, tool }
    onState(state, tool === undefined ? withoutTool(facts) : facts)
  }
  return {
    read: (line: string): void => file(readRowLine(rows, line, clock.now())),
    /** False where nothing was a row: the program prints its final message as text. */
    end(output: string): boolean {
      if (!rows.hasRead) file(readAnswer(rows, output, clock.now()))
      return rows.hasRead
    },
  }
}

const withoutTool = ({ tool: _, ...facts }: Facts): Facts => facts

type LastTurn = Pick<AgentResult, 'turn' | 'error' | 'limitUntil'> & { readonly text?: string }

/** The last turn by its rows. Its message counts only once the turn is over. */
function ofRows(session: Session, clock: Clock): LastTurn {
  const { facts, verdict } = session
  const turn = endOfTurn(session)
  const wall = clock.wall()
  const reset = turn === 'limit' ? resetIn(facts.error ?? '', wall, zoneAt(wall)) : undefined
  const until = reset === undefined ? verdict.limit?.until : clock.now() + reset
  return defined({
    turn,
    error: turn === 'turn' ? undefined : facts.error,
    limitUntil: until,
    text: turn === 'turn' ? facts.finalMessage : undefined,
  })
}

const ofOutput = (output: string): LastTurn => ({
  text: stripVTControlCharacters(tailOf(output, mostSearched)),
})

/** A program without a state in its output works for as long as it runs. */
const running = (at: number): News => ({
  type: 'news',
  source: 'process',
  what: 'it runs',
  lane: 'main',
  state: { kind: 'working', doing: 'command' },
  starts: true,
  at,
  seen: at,
})

const exitOf = ({ code, signal }: GroupEnd, at: number) => ({
  type: 'exit' as const,
  source: 'process' as const,
  what: 'the process is gone',
  ...defined({ code, signal }),
  at,
})

function resultOf(
  { code, signal, notStarted }: GroupEnd,
  { text, ...turn }: LastTurn,
  errors: string,
  prompt: string,
): AgentResult {
  return defined({
    error: code === 0 ? undefined : lastLine(errors),
    ...turn,
    code,
    signal,
    notStarted: notStarted && reasonOf(notStarted),
    resultText: text === undefined ? undefined : tailOf(text, mostResult),
    ...(text === undefined ? {} : searchMarker(text, prompt)),
  })
}

function lastLine(text: string): string | undefined {
  return stripVTControlCharacters(text)
    .split(/[\r\n]+/)
    .findLast(line => line.trim() !== '')
    ?.trim()
}

/** As agents that lull did not start are looked at (sessions/agents). */
const everyMs = 1600

/** @returns stops it */
function watchHalted(
  who: { readonly name: string; readonly pid: number },
  clock: Clock,
  file: (signals: readonly Signal[]) => void,
): () => void {
  let halted: Halted | undefined
  let timer: Timer
  function look(): void {
    timer = clock.at(clock.now() + everyMs, look)
    const now = clock.now()
    const seen = lookHalted(who.pid)
    if (!seen) return
    const step = stepHalted(halted, seen, who, now)
    halted = step.halted
    const signals = step.report && readReport(writeReport(step.report), now, false)
    if (Array.isArray(signals)) file(signals)
  }
  look()
  return () => timer.cancel()
}
