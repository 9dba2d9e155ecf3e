/** `lull tmux …` as commands; what they do is loaded when they are called. */
import type { Command } from 'commander'

const load = () => import('../commands/tmux/segment-command.ts')

export function addTmuxCommands(lull: Command): void {
  const tmux = lull
    .command('tmux')
    .description('who waits, failed, is done or works, in a few words for tmux’ status line')
    .option('--plain', 'without tmux’ words for colours')
    .option('--json', 'the numbers as one JSON object')
    .action(async flags => (await load()).segmentCommand(flags))
  tmux
    .command('install')
    .description('have the host keep it in the status line: a few lines at the end of your tmux.conf')
    .option('--bind <key>', 'this key behind tmux’ prefix goes to who needs you (lull go)')
    .option('--dry-run', 'show what would change, as a diff, and change nothing')
    .option('--json', 'as one JSON object')
    .action(async (_, command) => (await load()).segmentInstallCommand('install', command.optsWithGlobals()))
  tmux
    .command('uninstall')
    .description('take those lines out again')
    .option('--dry-run', 'show what would change, as a diff, and change nothing')
    .option('--json', 'as one JSON object')
    .action(async (_, command) =>
      (await load()).segmentInstallCommand('uninstall', command.optsWithGlobals()),
    )
}
