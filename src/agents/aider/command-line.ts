import type { CommandLine } from '../kit/command-line.ts'

export const commandLine: CommandLine = {
  argv0: ['aider'],
  script: /(?:^|\/)aider$/,
  withoutSession: ['--version', '--help', '-h', '--list-models', '--models'],
}
