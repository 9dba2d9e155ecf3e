import type { CommandLine } from '../kit/command-line.ts'

export const commandLine: CommandLine = {
  /** Since it has started, whatever its command line was. */
  argv0: ['kimi', 'kimi-code'],
  script: /@moonshot-ai\/kimi-code\//,
  withoutSession: [
    '--version',
    '-V',
    '--help',
    '-h',
    'acp',
    'doctor',
    'export',
    'fork',
    'install-desktop',
    'login',
    'migrate',
    'provider',
    'rc',
    'remote',
    'server',
    'session',
    'update',
    'upgrade',
    'vis',
    'web',
  ],
}
