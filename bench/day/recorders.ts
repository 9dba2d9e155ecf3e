/** Traces of the day, for who mends what was wrong in it: `lull record` beside each session of its terminals. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { SessionRow } from './watcher.ts'

const bin = path.resolve(import.meta.dirname, '../../bin/lull.js')

export type Recorders = {
  /** Records it from now on, once. */
  see(session: SessionRow): void
  close(): Promise<void>
}

/** @param folder where `AGENT-PANE-ID.cast` is written */
export function recorders(folder: string, env: NodeJS.ProcessEnv): Recorders {
  const running = new Map<string, ChildProcess>()
  return {
    see({ id, agent, tmux }) {
      if (running.has(id) || !tmux?.includes('lull-lab-')) return
      const file = path.join(folder, `${agent}-${path.basename(tmux)}-${id}.cast`)
      const child = spawn(process.execPath, [bin, 'record', id, '-o', file, '--force'], {
        env,
        stdio: 'ignore',
      })
      running.set(id, child)
    },
    async close() {
      for (const child of running.values()) {
        if (child.exitCode !== null || child.signalCode !== null) continue
        const ended = once(child, 'exit')
        child.kill('SIGINT')
        await ended
      }
    },
  }
}
