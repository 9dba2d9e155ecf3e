/** `lull respawn …` and `lull accept …` as commands; what they do is loaded when they are called. */
import type { Command } from 'commander'

const load = () => import('../commands/respawn/respawn-command.ts')
const loadOthers = () => import('../commands/respawn/respawn-others.ts')

export function addRespawnCommands(lull: Command): void {
  const respawn = lull
    .command('respawn')
    .description('keep an interactive agent going: the next step of a plan whenever it is truly idle')
    .argument('<session>', 'an agent in tmux, or in a terminal of lull’s own')
    .option('--plan <file>', 'its steps, and when it ends (docs/respawn.md)')
    .option('--prompt <text>', 'a plan of this one step, instead of --plan')
    .option('--for <time>', 'stop after so long: 8h')
    .option('--times <n>', 'stop after so many cycles of the plan')
    .option('--settled <time>', 'how long an end that was reported must hold (3s)')
    .option('--dry-run', 'only tell what would be typed, in one cycle')
    .option('--json', 'the events, one JSON object a line')
    .action(async (session, flags) => (await load()).respawnCommand(session, flags))
  respawn
    .command('ps')
    .description('the respawns that run')
    .option('--json', 'one JSON object a line')
    .action(async (_, command: Command) => (await loadOthers()).respawnPsCommand(command.optsWithGlobals()))
  respawn
    .command('status')
    .description('what a respawn does, and what it saw')
    .argument('<session>')
    .option('--json', 'as one JSON object')
    .action(async (session, _, command: Command) =>
      (await loadOthers()).respawnStatusCommand(session, command.optsWithGlobals()),
    )
  for (const [name, description] of [
    ['pause', 'nothing more is typed, until resume'],
    ['resume', 'go on'],
    ['skip', 'pass over the step that would be typed next'],
    ['stop', 'end it'],
  ] as const)
    respawn
      .command(name)
      .description(description)
      .argument('<session>')
      .action(async session => (await loadOthers()).respawnControlCommand(session, name))
  respawn
    .command('log')
    .description('what was done, and on which evidence; with a summary')
    .argument('[session]', 'of all where not given')
    .option('--since <time>', 'of so long ago: 12h (24h)')
    .option('--json', 'the entries, one JSON object a line')
    .action(async (session, _, command: Command) =>
      (await loadOthers()).respawnLogCommand(session, command.optsWithGlobals()),
    )
  const accept = lull.command('accept').description('rules by which dialogs are answered without a person')
  accept
    .command('test')
    .description('what the rules of a plan would do on the dialogs of recordings; nothing is answered')
    .argument('<plan>', 'the file with the rules')
    .argument('<recording...>', 'as lull record writes them')
    .option('--json', 'one JSON object a line')
    .action(async (plan, recordings, flags) =>
      (await import('../commands/respawn/accept-test-command.ts')).acceptTestCommand(plan, recordings, flags),
    )
}
