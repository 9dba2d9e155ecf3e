/** The commands about the agents of this machine. Each is loaded when it is called. */
import type { Command } from 'commander'

export function addLiveCommands(lull: Command): void {
  lull
    .command('ps')
    .description('the agents of this machine, those that need you first')
    .option('--needs-me', 'only those that wait, are stuck, or are done and unseen')
    .option('--json', 'as one JSON object')
    .action(async flags => (await import('./ps.ts')).psCommand(flags))

  lull
    .command('watch')
    .description('the same, live')
    .option('--json', 'a JSON object a line: first a snapshot, then each change')
    .action(async flags => (await import('./watch.ts')).watchCommand(flags))

  lull
    .command('wait')
    .description('wait until sessions are ready for the next step, or tell why they will not be')
    .argument('<session...>', 'an id or its beginning, a name, tmux:%3, pid:123, a folder')
    .option('--for <states>', 'what to wait for: idle, waiting, stuck, exited, or several of them', 'idle')
    .option('--next', 'only a turn that begins from now on counts')
    .option('--settled <time>', 'the state must have held for as long')
    .option('--ignore-background', 'work that goes on once the turn is over is none')
    .option('--timeout <time>', 'give up then, with exit code 124')
    .option('--any', 'one of the sessions is enough')
    .option('--all', 'all of them at one moment (the default)')
    .option('--json', 'as one JSON object; with --next another before it, once registered')
    .action(async (sessions, flags) => (await import('./wait.ts')).waitCommand(sessions, flags))

  lull
    .command('go')
    .description('to the tmux pane of the session that has waited for you the longest')
    .argument('[session]', 'or of this one')
    .action(async session => (await import('./go.ts')).goCommand(session))

  lull
    .command('seen')
    .description('what is done has been looked at')
    .argument('[session...]', 'which sessions')
    .option('--all', 'all that are done')
    .action(async (sessions, flags) => (await import('./seen.ts')).seenCommand(sessions, flags))
}
