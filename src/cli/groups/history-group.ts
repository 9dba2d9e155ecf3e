/** The commands about what was: they read the store that a host keeps. */
import type { Command } from 'commander'

export function addHistoryCommands(lull: Command): void {
  lull
    .command('history')
    .description('show past states of sessions and what lull did, also for sessions that are gone')
    .argument('[session]', 'an id or its beginning, a name, tmux:%3, pid:123 or a folder (default: all)')
    .option('--since <when>', 'start: 22:00, 8h ago, 2026-11-24 (default 24h)')
    .option('--until <when>', 'end, written like --since (default now)')
    .option('--json', 'entries as JSON, one object a line')
    .action(async (session, flags) =>
      (await import('../commands/history/history-command.ts')).historyCommand(session, flags),
    )
  lull
    .command('since')
    .description('show what happened while you were away, most urgent first')
    .argument('[when]', 'start: 22:00, 8h ago or 2026-11-24', '12h')
    .option('--json', 'JSON output, one object a line')
    .action(async (time, flags) =>
      (await import('../commands/history/since-command.ts')).sinceCommand(time, flags),
    )
}
