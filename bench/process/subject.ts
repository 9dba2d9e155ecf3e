/** The command of a scenario as `lull run` would start it: a child with pipes or a terminal, in a group of its own. */
import { spawn } from 'node:child_process'
import { spawn as spawnPty } from '@lydell/node-pty'
import { treeOf } from './tree.ts'

export type Subject = {
  readonly pid: number
  /** When it last printed something, `performance.now()`, and how often it did so far. */
  printed(): { readonly at: number; readonly times: number }
  /** Ends all that is left of its tree, adopted descendants too. */
  end(): void
}

export type Way = { readonly pty: boolean; readonly drained: boolean; readonly cwd: string }

export function startSubject(words: readonly string[], { pty, drained, cwd }: Way): Subject {
  const [command = '', ...rest] = words
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: cwd,
    TERM: 'xterm',
    LANG: 'C',
    npm_config_update_notifier: 'false',
    npm_config_cache: `${cwd}/.npm`,
  }
  let at = 0
  let times = 0
  const hear = () => {
    at = performance.now()
    times++
  }
  const subject = (pid: number): Subject => ({
    pid,
    printed: () => ({ at, times }),
    end: () => {
      for (const one of new Set([...treeOf(pid), ...treeOf(process.pid).slice(1)])) kill(one)
    },
  })
  if (pty) {
    const child = spawnPty(command, rest, { cwd, env, cols: 100, rows: 30 })
    child.onData(hear)
    return subject(child.pid)
  }
  const child = spawn(command, rest, { cwd, env, stdio: 'pipe', detached: true })
  child.on('error', error => {
    throw error
  })
  if (drained) {
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
  }
  return subject(child.pid as number)
}

/** A process that somebody else has started. */
export const attachedSubject = (pid: number): Subject => ({
  pid,
  printed: () => ({ at: 0, times: 0 }),
  end: () => undefined,
})

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}
