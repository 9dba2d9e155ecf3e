/** What a shell asks for at Tab. Loaded when it is called. */
import type { Command } from 'commander'

export function addCompletionCommands(lull: Command): void {
  lull
    .command('completion')
    .description('print a script that makes your shell complete commands, options and session names')
    .argument('<shell>', 'bash, zsh or fish')
    .action(async shell => (await import('../completion/completion-command.ts')).completionCommand(shell))
  lull
    .command('complete', { hidden: true })
    .description('print the proposals for a command line, one a line, each with its meaning')
    .argument('[words...]', 'after --: the words typed after lull; the last one is incomplete')
    .action(async words => (await import('../completion/completion-command.ts')).completeCommand(lull, words))
}
