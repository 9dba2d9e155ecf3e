/** `lull notify …` as commands; what they do is loaded when they are called. */
import type { Command } from 'commander'

const load = () => import('../commands/notify/notify-command.ts')

export function addNotifyCommands(lull: Command): void {
  const notify = lull
    .command('notify')
    .description('have the host tell you when a session needs you (~/.config/lull/notify.yaml)')
  notify
    .command('init')
    .description('write a commented notify.yaml; one that is there is left as it is')
    .action(async () => (await load()).notifyInitCommand())
  notify
    .command('check')
    .description('whether its rules are right, what is missing, and what they make of the sessions now')
    .option('--json', 'as one JSON object')
    .action(async flags => (await load()).notifyCheckCommand(flags))
  notify
    .command('test')
    .description('send a sample now, and say what came of it; exits 1 where one did not arrive')
    .argument('[destination...]', 'names of destinations; all where not given')
    .option('--json', 'one JSON object a line')
    .action(async (names, flags) => (await load()).notifyTestCommand(names, flags))
  notify
    .command('log')
    .description('what was told, what failed, and what was withdrawn')
    .option('--since <time>', 'of so long ago: 12h (24h)')
    .option('--json', 'one JSON object a line')
    .action(async flags => (await load()).notifyLogCommand(flags))
}
