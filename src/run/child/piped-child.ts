/**
 * The command as a process in a session and a group of its own, so that a signal reaches all that it started, and nothing
 * else. Its stdin is what was asked for, its output comes to where lull's goes.
 */
import type { ChildProcess, StdioOptions } from 'node:child_process'
import { newPipe } from '../../os/native/pipe.ts'
import { spawnError } from '../../os/spawn/command-errors.ts'
import { handingOver } from '../../os/spawn/inherited-files.ts'
import { type ProcessEnd, processEnd, signalGroup, spawnGroup } from '../../os/spawn/process-group.ts'
import type { Out, Outputs } from './outputs.ts'
import { closeEnd, type Pump, pumpPipe, pumpStream } from './pipe-pump.ts'

/** null: at its end at once. open: a pipe that nobody writes. inherit: lull's own. */
export type Stdin = 'null' | 'open' | 'inherit'

export type ChildOptions = {
  readonly words: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly stdin: Stdin
  /** Further descriptors of lull's own, which become the command's. */
  readonly inherited: readonly number[]
  readonly outputs: Outputs
  /** What it prints, as far as it is passed on: see `pumpPipe`. */
  readonly onOutput: (out: Out, piece: Buffer) => void
  readonly isWhole: boolean
}

export type Child = {
  readonly pid: number
  /** It has ended, and what it printed is where it belongs. */
  readonly ended: Promise<ProcessEnd>
  /** To the whole group. */
  kill(signal: NodeJS.Signals): void
}

/**
 * Starts it.
 * @throws {LullError} NOT_FOUND, NOT_EXECUTABLE where it can't be started
 */
export async function startChild(options: ChildOptions): Promise<Child> {
  const { words, cwd, env, inherited, onOutput, isWhole } = options
  const wired = wire(options)
  let child: ChildProcess
  try {
    child = handingOver(inherited, () => spawnGroup(words, { cwd, env, stdio: wired.stdio }))
    if (child.pid === undefined) throw await failureOf(child)
  } catch (error) {
    for (const fd of wired.ours) closeEnd(fd)
    throw spawnError(words[0] ?? '', error as NodeJS.ErrnoException)
  } finally {
    for (const fd of wired.theirs) closeEnd(fd)
  }
  const { pid = 0 } = child
  const pumps = ([1, 2] as const).flatMap((out): Pump[] => {
    const pumping = { onOutput: (piece: Buffer) => onOutput(out, piece), isWhole }
    const pipe = wired.pipes[out]
    const stream = out === 1 ? child.stdout : child.stderr
    if (pipe !== undefined) return [pumpPipe(pipe, out, pumping)]
    return stream ? [pumpStream(stream, out, pumping)] : []
  })
  const ended = endOf(child, pumps).finally(() => {
    if (wired.stdin !== undefined) closeEnd(wired.stdin)
  })
  return { pid, ended, kill: signal => signalGroup(pid, signal) }
}

const failureOf = (child: ChildProcess): Promise<NodeJS.ErrnoException> =>
  new Promise(resolve => child.once('error', resolve))

type Wired = {
  readonly stdio: StdioOptions
  /** The ends that lull reads. */
  readonly pipes: Partial<Record<Out, number>>
  /** The end that keeps its stdin open. */
  readonly stdin?: number
  readonly ours: readonly number[]
  readonly theirs: readonly number[]
}

function wire({ stdin, outputs }: Pick<ChildOptions, 'stdin' | 'outputs'>): Wired {
  const input = stdin === 'open' ? newPipe() : undefined
  const first = outputs[1] === 'piped' ? newPipe() : undefined
  const second = outputs[2] === 'piped' ? newPipe() : undefined
  const stdio: StdioOptions = [
    stdin === 'null' ? 'ignore' : stdin === 'inherit' ? 0 : (input?.read ?? 'pipe'),
    outputs[1] === 'inherited' ? 1 : (first?.write ?? 'pipe'),
    outputs[2] === 'inherited'
      ? 2
      : outputs[2] === 'merged'
        ? (first?.write ?? 'pipe')
        : (second?.write ?? 'pipe'),
  ]
  const known = (fds: readonly (number | undefined)[]) => fds.filter(fd => fd !== undefined)
  return {
    stdio,
    pipes: { ...(first ? { 1: first.read } : {}), ...(second ? { 2: second.read } : {}) },
    ...(input ? { stdin: input.write } : {}),
    ours: known([input?.write, first?.read, second?.read]),
    theirs: known([input?.read, first?.write, second?.write]),
  }
}

/** What it leaves behind in the background may hold its output open for ever: it is not waited for. */
async function endOf(child: ChildProcess, pumps: readonly Pump[]): Promise<ProcessEnd> {
  const end = await new Promise<ProcessEnd>(resolve =>
    child.once('exit', (code, signal) => resolve(processEnd(code, signal))),
  )
  for (const one of pumps) one.finish()
  await Promise.all(pumps.map(({ ended }) => ended))
  return end
}
