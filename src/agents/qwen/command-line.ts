import type { CommandLine } from '../kit/command-line.ts'

export const commandLine: CommandLine = {
  argv0: ['qwen'],
  script: /@qwen-code\/qwen-code/,
  withoutSession: ['--version', '-v', '--help', '-h', 'mcp', 'extensions', 'auth', 'hooks'],
}
