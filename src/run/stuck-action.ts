/** What is done about a run that is stuck, where it was asked for. Told once for each time that it gets stuck. */
import { spawn } from 'node:child_process'
import { formatDuration } from '../core/text/duration.ts'
import type { RunVerdict } from './step/run-verdict.ts'

/** notify: a notice on the desktop. exec: a line for the shell. term: SIGTERM to the command's group. */
export type OnStuck =
  | { readonly type: 'notify' }
  | { readonly type: 'exec'; readonly command: string }
  | { readonly type: 'term' }

export type Deed = {
  readonly pid: number
  readonly words: readonly string[]
  readonly verdict: RunVerdict
  readonly kill: (signal: NodeJS.Signals) => void
  /** Children of lull's own, which are not the command's. */
  readonly own: Set<number>
  readonly say: (sentence: string) => void
}

export function act(on: OnStuck, deed: Deed): void {
  const { verdict, kill, say, words } = deed
  switch (on.type) {
    case 'notify': {
      const [program, args] = notifier(`${words.join(' ').slice(0, 80)} is stuck: ${verdict.reason}`)
      start(deed, program, args)
      return
    }
    case 'exec':
      say(`it is stuck, so this is run: ${on.command}`)
      start(deed, '/bin/sh', ['-c', on.command])
      return
    case 'term':
      say(`it is stuck (${verdict.reason}), so it is sent SIGTERM, as --on-stuck term asks`)
      kill('SIGTERM')
      // Stopped threads take a signal once they go on.
      kill('SIGCONT')
      return
  }
}

const notifier = (text: string): readonly [string, readonly string[]] =>
  process.platform === 'darwin'
    ? ['osascript', ['-e', `display notification ${JSON.stringify(text)} with title "lull"`]]
    : ['notify-send', ['--urgency=critical', '--app-name=lull', 'lull', text]]

/** It knows what it is about by its environment, and prints to stderr: stdout is the command's. */
function start({ pid, verdict, own, say }: Deed, program: string, args: readonly string[]): void {
  const { health, reason, recommendation, at, since, blockedSince = since } = verdict
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
  if (child.pid !== undefined) own.add(child.pid)
  child.unref()
  child.on('error', error => say(`${program} could not be run: ${error.message}`))
  child.on('exit', () => {
    if (child.pid !== undefined) own.delete(child.pid)
  })
}
