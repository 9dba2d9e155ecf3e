/** The command line. It loads only the modules of the command that is called, and none for `--version`. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { exhaustionIn } from '../core/system-refusal.ts'

/** Runs a command line and sets the exit code. Errors that the input caused are one sentence on stderr. */
export async function main(argv: readonly string[]): Promise<void> {
  const words = argv.length > 2 ? argv : [...argv, isAtTerminal() ? 'watch' : 'ps']
  const [, , first = '', second = ''] = words
  // Its words are the command's, and Node would make a stdout non-blocking that others write to as well.
  const isRun = first === 'run' && second !== '--help' && second !== '-h'
  if (!isRun) {
    process.stdout.on('error', endByOutput)
    // Notices may be lost. The result and the exit code are not.
    process.stderr.on('error', () => undefined)
  }
  // Without a handler a size limit (ulimit -f) kills. With it the write fails, and is reported.
  process.on('SIGXFSZ', () => undefined)
  try {
    if (isRun) await (await import('./commands/run-command.ts')).runCommand(words.slice(3))
    else if (words.length === 3 && first === '--version') process.stdout.write(`${readVersion()}\n`)
    else {
      const { program } = await import('./program.ts')
      await (await program(readVersion(), first)).parseAsync([...words])
    }
  } catch (error) {
    if (isOwnFile(error)) return endBriefly(error)
    const ending = await import('./end-by-error.ts').catch(() => undefined)
    if (ending) await ending.endBy(error)
    else endBriefly(error)
  }
}

/** `lull` alone is `watch` at a terminal, and `ps` in a pipe. */
const isAtTerminal = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true

const ownFolder = fileURLToPath(new URL('../..', import.meta.url))
/** No more files of lull's own can be opened: no sentence names those. */
const isOwnFile = (error: unknown): boolean =>
  exhaustionIn(error) !== undefined && (error as Error).message.includes(ownFolder)

/** Where so many files are open that no more code can be loaded. */
function endBriefly(error: unknown): void {
  process.stderr.write(`lull: ${exhaustionIn(error) ?? (error as Error).message}\n`)
  process.exitCode = 1
}

/** Ends quietly where the reader of the output has gone, else with the reason. */
async function endByOutput(error: NodeJS.ErrnoException): Promise<void> {
  if (error.code === 'EPIPE') process.exit()
  const { endByFile } = await import('./end-by-error.ts')
  endByFile('stdout', error)
  process.exit()
}

function readVersion(): string {
  const file = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return file.version
}
