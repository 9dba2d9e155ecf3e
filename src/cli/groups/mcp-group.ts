/** `lull mcp …` and `lull skill …` as commands; what they do is loaded when they are called. */
import type { Command } from 'commander'
import { mcpNames, skillNames } from '../../index.ts'
import type { InstallFlags } from '../commands/mcp/install-for-agents.ts'

type Installed = 'mcp' | 'skill'

/** The agents of which lull knows where that goes. */
const agentsFor: Readonly<Record<Installed, readonly string[]>> = { mcp: mcpNames, skill: skillNames }

function addInstall(
  group: Command,
  kind: Installed,
  descriptions: readonly (readonly ['install' | 'uninstall', string])[],
): void {
  for (const [verb, description] of descriptions)
    group
      .command(verb)
      .description(description)
      .argument('<agent>', agentsFor[kind].join(', '))
      .option('--user', 'for all of your sessions (the default)')
      .option('--project', 'for sessions in this folder')
      .option('--dry-run', 'show what would change, as a diff, and change nothing')
      .option('--json', 'as one JSON object')
      .action(async (agent: string, flags: InstallFlags) =>
        (await import('../commands/mcp/install-for-agents.ts')).installForAgent(kind, verb, agent, flags),
      )
}

export function addMcpCommands(lull: Command, version: string): void {
  const mcp = lull
    .command('mcp')
    .description(
      'be an MCP server on standard input and output: terminals, sessions and waits as tools for agents',
    )
    .option('--allow-answer', 'let it answer the dialogs of agents')
    .option('--only <sessions...>', 'touch and show these alone')
    .action(async flags => (await import('../commands/mcp/mcp-command.ts')).mcpCommand(version, flags))
  addInstall(mcp, 'mcp', [
    ['install', 'make an agent’s CLI start it'],
    ['uninstall', 'take it out again'],
  ])
  const skill = lull.command('skill').description('tell agents how they use the lull command')
  addInstall(skill, 'skill', [
    ['install', 'put it where an agent reads its skills'],
    ['uninstall', 'take it away again'],
  ])
  skill
    .command('show')
    .description('print it')
    .action(async () => (await import('../commands/mcp/skill-command.ts')).skillShowCommand())
}
