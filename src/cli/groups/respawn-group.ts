/** `lull respawn …` and `lull accept …` as commands; what they do is loaded when they are called. */
import type { Command } from 'commander'

const load = () => import('../commands/respawn/respawn-command.ts')
const loadOthers = () => import('../commands/respawn/respawn-others.ts')

export function addRespawnCommands(lull: Command): void {
  const respawn = lull
    .command('respawn')
    .description('keep an interactive agent going: type the next step of a plan when it is idle')
    .argument('<session>', 'an agent in tmux or in one of lull’s own terminals')
    .option('--plan <file>', 'file with the steps and the end conditions (docs/respawn.md)')
    .option('--prompt <text>', 'a one-step plan, instead of --plan')
    .option('--for <time>', 'total time after which it stops, like 8h')
    .option('--times <n>', 'number of cycles after which it stops')
    .option('--settled <time>', 'how long a reported end of a turn must hold (default 3s)')
    .option('--dry-run', 'print what one cycle would type; type nothing')
    .option('--json', 'events as JSON, one object a line')
    .action(async (session, flags) => (await load()).respawnCommand(session, flags))
  respawn
    .command('ps')
    .description('list running respawns')
    .option('--json', 'JSON output, one object a line')
    .action(async (_, command: Command) => (await loadOthers()).respawnPsCommand(command.optsWithGlobals()))
  respawn
    .command('status')
    .description('show what a respawn does and what it sees')
    .argument('<session>')
    .option('--json', 'JSON output, one object')
    .action(async (session, _, command: Command) =>
      (await loadOthers()).respawnStatusCommand(session, command.optsWithGlobals()),
    )
  for (const [name, description] of [
    ['pause', 'pause typing until resume'],
    ['resume', 'continue after pause'],
    ['skip', 'skip the next step'],
    ['stop', 'stop the respawn; the agent keeps running'],
  ] as const)
    respawn
      .command(name)
      .description(description)
      .argument('<session>')
      .action(async session => (await loadOthers()).respawnControlCommand(session, name))
  respawn
    .command('log')
    .description('show what respawns did, the evidence for it, and a summary')
    .argument('[session]', 'only this session (default: all)')
    .option('--since <time>', 'how far back (default 24h)')
    .option('--json', 'entries as JSON, one object a line')
    .action(async (session, _, command: Command) =>
      (await loadOthers()).respawnLogCommand(session, command.optsWithGlobals()),
    )
  const accept = lull.command('accept').description('try rules that answer dialogs without you')
  accept
    .command('test')
    .description('show how the rules of a plan would answer the dialogs of recordings')
    .argument('<plan>', 'plan with the rules')
    .argument('<recording...>', 'traces, written by lull record')
    .option('--json', 'JSON output, one object a line')
    .action(async (plan, recordings, flags) =>
      (await import('../commands/respawn/accept-test-command.ts')).acceptTestCommand(plan, recordings, flags),
    )
}
