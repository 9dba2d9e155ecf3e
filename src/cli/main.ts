/** The command line. Each command is loaded when it is called, so that `--help` is quick. */
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { oneLine } from '../core/explain.ts'
import { exitCode, sentenceFor, UsageError } from './exit.ts'

function program(): Command {
  const lull = new Command('lull')
    .description('Tells whether a coding agent is working, idle, waiting for a person or stuck, and why.')
    .version(readVersion())
    .exitOverride()
    .showHelpAfterError(false)
    .configureOutput({ outputError: () => undefined, writeErr: () => undefined })

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
    .action(async (files, flags) => (await import('./replay.ts')).replayCommand(files, flags))

  lull
    .command('explain')
    .description('the verdict at an instant of a recording, with its evidence')
    .argument('<file>', 'a trace (.cast, .cast.gz)')
    .option('--at <time>', 'the instant, as a duration from the start (12.5s); its end where not given')
    .option('--agent <name>', 'whose recording it is, where it does not say so itself')
    .option('--json', 'as one JSON object')
    .action(async (file, flags) => (await import('./explain.ts')).explainCommand(file, flags))

  lull
    .command('demo')
    .description(
      'play three recorded sessions side by side, and show the agents that run on this machine now',
    )
    .option('--speed <n>', 'times real time', '2')
    .option('--once', 'judge them at once and print the final table')
    .option('--json', 'print the final table as JSON')
    .action(async flags => (await import('./demo.ts')).demoCommand(flags))

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
  process.stdout.on('error', error => {
    if ('code' in error && error.code === 'EPIPE') process.exit(exitCode.reached)
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
    const sentence = error instanceof UsageError ? error.message : sentenceFor(error)
    if (sentence === undefined) throw error
    fail(sentence)
  }
}

function fail(sentence: string): void {
  process.stderr.write(`lull: ${oneLine(sentence, 1000)}\n`)
  process.exitCode = exitCode.usage
}
