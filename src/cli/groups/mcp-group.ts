/** `lull mcp …` and `lull skill …` as commands; what they do is loaded when they are called. */
import type { Command } from 'commander'
import { mcpNames, skillNames } from '../../agents/agent-names.ts'
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
      .option('--user', 'your user settings, for all sessions (default)')
      .option('--project', 'the settings of this project only')
      .option('--dry-run', 'a diff of the changes; nothing is written')
      .option('--json', 'JSON output, one object')
      .action(async (agent: string, flags: InstallFlags) =>
        (await import('../commands/mcp/install-for-agents.ts')).installForAgent(kind, verb, agent, flags),
      )
}

export function addMcpCommands(lull: Command, version: string): void {
  const mcp = lull
    .command('mcp')
    .description('run an MCP server on stdin and stdout: terminals, sessions and waits as tools')
    .option('--allow-answer', 'permission to answer dialogs of agents')
    .option('--only <sessions...>', 'the only sessions that it may show and drive (default: all)')
    .action(async flags => (await import('../commands/mcp/mcp-command.ts')).mcpCommand(version, flags))
  addInstall(mcp, 'mcp', [
    ['install', 'add the MCP server to an agent’s settings'],
    ['uninstall', 'remove it from an agent’s settings'],
  ])
  const skill = lull.command('skill').description('install a skill that explains lull to agents')
  addInstall(skill, 'skill', [
    ['install', 'write the skill into an agent’s folder'],
    ['uninstall', 'remove the skill'],
  ])
  skill
    .command('show')
    .description('print the skill')
    .action(async () => (await import('../commands/mcp/skill-command.ts')).skillShowCommand())
}
