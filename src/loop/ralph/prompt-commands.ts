/** Runs the commands of a RALPH.md, one after the other; their output goes into the prompt, whatever their exit code. */

import { isLullError } from '../../core/lull-error.ts'
import { keepEnds } from '../../os/spawn/bounded-text.ts'
import { type CapturedGroup, captureGroup, type GroupEnd } from '../../os/spawn/captured-group.ts'
import { splitWords } from '../../os/spawn/shell-words.ts'
import type { CommandResult } from '../loop-events.ts'
import { fillCommand } from './prompt.ts'
import type { Ralph, RalphCommand } from './ralph.ts'

/** Of a command's output so much is put into the prompt: more than any model takes in. */
const mostOutput = 1_000_000
/** ralphify's: from SIGTERM to SIGKILL. */
const graceMs = 3000

export type CommandRun = {
  readonly results: readonly CommandResult[]
  readonly outputs: ReadonlyMap<string, string>
}

export type Ender = { end(how: 'soft' | 'hard'): void }

/** Where commands run, but those that begin with `./`; and their environment. */
export type CommandContext = { readonly cwd: string; readonly env: NodeJS.ProcessEnv }

/** Runs them all. Those that would come after an end are not run. */
export function runCommands(
  { commands, folder }: Pick<Ralph, 'commands' | 'folder'>,
  args: ReadonlyMap<string, string>,
  context: CommandContext,
  done: (run: CommandRun) => void,
): Ender {
  const results: CommandResult[] = []
  const outputs = new Map<string, string>()
  let current: Ender | undefined
  let isEnded = false

  function next(): void {
    const command = commands[results.length]
    if (!command || isEnded) {
      done({ results, outputs })
      return
    }
    current = runCommand(command, args, { ...context, folder }, (result, output) => {
      results.push(result)
      outputs.set(command.name, output)
      next()
    })
  }
  next()
  return {
    end(how) {
      isEnded = true
      current?.end(how)
    },
  }
}

function runCommand(
  { name, run, timeout }: RalphCommand,
  args: ReadonlyMap<string, string>,
  { folder, cwd, env }: CommandContext & { readonly folder: string },
  done: (result: CommandResult, output: string) => void,
): Ender {
  const line = fillCommand(run, args)
  const stdout = keepEnds(mostOutput)
  const stderr = keepEnds(mostOutput)
  let isTimedOut = false
  const timers: NodeJS.Timeout[] = []
  const words = wordsOf(line)

  const group: CapturedGroup = captureGroup({
    words,
    cwd: line.startsWith('./') ? folder : cwd,
    env,
    stdout: stdout.take,
    stderr: stderr.take,
    ended(end) {
      for (const timer of timers) clearTimeout(timer)
      done(...resultOf(name, words, end, isTimedOut, stdout.text() + stderr.text()))
    },
  })
  const limit = setTimeout(
    () => {
      isTimedOut = true
      group.end('soft')
      timers.push(setTimeout(() => group.end('hard'), graceMs))
    },
    Math.min(timeout, longestTimer),
  )
  timers.push(limit)
  return group
}

/** Node's timers overflow past 2^31 ms and then fire at once. */
const longestTimer = 2_000_000_000

/** An argument is one quoted word, but a command may have quoted its placeholder once more. */
function wordsOf(line: string): readonly string[] {
  try {
    return splitWords(line)
  } catch (error) {
    if (isLullError(error, 'BAD_WORDS')) return [line]
    throw error
  }
}

function resultOf(
  name: string,
  [program = '']: readonly string[],
  { code, notStarted }: GroupEnd,
  isTimedOut: boolean,
  output: string,
): [CommandResult, string] {
  if (notStarted) return [{ name, problem: 'not_found' }, `${program}: ${reasonOf(notStarted)}\n`]
  if (isTimedOut) return [{ name, problem: 'timed_out' }, output]
  return [code === undefined ? { name, problem: 'killed' } : { name, code }, output]
}

export const reasonOf = ({ code, message }: { readonly code: string; readonly message: string }): string =>
  code === 'ENOENT' ? 'no such command' : code === 'EACCES' ? 'may not be run' : message
