/** `lull notify …` as commands; what they do is loaded when they are called. */
import type { Command } from 'commander'

const load = () => import('../commands/notify/notify-command.ts')

export function addNotifyCommands(lull: Command): void {
  const notify = lull
    .command('notify')
    .description('send notifications when a session needs you (~/.config/lull/notify.yaml)')
  notify
    .command('init')
    .description('write a commented notify.yaml, unless there is one')
    .action(async () => (await load()).notifyInitCommand())
  notify
    .command('check')
    .description('check the rules, the programs they need, and what they match now')
    .option('--json', 'JSON output, one object')
    .action(async flags => (await load()).notifyCheckCommand(flags))
  notify
    .command('test')
    .description('send a sample notification; exit 1 if one does not arrive')
    .argument('[destination...]', 'names of destinations (default: all)')
    .option('--json', 'JSON output, one object a line')
    .action(async (names, flags) => (await load()).notifyTestCommand(names, flags))
  notify
    .command('log')
    .description('show notifications that were sent, failed or withdrawn')
    .option('--since <time>', 'how far back (default 24h)')
    .option('--json', 'JSON output, one object a line')
    .action(async flags => (await load()).notifyLogCommand(flags))
}
