/** The commands about the agents of this machine and their past. Each is loaded when it is called. */
import { type Command, Option } from 'commander'
import { withOn } from '../flags/on-flag.ts'
import { withProcessFlags } from '../flags/process-flags.ts'
import { withTerminalWait } from './terminal-group.ts'

export function addSessionGroup(lull: Command): void {
  addLiveCommands(lull)
  addHistoryCommands(lull)
}

function addHistoryCommands(lull: Command): void {
  const history = lull
    .command('history')
    .description('show past states of sessions and what lull did, also for sessions that are gone')
    .argument('[session]', 'an id or its beginning, a name, tmux:%3, pid:123 or a folder (default: all)')
  withOn(history)
    .option('--since <when>', 'start: 22:00, 8h (hours ago) or 2026-11-24 (default 24h)')
    .option('--until <when>', 'end, written like --since (default now)')
    .option('--json', 'entries as JSON, one object a line')
    .action(async (session, flags) =>
      (await import('../commands/history/history-command.ts')).historyCommand(session, flags),
    )
  const since = lull
    .command('since')
    .description('show what happened while you were away, most urgent first')
    .argument('[when]', 'start: 22:00, 8h (hours ago) or 2026-11-24', '12h')
  withOn(since)
    .option('--json', 'JSON output, one object a line')
    .action(async (time, flags) =>
      (await import('../commands/history/history-command.ts')).sinceCommand(time, flags),
    )
}

function addLiveCommands(lull: Command): void {
  const ps = lull
    .command('ps')
    .alias('ls')
    .description('list the agents of this machine and named terminals, most urgent first')
    .argument('[session...]', 'only these; tmux:%3 also shows a pane without a name (default: all)')
    .option('--needs-me', 'only sessions that wait, are stuck, or are done and unseen')
    .option('--why', 'the reason for each verdict')
    .option('--socket <tmux>', 'tmux server: a name (tmux -L) or a path (tmux -S)')
  withOn(ps)
    .option('--json', 'JSON output, one object')
    .action(async (sessions, flags) => (await import('../commands/ps-command.ts')).psCommand(sessions, flags))

  const watch = lull
    .command('watch')
    .description('show that table live; or print each health change of one process of yours')
    .argument('[session...]', 'only these; or pid:123 for any process (default: all sessions)')
  withOn(withProcessFlags(watch))
    .option('--json', 'JSON output, one object a line: a snapshot, then each change')
    .action(async (addresses, flags) =>
      (await import('../commands/watch-command.ts')).watchCommand(addresses, flags),
    )

  const wait = lull
    .command('wait')
    .description('wait until sessions are ready for the next step, or report why they will not be')
    .usage(
      '[options] <session...>\n       lull wait --any [options]\n       lull wait --ready [options] [session]',
    )
    .argument('[session...]', 'an id or its beginning, a name, tmux:%3, pid:123 or a folder')
    .option(
      '--for <states>',
      'states to wait for, separated by commas: idle (default), settled, waiting, stuck, exited; for a terminal: ready, question, password, output:/re/',
    )
    .option('--ready', 'wait until a terminal is ready for the next input')
    .option('--next', 'ignore the current turn; only a turn that begins from now on counts')
    .option('--held <time>', 'how long the state must have held (default 0)')
    .addOption(new Option('--settled <time>').hideHelp())
    .option(
      '--ignore-background [kinds]',
      'a finished turn is idle despite background work; or only despite these kinds: task,remote',
    )
    .option(
      '--timeout <time>',
      'time limit; exit 124 (default: none; 10s for terminals, 2m for agents in them)',
    )
    .option('--any', 'one session is enough; without a session: any, also new ones')
    .option('--appear', 'wait for a session that does not exist yet')
    .option('--all', 'all sessions at the same moment (default)')
  withOn(withTerminalWait(withProcessFlags(wait)))
    .option('--json', 'JSON output, one object; with --next, one more once the wait is registered')
    .action(async (sessions, flags) =>
      (await import('../commands/wait-command.ts')).waitCommand(sessions, flags),
    )

  lull
    .command('go')
    .description('switch to the tmux pane of the session that has waited longest for you')
    .argument('[session]', 'switch to this session instead')
    .action(async session => (await import('../commands/go-command.ts')).goCommand(session))

  lull
    .command('seen')
    .description('mark finished turns as seen')
    .argument('[session...]', 'sessions to mark')
    .option('--all', 'all finished sessions')
    .action(async (sessions, flags) =>
      (await import('../commands/seen-command.ts')).seenCommand(sessions, flags),
    )
}
