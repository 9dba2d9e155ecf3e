import type { CommandLine } from '../kit/command-line.ts'

export const commandLine: CommandLine = {
  argv0: ['opencode'],
  script: /opencode-ai/,
  withoutSession: [
    '--version',
    '-v',
    '--help',
    '-h',
    'auth',
    'models',
    'mcp',
    'serve',
    'upgrade',
    'uninstall',
    'export',
    'import',
    'stats',
  ],
}
