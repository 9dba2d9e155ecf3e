/** `kiro` is the editor of the same maker. */
import type { CommandLine } from '../kit/command-line.ts'

export const commandLine: CommandLine = {
  argv0: ['kiro-cli', 'kiro-cli-chat'],
  firstWord: /^(?:-|chat$)/,
  withoutSession: ['--version', '-V', '--help', '-h', '--help-all'],
}
