/** `lull tmux …` as commands; what they do is loaded when they are called. */
import type { Command } from 'commander'

const load = () => import('../commands/tmux/segment-command.ts')

export function addTmuxCommands(lull: Command): void {
  const tmux = lull
    .command('tmux')
    .description('print counts of your sessions for tmux’ status line')
    .option('--plain', 'without tmux colour codes')
    .option('--json', 'JSON output, one object')
    .action(async flags => (await load()).segmentCommand(flags))
  tmux
    .command('install')
    .description('add the counts to tmux’ status line (lines at the end of your tmux.conf)')
    .option('--bind <key>', 'key after tmux’ prefix that runs lull go')
    .option('--dry-run', 'a diff of the changes; nothing is written')
    .option('--json', 'JSON output, one object')
    .action(async (_, command) => (await load()).segmentInstallCommand('install', command.optsWithGlobals()))
  tmux
    .command('uninstall')
    .description('remove those lines')
    .option('--dry-run', 'a diff of the changes; nothing is written')
    .option('--json', 'JSON output, one object')
    .action(async (_, command) =>
      (await load()).segmentInstallCommand('uninstall', command.optsWithGlobals()),
    )
}
