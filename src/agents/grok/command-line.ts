/** `grok -f FILE` is another program, which finds patterns in logs. */
import type { CommandLine } from '../kit/command-line.ts'

export const commandLine: CommandLine = {
  argv0: ['grok'],
  script: /@xai-official\/grok\//,
  withoutSession: [
    '-f',
    '--version',
    '-V',
    '--help',
    '-h',
    'agent',
    'completions',
    'help',
    'leader',
    'login',
    'logout',
    'mcp',
    'models',
    'plugin',
    'sessions',
    'setup',
    'update',
    'version',
  ],
}
