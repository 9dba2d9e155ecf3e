/** A judge that is a command: the prompt on stdin, the answer on stdout. */
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { printable } from '../../core/text/printable.ts'
import { reasonOf } from '../../loop/ralph/prompt-commands.ts'
import { probeVariable } from '../../os/proc/command-line.ts'
import { keepEnd } from '../../os/spawn/bounded-text.ts'
import { captureGroup, type GroupEnd } from '../../os/spawn/captured-group.ts'
import type { CommandJudge } from './judge-config.ts'
import { type JudgeLimits, judgeCancelled, judgeFailed, judgeTimedOut, timerOf } from './judge-config.ts'
import { longestAnswer } from './judge-prompt.ts'

/** From SIGTERM to SIGKILL, as for the commands of a loop. */
const graceMs = 3000
/** Of stderr so much is kept, for the last line of it. */
const mostErrors = 1000

/**
 * Runs it in an empty folder, where it finds no project and no instructions of one.
 * @throws {LullError} JUDGE_FAILED, once nothing of it is left
 */
export async function askCommand(
  { command }: CommandJudge,
  prompt: string,
  limits: JudgeLimits,
): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lull-judge-')).catch(error => {
    throw judgeFailed(`the judge has no folder to run in: ${printable((error as Error).message)}`)
  })
  try {
    return await run(command, prompt, folder, limits)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 2 }).catch(() => undefined)
  }
}

/** The judge is no session: it has no terminal of ours, and its environment marks it for hooks and process scans. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const { TMUX: _, TMUX_PANE: __, LULL_TERMINAL: ___, ...env } = process.env
  return { ...env, [probeVariable]: '1' }
}

function run(
  words: readonly string[],
  prompt: string,
  folder: string,
  { timeout, signal }: JudgeLimits,
): Promise<string> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(judgeCancelled())
      return
    }
    let answer = ''
    const errors = keepEnd(mostErrors)
    /** The first reason to end it. */
    let failure: Error | undefined
    const timers: NodeJS.Timeout[] = []

    const group = captureGroup({
      words,
      cwd: folder,
      env: ownEnvironment(),
      stdin: prompt,
      stdout(text) {
        if (failure) return
        answer += text
        if (answer.length > longestAnswer)
          endBy(judgeFailed(`the judge printed more than ${longestAnswer} characters`))
      },
      stderr: errors.take,
      ended(end) {
        for (const timer of timers) clearTimeout(timer)
        signal?.removeEventListener('abort', cancel)
        const problem = failure ?? problemOf(end, errors.text())
        if (problem) reject(problem)
        else resolve(answer)
      },
    })

    function endBy(why: Error): void {
      if (failure) return
      failure = why
      group.end('soft')
      timers.push(setTimeout(() => group.end('hard'), graceMs))
    }
    const cancel = (): void => endBy(judgeCancelled())
    signal?.addEventListener('abort', cancel)
    timers.push(setTimeout(() => endBy(judgeTimedOut(timeout)), timerOf(timeout)))
  })
}

/** What it wrote before it failed is no answer. */
function problemOf({ code, signal, notStarted }: GroupEnd, errors: string): Error | undefined {
  if (notStarted) return judgeFailed(`the judge can’t be started: ${printable(reasonOf(notStarted))}`)
  if (code === 0) return undefined
  const last = errors.split('\n').findLast(line => line.trim() !== '')
  const because = last === undefined ? '' : `: ${printable(last).trim()}`
  return judgeFailed(`the judge ended by ${signal ?? `exit code ${code}`}${because}`)
}
