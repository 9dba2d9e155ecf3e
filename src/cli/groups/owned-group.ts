/** The commands of lull's own terminals. Each is loaded when it is called. */
import type { Command } from 'commander'

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

export function addOwnedCommands(lull: Command, version: string): void {
  lull
    .command('open')
    .description('open a terminal of lull’s own: no tmux is needed, and it outlives this command')
    .argument('<name>', 'build')
    .argument('[command...]', 'what runs in it, behind --; your shell where not given')
    .option('--cwd <folder>', 'where it is started')
    .option('--size <columns x rows>', '120x40 where not given')
    .option('--env <name=value>', 'one more variable of its environment', collect)
    .option('--attach', 'show it here at once')
    .option('--json', 'as one JSON object')
    .action(async (name, words, flags) =>
      (await import('../commands/terminals/open-command.ts')).openCommand(name, words, flags),
    )
  lull
    .command('attach')
    .description('show a terminal of lull’s own here, live; Ctrl-\\ leaves it, and it goes on')
    .argument('<name>', 'as it was opened')
    .option('--read-only', 'look on: nothing that is typed goes there')
    .option('--detach-key <key>', 'the key that leaves it', 'C-\\')
    .action(async (name, flags) =>
      (await import('../commands/terminals/open-command.ts')).attachCommand(name, flags),
    )
  lull
    .command('close')
    .description('close a terminal of lull’s own: its program is hung up')
    .argument('<name>', 'as it was opened')
    .option('--force', 'kill what ignores that')
    .option('--json', 'as one JSON object')
    .action(async (name, flags) =>
      (await import('../commands/terminals/open-command.ts')).closeCommand(name, flags),
    )
  const terminals = lull.command('terminals').description('the process that holds lull’s own terminals')
  terminals
    .command('status')
    .description('whether it runs, and how many it holds')
    .option('--json', 'as one JSON object')
    .action(async flags =>
      (await import('../commands/terminals/terminals-command.ts')).terminalsStatusCommand(flags),
    )
  terminals
    .command('stop')
    .description('stop it; with --force also where terminals are open')
    .option('--force', 'what runs in them ends')
    .option('--json', 'as one JSON object')
    .action(async flags =>
      (await import('../commands/terminals/terminals-command.ts')).terminalsStopCommand(flags),
    )
  terminals
    .command('run', { hidden: true })
    .description('be it, in the foreground')
    .action(async () =>
      (await import('../commands/terminals/terminals-command.ts')).terminalsRunCommand(version),
    )
}
