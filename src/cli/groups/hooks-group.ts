/** `lull hooks …` as commands; what they do is loaded when they are called. */

import type { Command } from 'commander'
import { hookedNames } from '../../agents/agent-names.ts'

export function addHookCommands(lull: Command): void {
  const hooks = lull.command('hooks').description('install hooks, through which agents report to lull')
  const about = (verb: string, whose: string, description: string): Command =>
    hooks
      .command(verb)
      .description(description)
      .argument('[agent]', `${hookedNames.join(', ')} (default: all ${whose} agents)`)
      .option('--user', 'your user settings, for all sessions (default)')
      .option('--project', 'the settings of this project only')
      .option('--dry-run', 'a diff of the changes; nothing is written')
      .option('--cli <path>', 'path of the installed CLI (default: found on the PATH)')
      .option('--json', 'JSON output, one object')

  about('install', 'found', 'add hooks for the events that the installed CLI knows').action(
    async (agent, flags) =>
      (await import('../commands/hooks/hooks-install-command.ts')).hooksCommand('install', agent, flags),
  )
  about('uninstall', 'installed', 'remove the hooks that lull installed').action(async (agent, flags) =>
    (await import('../commands/hooks/hooks-install-command.ts')).hooksCommand('uninstall', agent, flags),
  )
  hooks
    .command('doctor')
    .description('test whether hooks arrive and show why a session sends none; exit 1 on a problem')
    .argument('[agent]', 'only this agent (default: all)')
    .option('--cli <path>', 'path of the installed CLI (default: found on the PATH)')
    .option('--json', 'JSON output, one object')
    .action(async (agent, flags) =>
      (await import('../commands/hooks/hooks-doctor-command.ts')).doctorCommand(agent, flags),
    )
}
