/** The commands that show what lull does, and what this machine lets it do. Each is loaded when it is called. */
import type { Command } from 'commander'

export function addMachineCommands(lull: Command): void {
  lull
    .command('demo')
    .description('play three recorded sessions, show the agents that run now, and judge eight real commands')
    .option('--stories', 'the recorded sessions alone')
    .option('--processes', 'the eight commands alone; with --once it exits 0 if all verdicts are right')
    .option('--speed <n>', 'twice as much, half as long: a session takes 8 s at 2', '2')
    .option('--once', 'judge them at once and print the final table')
    .option('--json', 'print the final table as JSON')
    .action(async flags => (await import('../demo/demo.ts')).demoCommand(flags))

  lull
    .command('doctor')
    .description('what this machine allows, and what is lost where it does not')
    .option('--json', 'as one JSON object')
    .action(async flags => (await import('../commands/doctor-command.ts')).doctorCommand(flags))
}
