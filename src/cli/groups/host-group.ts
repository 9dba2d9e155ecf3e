/** `lull host …` as commands; what they do is loaded when they are called. */
import type { Command } from 'commander'

export function addHostCommands(lull: Command, version: string): void {
  const host = lull.command('host').description('the process in the background that hears hooks')
  host
    .command('start')
    .description('start it, where none runs')
    .option('--port <n>', 'take hooks on this loopback port as well, with a token')
    .option(
      '--answer-7501 [socket]',
      'read agents in tmux, and tell Claude Code there that its status is wanted; in one server alone, where its socket or name is given',
    )
    .option('--json', 'as one JSON object')
    .action(async flags => (await import('../commands/host-command.ts')).hostStartCommand(flags))
  host
    .command('stop')
    .description('stop it')
    .option('--json', 'as one JSON object')
    .action(async flags => (await import('../commands/host-command.ts')).hostStopCommand(flags))
  host
    .command('restart')
    .description('stop it and start it with what it was started with; terminals of lull’s own go on')
    .option('--json', 'as one JSON object')
    .action(async flags => (await import('../commands/host-command.ts')).hostRestartCommand(flags))
  host
    .command('status')
    .description('what it has heard; exits 1 where none runs')
    .option('--json', 'as one JSON object')
    .action(async flags => (await import('../commands/host-command.ts')).hostStatusCommand(flags))
  host
    .command('run', { hidden: true })
    .description('be the host, in the foreground')
    .option('--port <n>')
    .option('--answer-7501 [socket]')
    .action(async flags => (await import('../commands/host-command.ts')).hostRunCommand(version, flags))
}
