/** How a command ends that threw: a sentence on stderr and an exit code, where the input caused it. */
import { CommanderError } from 'commander'
import { usageOf } from '../core/error-sentence.ts'
import { exitCode } from '../core/exit-codes.ts'
import { isLullError } from '../core/lull-error.ts'
import { whyNot } from '../core/system-refusal.ts'
import { oneLine } from '../core/text/printable.ts'
import type { ExitCode } from '../core.ts'
import { commandWords } from './program.ts'
import { onNotice } from './ui/print.ts'

/** @throws whatever is a fault of ours */
export async function endBy(error: unknown): Promise<void> {
  if (error instanceof CommanderError) {
    const { code, message, exitCode: asked } = error
    if (asked === 0) return
    return fail(
      code === 'commander.help'
        ? bare()
        : `${message.replace(/^error: /, '')}${await hintFor(code, message)}`,
    )
  }
  const known = isLullError(error) ? error : usageOf(error)
  if (!isLullError(known)) throw error
  fail(known.message, known.exit)
}

/** A command, or one that has commands, alone; or help on one that is none. */
function bare(): string {
  const words = process.argv.slice(2)
  const asked = words.indexOf('help')
  const group = ['lull', ...(asked < 0 ? words.slice(0, 1) : words.slice(0, asked))].join(' ')
  const unknown = asked < 0 ? undefined : words[asked + 1]
  return `${unknown === undefined ? 'no command given:' : `unknown command '${unknown}':`} ${group} --help lists them`
}

/** What would be right, where the command line's own sentence does not say it. */
async function hintFor(code: string, message: string): Promise<string> {
  const [command = ''] = process.argv.slice(2)
  const isTyped = command === 'send' || command === 'keys'
  if (code === 'commander.unknownOption' && isTyped) return '; put text that begins with a dash after --'
  if (code === 'commander.unknownCommand' && !message.includes('Did you mean'))
    return `: ${message.includes(`'${command}'`) ? 'lull' : `lull ${command}`} --help lists them`
  if (code === 'commander.missingArgument')
    return `: ${['lull', ...(await commandWords(process.argv.slice(2)))].join(' ')} --help shows its options and arguments`
  return ''
}

/** Ends because an output cannot be written. */
export const endByFile = (file: string, error: unknown): void =>
  fail(`cannot write to ${file}: ${whyNot(error)}`, exitCode.failed)

function fail(sentence: string, code: ExitCode = exitCode.usage): void {
  // Stderr may be full as well. The exit code remains.
  process.stderr.on('error', () => undefined)
  onNotice(oneLine(sentence, 1000))
  process.exitCode = code
}
