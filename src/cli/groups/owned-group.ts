/** The commands of lull's own terminals. Each is loaded when it is called. */
import type { Command } from 'commander'

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

export function addOwnedCommands(lull: Command, version: string): void {
  lull
    .command('open')
    .description('open a terminal that needs no tmux and keeps running in the background')
    .argument('<name>', 'name of the new terminal')
    .argument('[command...]', 'after --: the command to run (default: your shell)')
    .option('--cwd <folder>', 'working folder (default: this one)')
    .option('--size <columns x rows>', 'size until somebody attaches (default 120x40)')
    .option('--env <name=value>', 'environment variable; repeatable', collect)
    .option('--attach', 'attach to it at once')
    .option('--json', 'JSON output, one object')
    .action(async (name, words, flags) =>
      (await import('../commands/terminals/open-command.ts')).openCommand(name, words, flags),
    )
  lull
    .command('attach')
    .description('show one of lull’s own terminals here, live; Ctrl-\\ detaches')
    .argument('<name>', 'name given to lull open')
    .option('--read-only', 'show only; keys are not passed on')
    .option('--detach-key <key>', 'key that detaches', 'C-\\')
    .action(async (name, flags) =>
      (await import('../commands/terminals/open-command.ts')).attachCommand(name, flags),
    )
  lull
    .command('close')
    .description('close one of lull’s own terminals; its program gets SIGHUP')
    .argument('<name>', 'name given to lull open')
    .option('--force', 'kill a program that ignores SIGHUP')
    .option('--json', 'JSON output, one object')
    .action(async (name, flags) =>
      (await import('../commands/terminals/open-command.ts')).closeCommand(name, flags),
    )
  const terminals = lull
    .command('terminals')
    .description('control the process that holds lull’s own terminals')
  terminals
    .command('status')
    .description('show whether it runs and how many terminals it holds')
    .option('--json', 'JSON output, one object')
    .action(async flags =>
      (await import('../commands/terminals/terminals-command.ts')).terminalsStatusCommand(flags),
    )
  terminals
    .command('stop')
    .description('stop it, if no terminal is open')
    .option('--force', 'stop it even if terminals are open; their programs end')
    .option('--json', 'JSON output, one object')
    .action(async flags =>
      (await import('../commands/terminals/terminals-command.ts')).terminalsStopCommand(flags),
    )
  terminals
    .command('run', { hidden: true })
    .description('run it in the foreground')
    .action(async () =>
      (await import('../commands/terminals/terminals-command.ts')).terminalsRunCommand(version),
    )
}
