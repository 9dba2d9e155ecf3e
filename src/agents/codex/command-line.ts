import type { CommandLine } from '../kit/command-line.ts'

export const commandLine: CommandLine = {
  argv0: ['codex'],
  script: /@openai\/codex/,
  server: 'app-server',
  // `app-server` is a daemon that Codex leaves behind (docs/research/agents.md#other-agents-events).
  withoutSession: [
    '--version',
    '-V',
    '--help',
    '-h',
    'app-server',
    'apply',
    'cloud',
    'completion',
    'debug',
    'features',
    'help',
    'login',
    'logout',
    'mcp',
    'mcp-server',
    'sandbox',
    'update',
  ],
}
