/** An editor has its name too, and is given a file; another `amp` transfers logs. */
import type { CommandLine } from '../kit/command-line.ts'

export const commandLine: CommandLine = {
  argv0: ['amp'],
  script: /(^|\/)node_modules\/@(?:ampcode|sourcegraph)\//,
  firstWord: /^(?:-|(?:last|l|threads?|t)$)/,
  withoutSession: ['--version', '-V', '--help', '-h', '--no-tui'],
}
