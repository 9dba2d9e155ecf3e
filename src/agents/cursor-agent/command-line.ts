import type { CommandLine } from '../kit/command-line.ts'

export const commandLine: CommandLine = {
  argv0: ['cursor-agent'],
  script: /\/cursor-agent\/versions\/[^/]+\/index\.js$/,
  nodeAs: ['cursor-agent', 'agent'],
  withoutSession: [
    '--version',
    '-v',
    '--help',
    '-h',
    'about',
    'help',
    'login',
    'logout',
    'ls',
    'mcp',
    'models',
    'status',
    'update',
    'whoami',
  ],
}
