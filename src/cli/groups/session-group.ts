/** The commands about the agents of this machine. Each is loaded when it is called. */
import type { Command } from 'commander'
import { withProcessFlags } from '../flags/process-flags.ts'
import { withTerminalWait } from './terminal-group.ts'

export function addLiveCommands(lull: Command): void {
  lull
    .command('ps')
    .alias('ls')
    .description('the agents of this machine and the terminals that were named, those that need you first')
    .argument('[session...]', 'only these; tmux:%3 is shown though it was not named')
    .option('--needs-me', 'only those that wait, are stuck, or are done and unseen')
    .option('--why', 'why the verdict is what it is, of each')
    .option('--socket <tmux>', 'the tmux server: a name (tmux -L) or a path (tmux -S)')
    .option('--json', 'as one JSON object')
    .action(async (sessions, flags) => (await import('../commands/ps-command.ts')).psCommand(sessions, flags))

  const watch = lull
    .command('watch')
    .description('the same, live; or the health of any process of yours, a line at each change')
    .argument('[session...]', 'only these; or one pid:123, of any process')
  withProcessFlags(watch)
    .option('--json', 'a JSON object a line: first a snapshot, then each change')
    .action(async (addresses, flags) =>
      (await import('../commands/watch-command.ts')).watchCommand(addresses, flags),
    )

  const wait = lull
    .command('wait')
    .description('wait until sessions are ready for the next step, or tell why they will not be')
    .usage(
      '[options] <session...>\n       lull wait --any [options]\n       lull wait --ready [options] [session]',
    )
    .argument('[session...]', 'an id or its beginning, a name, tmux:%3, pid:123, a folder')
    .option(
      '--for <states>',
      'idle (the default), waiting, stuck, exited; of a terminal ready, question, password, output:/re/; or several',
    )
    .option('--ready', 'until a terminal takes the next input')
    .option('--next', 'only a turn that begins from now on counts')
    .option('--settled <time>', 'the state must have held for as long')
    .option(
      '--ignore-background [kinds]',
      'work that goes on once the turn is over is none; or only task, remote, or both with a comma',
    )
    .option('--timeout <time>', 'give up then, with exit code 124')
    .option('--any', 'one of the sessions is enough; without a session whoever is there, and whoever comes')
    .option('--appear', 'a session that is not there yet is waited for, and no mistake')
    .option('--all', 'all of them at one moment (the default)')
  withTerminalWait(withProcessFlags(wait))
    .option('--json', 'as one JSON object; with --next another before it, once registered')
    .action(async (sessions, flags) =>
      (await import('../commands/wait-command.ts')).waitCommand(sessions, flags),
    )

  lull
    .command('go')
    .description('to the tmux pane of the session that has waited for you the longest')
    .argument('[session]', 'or of this one')
    .action(async session => (await import('../commands/go-command.ts')).goCommand(session))

  lull
    .command('seen')
    .description('what is done has been looked at')
    .argument('[session...]', 'which sessions')
    .option('--all', 'all that are done')
    .action(async (sessions, flags) =>
      (await import('../commands/seen-command.ts')).seenCommand(sessions, flags),
    )
}
