import type { CommandLine } from '../kit/command-line.ts'

export const commandLine: CommandLine = {
  argv0: ['droid'],
  script: /(^|\/)node_modules\/(?:droid|@factory\/cli)\//,
  withoutSession: [
    '--version',
    '-v',
    '--help',
    '-h',
    'computer',
    'daemon',
    'doctor',
    'find',
    'help',
    'mcp',
    'plugin',
    'search',
    'update',
  ],
}
