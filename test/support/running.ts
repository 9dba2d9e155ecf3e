/** Commands that run on: started, read while they run, ended with the test. Each test has places of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { endWithTest } from './end-with-test.ts'
import { bin, type Run, temporaryFolder } from './lull.ts'
import { until } from './until.ts'

/** Folders of lull's own that no other test knows. */
export function ownPlaces(): Record<string, string> {
  const home = temporaryFolder()
  return {
    HOME: home,
    LULL_RUNTIME_DIR: path.join(home, 'run'),
    XDG_STATE_HOME: path.join(home, 'state'),
    XDG_DATA_HOME: path.join(home, 'data'),
  }
}

export type Running = {
  readonly pid: number
  /** What it has printed so far. */
  stdout(): string
  stderr(): string
  /** Waits until a text stands on one of both. */
  says(text: string | RegExp): Promise<void>
  kill(signal: NodeJS.Signals): void
  readonly ended: Promise<Run>
  isRunning(): boolean
}

export function startLull(args: readonly string[], env: Readonly<Record<string, string>>): Running {
  const { TMUX: _, ...around } = process.env
  const child = spawn(process.execPath, [bin, ...args], {
    env: { ...around, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  endWithTest(child)
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text
    })
  }
  const ended = once(child, 'close').then(([code]) => ({ code: Number(code ?? -1), ...printed }))
  return {
    pid: child.pid as number,
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    async says(text) {
      const isSaid = () => {
        const all = printed.stdout + printed.stderr
        return typeof text === 'string' ? all.includes(text) : text.test(all)
      }
      await until(
        () => ({ isSaid: isSaid(), ...printed, ended: child.exitCode }),
        answer => answer.isSaid,
        `"${text}" from lull ${args.join(' ')}`,
      )
    },
    kill: signal => child.kill(signal),
    ended,
    isRunning: () => child.exitCode === null && child.signalCode === null,
  }
}
