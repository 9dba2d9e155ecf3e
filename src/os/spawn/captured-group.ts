/** A process in a group of its own, so that it ends with all that it started, and Ctrl+C reaches lull alone. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { attempt } from '../attempt.ts'
import { hasEnded, readStat } from '../proc/stat.ts'
import { type Sink, textSink } from './bounded-text.ts'

export type GroupEnd = {
  readonly code?: number
  readonly signal?: string
  /** Why it could not be started. */
  readonly notStarted?: { readonly code: string; readonly message: string }
}

export type GroupOptions = {
  readonly words: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Nothing where not given. */
  readonly stdin?: string
  readonly stdout: (text: string) => void
  readonly stderr: (text: string) => void
  /** All that it wrote has been told before. */
  readonly ended: (end: GroupEnd) => void
}

export type Group = {
  readonly pid?: number
  /** SIGTERM to the group, or SIGKILL; `ended` is told once none of it is left, after a hard end in any case. */
  end(how: 'soft' | 'hard'): void
}

/** Output that comes after the exit is read for so long: a server that the agent left behind keeps the pipe open. */
const drainMs = 500
const lookMs = 50

export function spawnGroup(options: GroupOptions): Group {
  try {
    return followed(start(options), options)
  } catch (error) {
    // Words that no program can be started with: a NUL among them.
    const { message } = error as Error
    setImmediate(() => options.ended({ notStarted: { code: '', message } }))
    return { end: () => undefined }
  }
}

function start({ words, cwd, env, stdin }: GroupOptions): ChildProcess {
  const [file = '', ...args] = words
  return spawn(file, args, {
    cwd,
    detached: true,
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    env,
  })
}

function followed(child: ChildProcess, options: GroupOptions): Group {
  // An agent need not read its prompt to the end.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(options.stdin)
  const sinks = [listen(child.stdout, options.stdout), listen(child.stderr, options.stderr)]
  let asked: 'soft' | 'hard' | undefined
  let isOver = false

  const finish = (end: GroupEnd): void => {
    if (isOver) return
    isOver = true
    if (child.pid !== undefined) groups.delete(child.pid)
    for (const sink of sinks) sink.end()
    options.ended(end)
  }
  const { pid } = child
  if (pid !== undefined) hold(pid)
  child.on('error', error => {
    if (pid !== undefined) return
    const code = 'code' in error ? String(error.code) : ''
    finish({ notStarted: { code, message: error.message } })
  })
  child.on('exit', (code, signal) => {
    const end = { ...(code === null ? {} : { code }), ...(signal === null ? {} : { signal }) }
    whenDrained(child, () => whenGone(end))
  })

  /** After an end that was asked for, what the agent had started is waited for as well. */
  function whenGone(end: GroupEnd): void {
    if (asked === undefined || pid === undefined || !isAlive(pid)) finish(end)
    else setTimeout(() => (asked === 'hard' ? finish(end) : whenGone(end)), lookMs)
  }

  return {
    ...(pid === undefined ? {} : { pid }),
    end(how) {
      asked = how
      if (pid !== undefined && !isOver) signalGroup(pid, how === 'soft' ? 'SIGTERM' : 'SIGKILL')
    },
  }
}

function listen(stream: Readable | null, told: (text: string) => void): Sink {
  let isOver = false
  const sink = textSink(text => {
    if (text !== '' && !isOver) told(text)
  })
  stream?.on('data', (chunk: Buffer) => sink.write(chunk))
  stream?.on('error', () => undefined)
  return {
    ...sink,
    end() {
      sink.end()
      isOver = true
    },
  }
}

/** Both pipes are at their end, or there was time enough: then they are read on, so that the writer may live. */
function whenDrained(child: ChildProcess, drained: () => void): void {
  let isDrained = false
  const once = (): void => {
    if (isDrained) return
    isDrained = true
    clearTimeout(timer)
    drained()
  }
  const timer = setTimeout(() => {
    // A busy program's timers come before what it has yet to read.
    setImmediate(() => {
      for (const stream of [child.stdout, child.stderr]) if (stream && 'unref' in stream) unref(stream)
      once()
    })
  }, drainMs)
  child.on('close', once)
}

function unref(stream: Readable & { unref?: unknown }): void {
  if (typeof stream.unref === 'function') stream.unref()
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  attempt(() => process.kill(-pid, signal))
}

/** Some of the group runs. One that is dead and that nobody reaps still counts for `kill`: /proc tells it apart. */
function isAlive(group: number): boolean {
  if (attempt(() => process.kill(-group, 0)) !== true) return false
  const pids = attempt(() => readdirSync('/proc').filter(name => /^\d+$/.test(name))) ?? []
  if (pids.length === 0) return true
  return pids.some(pid => {
    const stat = readStat(Number(pid))
    return stat?.group === group && !hasEnded(stat)
  })
}

/** Groups that run: what ends this program ends them. */
const groups = new Set<number>()
let isWatching = false

function hold(pid: number): void {
  groups.add(pid)
  if (isWatching) return
  isWatching = true
  process.on('exit', () => {
    for (const group of groups) signalGroup(group, 'SIGTERM')
  })
}
