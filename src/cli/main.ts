/** The command line. Each command is loaded when it is called, so that `--help` is quick. */

import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { type ExitCode, exitCode } from '../core/exit-codes.ts'
import { oneLine } from '../core/explain/explain.ts'
import { isLullError } from '../core/lull-error.ts'
import { sentenceFor } from './error-sentence.ts'
import { addHookCommands } from './groups/hooks-group.ts'
import { addRunCommands } from './groups/run-group.ts'
import { addLiveCommands } from './groups/session-group.ts'
import { addTerminalCommands } from './groups/terminal-group.ts'

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

  lull
    .command('replay')
    .description('judge a recorded session and print each change')
    .argument('[files...]', 'traces (.cast, .cast.gz)')
    .option('--json', 'one JSON object a line')
    .option('--speed <n>', 'play at N times real time instead of as fast as possible')
    .option('--until <time>', 'stop there: a duration from the start (12.5s), or ISO time for a transcript')
    .option('--agent <name>', 'whose recording it is, where it does not say so itself')
    .option('--transcript <file>', 'judge a bare transcript (needs --agent)')
    .option('--hooks <file>', 'its hooks: rows {t, event, payload?}')
    .option('--growth <file>', 'how much of it was on disk when: rows {t, session, bytes}')
    .action(async (files, flags) =>
      (await import('./commands/replay-command.ts')).replayCommand(files, flags),
    )

  lull
    .command('explain')
    .description('the verdict on a session now, or at an instant of a recording, with its evidence')
    .argument('<session>', 'a session (see `lull ps`), pid:N of any process, or a trace (.cast, .cast.gz)')
    .option('--at <time>', 'the instant, as a duration from the start (12.5s); its end where not given')
    .option('--agent <name>', 'whose recording it is, where it does not say so itself')
    .option('--json', 'as one JSON object')
    .action(async (target, flags) =>
      (await import('./commands/explain-command.ts')).explainCommand(target, flags),
    )

  lull
    .command('demo')
    .description(
      'play three recorded sessions side by side, show the agents that run now, and judge eight real commands',
    )
    .option('--processes', 'the eight commands alone; with --once it exits 0 if all verdicts are right')
    .option('--speed <n>', 'times real time', '2')
    .option('--once', 'judge them at once and print the final table')
    .option('--json', 'print the final table as JSON')
    .action(async flags => (await import('./demo/demo.ts')).demoCommand(flags))

  lull
    .command('doctor')
    .description('what this machine allows, and what is lost where it does not')
    .option('--json', 'as one JSON object')
    .action(async flags => (await import('./commands/doctor-command.ts')).doctorCommand(flags))

  lull
    .command('record')
    .usage('[options] <session>\n       lull record [options] --agent <name> -- CMD…')
    .description('record a live session as a trace, or a CLI that is run for it')
    .argument('[session...]', 'a session (see `lull ps`); with --agent a command')
    .option('-o, --output <file>', 'where to (FILE.cast); with --agent NAME.cast where not given')
    .option(
      '--agent <name>',
      'run the command in a terminal and record it under this name, known to lull or not',
    )
    .option('--watch <path...>', 'with --agent: record lines and small JSON files that change there, too')
    .option('--no-redact', 'keep keys, tokens and passwords that are recognised')
    .option('--force', 'write over a file that exists')
    .action(async (words, flags) =>
      flags.agent === undefined
        ? (await import('./commands/record-command.ts')).recordCommand(words, flags)
        : (await import('./commands/record-cli-command.ts')).recordCliCommand(words, flags),
    )

  const host = lull.command('host').description('the process in the background that hears hooks')
  host
    .command('start')
    .description('start it, where none runs')
    .option('--port <n>', 'take hooks on this loopback port as well, with a token')
    .option('--answer-7501', 'read agents in tmux, and tell Claude Code there that its status is wanted')
    .option('--json', 'as one JSON object')
    .action(async flags => (await import('./commands/host-command.ts')).hostStartCommand(flags))
  host
    .command('stop')
    .description('stop it')
    .option('--json', 'as one JSON object')
    .action(async flags => (await import('./commands/host-command.ts')).hostStopCommand(flags))
  host
    .command('status')
    .description('what it has heard; exits 1 where none runs')
    .option('--json', 'as one JSON object')
    .action(async flags => (await import('./commands/host-command.ts')).hostStatusCommand(flags))
  host
    .command('run', { hidden: true })
    .description('be the host, in the foreground')
    .option('--port <n>')
    .option('--answer-7501')
    .action(async flags => (await import('./commands/host-command.ts')).hostRunCommand(readVersion(), flags))

  const loop = lull
    .command('loop')
    .description('run an agent on a RALPH.md again and again, less often while there is nothing to do')
    .argument('[ralph]', 'the file, its folder, or its name in .agents/ralphs; ./RALPH.md where not given')
    .argument('[args...]', 'values for the arguments that it declares: --x v, --x=v, or in their order')
    .allowUnknownOption()
    .option('-n, --max-iterations <n>', 'stop after so many')
    .option('-s, --stop-on-error', 'stop at the first iteration that fails or takes too long')
    .option('-d, --delay <time>', 'wait between iterations (30s)')
    .option('-l, --log-dir <folder>', 'write what the agent prints there, a file an iteration')
    .option('-t, --timeout <time>', 'end an iteration after so long (1h30m)')
    .option('--json', 'the events, one JSON object a line')
    .action(async (_ralph, _args, flags, command: Command) => {
      const raw = process.argv
      const plain = raw.includes('--') ? raw.length - raw.indexOf('--') - 1 : 0
      await (await import('./commands/loop-command.ts')).loopCommand(command.args, plain, flags)
    })
  loop
    .command('init')
    .description('write a commented RALPH.md')
    .argument('[folder]', 'where; the working folder where not given')
    .action(async folder => (await import('./commands/loop-command.ts')).loopInitCommand(folder))

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
