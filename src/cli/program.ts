/** All commands, as `--help` shows them. What a command does is loaded when it is called. */
import { Command } from 'commander'
import {
  addCompletionCommands,
  addHookCommands,
  addHostCommands,
  addMachineCommands,
  addMcpCommands,
  addTmuxCommands,
} from './groups/machine-group.ts'
import { addLoopCommands, addNotifyCommands, addRespawnCommands, addRunCommands } from './groups/run-group.ts'
import { addHistoryCommands, addLiveCommands } from './groups/session-group.ts'
import { addOwnedCommands, addTerminalCommands } from './groups/terminal-group.ts'
import { addJudgeCommands, addRecordCommand } from './groups/trace-group.ts'
import { addHelp, groupCommands } from './help.ts'
import { lines, print } from './ui/print.ts'

export function program(version: string): Command {
  const lull = new Command('lull')
    .description(
      'Show whether a coding agent or terminal program works, is idle, waits for you or is stuck, and why.',
    )
    .version(version)
    .exitOverride()
    .showHelpAfterError(false)
    .configureOutput({
      outputError: () => undefined,
      writeErr: () => undefined,
      writeOut: text => void print(lines(...text.replace(/\n$/, '').split('\n'))),
    })

  addLiveCommands(lull)
  addHistoryCommands(lull)
  addHookCommands(lull)
  addRunCommands(lull)
  addTerminalCommands(lull)
  addOwnedCommands(lull, version)
  addMcpCommands(lull, version)
  addJudgeCommands(lull)
  addMachineCommands(lull)
  addRecordCommand(lull)
  addHostCommands(lull, version)
  addLoopCommands(lull)
  addRespawnCommands(lull)
  addNotifyCommands(lull)
  addTmuxCommands(lull)
  addCompletionCommands(lull)
  groupCommands(lull)
  addHelp(lull)
  return lull
}

/** The words of a command line that name its command: `mcp install` of `mcp install --dry-run`. */
export function commandWords(words: readonly string[]): readonly string[] {
  const path: string[] = []
  let at = program('')
  for (const word of words) {
    const next = at.commands.find(command => command.name() === word || command.aliases().includes(word))
    if (!next) break
    path.push(word)
    at = next
  }
  return path
}
