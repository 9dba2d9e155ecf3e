import type { CommandLine } from '../kit/command-line.ts'

export const commandLine: CommandLine = {
  argv0: ['droid'],
  script: /(^|\/)node_modules\/(?:droid|@factory\/cli)\//,
  /** What is drawn is a process of its own, which runs this one. */
  never: ['stream-jsonrpc'],
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
