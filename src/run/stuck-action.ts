/** What is done about a run that is stuck, where it was asked for, and the programs that are started for it. */
import { spawn } from 'node:child_process'
import { formatDuration } from '../core/text/duration.ts'
import { ownChildren } from '../os/spawn/process-group.ts'
import type { RunVerdict } from './step/run-verdict.ts'

/** notify: a notice on the desktop. exec: a line for the shell. term: SIGTERM to the command's group. */
export type OnStuck =
  | { readonly type: 'notify' }
  | { readonly type: 'exec'; readonly command: string }
  | { readonly type: 'term' }

/** An action for which a program is started. */
export type StuckProgram = Exclude<OnStuck, { readonly type: 'term' }>

export type StuckRun = {
  readonly pid: number
  readonly words: readonly string[]
  readonly verdict: RunVerdict
  readonly onNotice: (sentence: string) => void
}

/** It gets the verdict in its environment. It prints to stderr: stdout is the command's. */
export function startStuckProgram(action: StuckProgram, run: StuckRun): void {
  const { pid, verdict, onNotice } = run
  const { health, reason, recommendation, at, since, blockedSince = since } = verdict
  const [program, args] = programOf(action, run)
  const child = spawn(program, args, {
    stdio: ['ignore', 2, 2],
    env: {
      ...process.env,
      LULL_PID: `${pid}`,
      LULL_HEALTH: health.level,
      LULL_CAUSE: health.cause ?? '',
      LULL_CERTAINTY: health.certainty,
      LULL_REASON: reason,
      LULL_ADVICE: recommendation ?? '',
      LULL_FOR: formatDuration(at - blockedSince),
    },
  })
  if (child.pid !== undefined) ownChildren.add(child.pid)
  child.unref()
  child.on('error', error => onNotice(`${program} could not be run: ${error.message}`))
  child.on('exit', () => {
    if (child.pid !== undefined) ownChildren.delete(child.pid)
  })
}

function programOf(action: StuckProgram, { words, verdict }: StuckRun): [string, readonly string[]] {
  if (action.type === 'exec') return ['/bin/sh', ['-c', action.command]]
  const text = `${words.join(' ').slice(0, 80)} is stuck: ${verdict.reason}`
  return process.platform === 'darwin'
    ? ['osascript', ['-e', `display notification ${JSON.stringify(text)} with title "lull"`]]
    : ['notify-send', ['--urgency=critical', '--app-name=lull', 'lull', text]]
}
