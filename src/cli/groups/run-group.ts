/** `lull run` as `--help` shows it. Its words are read by `run-flags`, as those of the command must stay untouched. */
import type { Command } from 'commander'

export function addRunCommands(lull: Command): void {
  lull
    .command('run')
    .usage('[options] -- CMD…')
    .description('run a command and report whether it computes, waits or is stuck, and why')
    .argument('<command...>', 'program and arguments')
    .option('--stdin <what>', 'null (empty), inherit (yours) or open (a pipe that nobody writes to)', 'null')
    .option('--pty', 'run it in a terminal')
    .option('--cwd <folder>', 'working folder (default: this one)')
    .option(
      '--preset <name>',
      'when silence is suspicious: conservative, balanced or aggressive',
      'conservative',
    )
    .option('--dwell <time>', 'how long a proof must hold before it is certain', '10s')
    .option('--on-stuck <action>', 'action once it is stuck for certain: notify, exec CMD, or term (exit 4)')
    .option(
      '--act-at <level>',
      'when --on-stuck acts: confirmed, or likely (also on a suspicion)',
      'confirmed',
    )
    .option('--json', 'verdicts as JSON on stderr, one object a line')
    .option('--verdicts <file>', 'file to append the verdicts to, as JSON lines')
    .option('--record <file>', 'trace of the run, for lull replay (FILE.cast)')
    .action(async () => (await import('../commands/run-command.ts')).runCommand(process.argv.slice(3)))
}
