/** `lull run` as `--help` shows it. Its words are read by `run-flags`, as those of the command must stay untouched. */
import type { Command } from 'commander'

export function addRunCommands(lull: Command): void {
  lull
    .command('run')
    .usage('[options] -- CMD…')
    .description('run a command, and tell whether it computes, waits, or is stuck, and why')
    .argument('<command...>', 'the program and its arguments')
    .option('--stdin <what>', 'null: at its end; inherit: yours; open: never written', 'null')
    .option('--pty', 'give it a terminal')
    .option('--cwd <folder>', 'run it there')
    .option(
      '--preset <name>',
      'conservative, balanced or aggressive: when silence is suspicious',
      'conservative',
    )
    .option('--dwell <time>', 'a proof must hold for so long until it is certain', '10s')
    .option('--on-stuck <deed>', 'once it is stuck for certain: notify, exec CMD, or term (then exits 4)')
    .option('--act-at <level>', 'confirmed, or likely: do so on a suspicion too', 'confirmed')
    .option('--json', 'verdicts as JSON lines on stderr')
    .option('--verdicts <file>', 'verdicts as JSON lines at the end of a file')
    .option('--record <file>', 'a trace of the run, for lull replay (FILE.cast)')
    .action(async () => (await import('../commands/run-command.ts')).runCommand(process.argv.slice(3)))
}
