import type { CommandLine } from '../kit/command-line.ts'

export const commandLine: CommandLine = {
  argv0: ['gemini'],
  script: /@google\/gemini-cli/,
  withoutSession: ['--version', '-v', '--help', '-h', 'mcp', 'extensions', 'skills', 'hooks'],
}
