import type { CommandLine } from '../kit/command-line.ts'

export const commandLine: CommandLine = {
  argv0: ['cline'],
  script: /(^|\/)node_modules\/cline\//,
  withoutSession: [
    '--version',
    '-V',
    '--help',
    '-h',
    'auth',
    'config',
    'history',
    'hook',
    'update',
    'version',
    '--cline-hub-daemon',
  ],
}
