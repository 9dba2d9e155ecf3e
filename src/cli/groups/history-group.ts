/** The commands about what was: they read the store that a host keeps. */
import type { Command } from 'commander'

export function addHistoryCommands(lull: Command): void {
  lull
    .command('history')
    .description('what became of sessions, and what lull did: also of those that are gone')
    .argument('[session]', 'an id or its beginning, a name, tmux:%3, pid:123, a folder')
    .option('--since <when>', '22:00, 8h, 2026-11-24 (24h)')
    .option('--until <when>', 'the same')
    .option('--json', 'the entries, one JSON object a line')
    .action(async (session, flags) =>
      (await import('../commands/history/history-command.ts')).historyCommand(session, flags),
    )
  lull
    .command('since')
    .description('what happened while you were away, what needs you first')
    .argument('[when]', '22:00, 8h, 2026-11-24', '12h')
    .option('--json', 'one JSON object a line')
    .action(async (time, flags) =>
      (await import('../commands/history/since-command.ts')).sinceCommand(time, flags),
    )
}
