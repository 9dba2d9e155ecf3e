/** What a shell asks for at Tab. Loaded when it is called. */
import type { Command } from 'commander'

export function addCompletionCommands(lull: Command): void {
  lull
    .command('completion')
    .description('a script that has your shell complete commands, flags and the names of sessions')
    .argument('<shell>', 'bash, zsh or fish')
    .action(async shell => (await import('../completion/completion-command.ts')).completionCommand(shell))
  lull
    .command('complete', { hidden: true })
    .description('what may stand there: a word a line, and what it is')
    .argument('[words...]', 'the words behind lull, behind --; the last is the one that is typed')
    .action(async words => (await import('../completion/completion-command.ts')).completeCommand(lull, words))
}
