import type { CommandLine } from '../kit/command-line.ts'

export const commandLine: CommandLine = {
  argv0: ['pi'],
  script: /@mariozechner\/pi-coding-agent/,
  withoutSession: ['--version', '-v', '--help', '-h', 'install', 'remove', 'list', 'update', 'config'],
}
