/** The command line. Each command is loaded when it is called, so that `--help` is quick. */

import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { type ExitCode, exitCode, isLullError, oneLine, sentenceFor } from '../core.ts'
import { addHookCommands } from './groups/hooks-group.ts'
import { addHostCommands } from './groups/host-group.ts'
import { addLoopCommands } from './groups/loop-group.ts'
import { addMachineCommands } from './groups/machine-group.ts'
import { addRunCommands } from './groups/run-group.ts'
import { addLiveCommands } from './groups/session-group.ts'
import { addTerminalCommands } from './groups/terminal-group.ts'
import { addJudgeCommands, addRecordCommand } from './groups/trace-group.ts'

function program(): Command {
  const lull = new Command('lull')
    .description('Tells whether a coding agent is working, idle, waiting for a person or stuck, and why.')
    .version(readVersion())
    .exitOverride()
    .showHelpAfterError(false)
    .configureOutput({ outputError: () => undefined, writeErr: () => undefined })

  addLiveCommands(lull)
  addHookCommands(lull)
  addRunCommands(lull)
  addTerminalCommands(lull)
  addJudgeCommands(lull)
  addMachineCommands(lull)
  addRecordCommand(lull)
  addHostCommands(lull, readVersion())
  addLoopCommands(lull)
  return lull
}

function readVersion(): string {
  const file = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return file.version
}

/** Runs a command line and sets the exit code. Errors that the input caused are one sentence on stderr. */
export async function main(argv: readonly string[]): Promise<void> {
  // Its words are the command's, and Node would make a stdout non-blocking that others write to as well.
  if (argv[2] === 'run' && argv[3] !== '--help' && argv[3] !== '-h') return runAlone(argv.slice(3))
  process.stdout.on('error', error => {
    if ('code' in error && error.code === 'EPIPE') process.exit(process.exitCode ?? exitCode.reached)
    throw error
  })
  try {
    await program().parseAsync([...argv])
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return
      const sentence =
        error.code === 'commander.help'
          ? 'which command? lull --help lists them'
          : error.message.replace(/^error: /, '')
      fail(sentence)
      return
    }
    failBy(error)
  }
}

async function runAlone(words: readonly string[]): Promise<void> {
  try {
    await (await import('./commands/run-command.ts')).runCommand(words)
  } catch (error) {
    failBy(error)
  }
}

function failBy(error: unknown): void {
  const sentence = sentenceFor(error)
  if (sentence === undefined) throw error
  fail(sentence, isLullError(error) ? error.exit : exitCode.usage)
}

function fail(sentence: string, code: ExitCode = exitCode.usage): void {
  process.stderr.write(`lull: ${oneLine(sentence, 1000)}\n`)
  process.exitCode = code
}
