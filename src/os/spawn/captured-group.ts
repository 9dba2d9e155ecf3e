/** A process group with its output read as text; it ends when this program ends. */
import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { type Sink, textSink } from './bounded-text.ts'
import { isGroupAlive, type ProcessEnd, processEnd, signalGroup, spawnGroup } from './process-group.ts'

export type GroupEnd = ProcessEnd & {
  /** Why it could not be started. */
  readonly notStarted?: { readonly code: string; readonly message: string }
}

export type CaptureOptions = {
  readonly words: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Nothing where not given. */
  readonly stdin?: string
  readonly stdout: (text: string) => void
  readonly stderr: (text: string) => void
  /** Called once, after all that it wrote. */
  readonly ended: (end: GroupEnd) => void
}

export type CapturedGroup = {
  readonly pid?: number
  /** SIGTERM to the group, or SIGKILL; `ended` is called once none of it is left, after a hard end in any case. */
  end(how: 'soft' | 'hard'): void
}

/** Output that comes after the exit is read for so long: a server that the agent left behind keeps the pipe open. */
const drainMs = 500
const pollMs = 50

export function captureGroup(options: CaptureOptions): CapturedGroup {
  const { words, cwd, env, stdin } = options
  try {
    const input = stdin === undefined ? 'ignore' : 'pipe'
    return captured(spawnGroup(words, { cwd, env, stdio: [input, 'pipe', 'pipe'] }), options)
  } catch (error) {
    // Words that no program can be started with: a NUL among them.
    const { message } = error as Error
    setImmediate(() => options.ended({ notStarted: { code: '', message } }))
    return { end: () => undefined }
  }
}

function captured(child: ChildProcess, options: CaptureOptions): CapturedGroup {
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
  child.on('exit', (code, signal) => whenDrained(child, () => whenGone(processEnd(code, signal))))

  /** After an end that was asked for, what the agent had started is waited for as well. */
  function whenGone(end: GroupEnd): void {
    if (asked === undefined || pid === undefined || !isGroupAlive(pid)) finish(end)
    else setTimeout(() => (asked === 'hard' ? finish(end) : whenGone(end)), pollMs)
  }

  return {
    ...(pid === undefined ? {} : { pid }),
    end(how) {
      asked = how
      if (pid !== undefined && !isOver) signalGroup(pid, how === 'soft' ? 'SIGTERM' : 'SIGKILL')
    },
  }
}

function listen(stream: Readable | null, onText: (text: string) => void): Sink {
  let isOver = false
  const sink = textSink(text => {
    if (text !== '' && !isOver) onText(text)
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
