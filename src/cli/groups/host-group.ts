/** `lull host …` as commands; what they do is loaded when they are called. */
import type { Command } from 'commander'

export function addHostCommands(lull: Command, version: string): void {
  const host = lull.command('host').description('control the background process that receives hooks')
  host
    .command('start')
    .description('start the host, unless it runs')
    .option('--port <n>', 'loopback port that also receives hooks, with a token')
    .option(
      '--answer-7501 [socket]',
      'ask agents in tmux for their status, and read what they print there; with a socket or name, only in that tmux server',
    )
    .option('--json', 'JSON output, one object')
    .action(async flags => (await import('../commands/host-command.ts')).hostStartCommand(flags))
  host
    .command('stop')
    .description('stop the host')
    .option('--json', 'JSON output, one object')
    .action(async flags => (await import('../commands/host-command.ts')).hostStopCommand(flags))
  host
    .command('restart')
    .description('stop the host and start it with the same options; lull’s own terminals keep running')
    .option('--json', 'JSON output, one object')
    .action(async flags => (await import('../commands/host-command.ts')).hostRestartCommand(flags))
  host
    .command('status')
    .description('show what the host received; exit 1 if no host runs')
    .option('--json', 'JSON output, one object')
    .action(async flags => (await import('../commands/host-command.ts')).hostStatusCommand(flags))
  host
    .command('run', { hidden: true })
    .description('run the host in the foreground')
    .option('--port <n>')
    .option('--answer-7501 [socket]')
    .action(async flags => (await import('../commands/host-command.ts')).hostRunCommand(version, flags))
}
