/** How a command ends that threw: a sentence on stderr and an exit code, where the input caused it. */
import { CommanderError } from 'commander'
import { type ExitCode, exitCode, isLullError, oneLine, sentenceFor } from '../core.ts'

/** @throws whatever is a fault of ours */
export function endBy(error: unknown): void {
  if (error instanceof CommanderError) {
    const { code, message, exitCode: asked } = error
    const isBare = code === 'commander.help'
    if (asked !== 0) fail(isBare ? 'which command? lull --help lists them' : message.replace(/^error: /, ''))
    return
  }
  const sentence = sentenceFor(error)
  if (sentence === undefined) throw error
  fail(sentence, isLullError(error) ? error.exit : undefined)
}

function fail(sentence: string, code: ExitCode = exitCode.usage): void {
  process.stderr.write(`lull: ${oneLine(sentence, 1000)}\n`)
  process.exitCode = code
}
