/** The commands, as `--help` shows them. A group of them is loaded when its word is typed, and what one does when it is called. */
import { Command } from 'commander'
import { addHelp, groupCommands } from './help.ts'
import { lines, print } from './ui/print.ts'

type Group = {
  /** The first words of a command line that need no other group. */
  readonly words: readonly string[]
  readonly add: (lull: Command, version: string) => Promise<void>
}

const groups: readonly Group[] = [
  {
    words: ['ps', 'ls', 'watch', 'wait', 'go', 'seen', 'history', 'since'],
    add: async lull => (await import('./groups/session-group.ts')).addSessionGroup(lull),
  },
  {
    words: ['send', 'keys', 'answer', 'read', 'name', 'open', 'attach', 'close', 'terminals'],
    add: async (lull, version) =>
      (await import('./groups/terminal-group.ts')).addTerminalGroup(lull, version),
  },
  {
    words: ['run', 'loop', 'loop-state', 'respawn', 'accept', 'notify'],
    add: async lull => (await import('./groups/run-group.ts')).addRunGroup(lull),
  },
  {
    // Without those that propose the commands of all groups.
    words: ['hooks', 'mcp', 'skill', 'demo', 'doctor', 'host', 'serve', 'tmux'],
    add: async (lull, version) => (await import('./groups/machine-group.ts')).addMachineGroup(lull, version),
  },
  {
    words: ['fleet'],
    add: async lull => (await import('./groups/fleet-group.ts')).addFleetGroup(lull),
  },
  {
    words: ['explain', 'record', 'replay', 'classify', 'film'],
    add: async lull => (await import('./groups/trace-group.ts')).addTraceGroup(lull),
  },
]

/** @param word the first of the command line: where it names a command, its group alone is loaded */
export async function program(version: string, word = ''): Promise<Command> {
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

  const named = groups.filter(({ words }) => words.includes(word))
  for (const { add } of named.length > 0 ? named : groups) await add(lull, version)
  groupCommands(lull)
  addHelp(lull)
  return lull
}

/** The words of a command line that name its command: `mcp install` of `mcp install --dry-run`. */
export async function commandWords(words: readonly string[]): Promise<readonly string[]> {
  const path: string[] = []
  let at = await program('', words[0])
  for (const word of words) {
    const next = at.commands.find(command => command.name() === word || command.aliases().includes(word))
    if (!next) break
    path.push(word)
    at = next
  }
  return path
}
