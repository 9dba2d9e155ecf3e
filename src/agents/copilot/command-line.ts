import type { CommandLine } from '../kit/command-line.ts'

export const commandLine: CommandLine = {
  argv0: ['copilot'],
  script: /@github\/copilot/,
  withoutSession: ['--version', '-v', '--help', '-h', 'help', 'login', 'update', 'version', 'plugin'],
}
