/** The commands that show what lull does, and what this machine lets it do. Each is loaded when it is called. */
import type { Command } from 'commander'

export function addMachineCommands(lull: Command): void {
  lull
    .command('demo')
    .description('play three recorded sessions, list the agents that run now, and judge eight commands')
    .option('--stories', 'only the recorded sessions')
    .option('--processes', 'only the eight commands; with --once, exit 0 if all verdicts are right')
    .option('--speed <n>', 'playback speed; at 2 a session takes 8 s', '2')
    .option('--once', 'only the final table, without playing')
    .option('--json', 'the final table as JSON')
    .action(async flags => (await import('../demo/demo.ts')).demoCommand(flags))

  lull
    .command('doctor')
    .description('show what this machine allows, and what lull cannot do without it')
    .option('--json', 'JSON output, one object')
    .action(async flags => (await import('../commands/doctor-command.ts')).doctorCommand(flags))
}
