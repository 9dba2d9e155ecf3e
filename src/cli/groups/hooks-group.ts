/** `lull hooks …` as commands; what they do is loaded when they are called. */

import type { Command } from 'commander'
import { hookedNames } from '../../index.ts'

export function addHookCommands(lull: Command): void {
  const hooks = lull.command('hooks').description('have agents report to lull what they do')
  const about = (verb: string, whose: string, description: string): Command =>
    hooks
      .command(verb)
      .description(description)
      .argument('[agent]', `${hookedNames.join(', ')}; without one all that are ${whose}`)
      .option('--user', 'for all of your sessions (the default)')
      .option('--project', 'for sessions in this folder')
      .option('--dry-run', 'show what would change, as a diff, and change nothing')
      .option('--cli <path>', 'the installed CLI, where it is not on the PATH')
      .option('--json', 'as one JSON object')

  about('install', 'found', 'add hooks for the events that the installed CLI knows').action(
    async (agent, flags) =>
      (await import('../commands/hooks/hooks-install-command.ts')).hooksCommand('install', agent, flags),
  )
  about('uninstall', 'installed', 'take them out again').action(async (agent, flags) =>
    (await import('../commands/hooks/hooks-install-command.ts')).hooksCommand('uninstall', agent, flags),
  )
  hooks
    .command('doctor')
    .description(
      'prove that hooks arrive, and tell which sessions send none; exits 1 where something is wrong',
    )
    .argument('[agent]', 'only of this one')
    .option('--cli <path>', 'the installed CLI, where it is not on the PATH')
    .option('--json', 'as one JSON object')
    .action(async (agent, flags) =>
      (await import('../commands/hooks/hooks-doctor-command.ts')).doctorCommand(agent, flags),
    )
}
