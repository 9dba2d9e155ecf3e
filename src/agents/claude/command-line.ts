import type { CommandLine } from '../kit/command-line.ts'

export const commandLine: CommandLine = {
  argv0: ['claude'],
  script: /@anthropic-ai\/claude-code/,
  withoutSession: [
    '--version',
    '-v',
    '--help',
    '-h',
    'agents',
    'auth',
    'config',
    'doctor',
    'install',
    'mcp',
    'plugin',
    'setup-token',
    'update',
    'upgrade',
  ],
}
