/** The command line. Whatever a command needs is loaded once it is known which: a version is told without any of it. */
import { readFileSync } from 'node:fs'

/** Runs a command line and sets the exit code. Errors that the input caused are one sentence on stderr. */
export async function main(argv: readonly string[]): Promise<void> {
  const [, , first = '', second = ''] = argv
  // Its words are the command's, and Node would make a stdout non-blocking that others write to as well.
  const isRun = first === 'run' && second !== '--help' && second !== '-h'
  if (!isRun) {
    process.stdout.on('error', error => {
      if ('code' in error && error.code === 'EPIPE') process.exit()
      throw error
    })
  }
  try {
    if (isRun) await (await import('./commands/run-command.ts')).runCommand(argv.slice(3))
    else if (argv.length === 3 && first === '--version') process.stdout.write(`${readVersion()}\n`)
    else await (await import('./program.ts')).program(readVersion()).parseAsync([...argv])
  } catch (error) {
    const { endBy } = await import('./end-by-error.ts')
    endBy(error)
  }
}

function readVersion(): string {
  const file = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return file.version
}
