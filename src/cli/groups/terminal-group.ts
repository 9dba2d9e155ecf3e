/** The commands that drive a terminal, and those of lull's own terminals. Each is loaded when it is called. */
import type { Command } from 'commander'
import { withOn } from '../flags/on-flag.ts'

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

export function addTerminalGroup(lull: Command, version: string): void {
  addTerminalCommands(lull)
  addOwnedCommands(lull, version)
}

function addOwnedCommands(lull: Command, version: string): void {
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
      (await import('../commands/terminals/owned-command.ts')).openCommand(name, words, flags),
    )
  lull
    .command('attach')
    .description('show one of lull’s own terminals here, live; Ctrl-\\ detaches')
    .argument('<name>', 'name given to lull open')
    .option('--read-only', 'show only; keys are not passed on')
    .option('--detach-key <key>', 'key that detaches', 'C-\\')
    .action(async (name, flags) =>
      (await import('../commands/terminals/owned-command.ts')).attachCommand(name, flags),
    )
  lull
    .command('close')
    .description('close one of lull’s own terminals; its program gets SIGHUP')
    .argument('<name>', 'name given to lull open')
    .option('--force', 'kill a program that ignores SIGHUP')
    .option('--json', 'JSON output, one object')
    .action(async (name, flags) =>
      (await import('../commands/terminals/owned-command.ts')).closeCommand(name, flags),
    )
  const terminals = lull
    .command('terminals')
    .description('control the process that holds lull’s own terminals')
  terminals
    .command('status')
    .description('show whether it runs and how many terminals it holds')
    .option('--json', 'JSON output, one object')
    .action(async flags =>
      (await import('../commands/terminals/owned-command.ts')).terminalsStatusCommand(flags),
    )
  terminals
    .command('stop')
    .description('stop it, if no terminal is open')
    .option('--force', 'stop it even if terminals are open; their programs end')
    .option('--json', 'JSON output, one object')
    .action(async flags =>
      (await import('../commands/terminals/owned-command.ts')).terminalsStopCommand(flags),
    )
  terminals
    .command('run', { hidden: true })
    .description('run it in the foreground')
    .action(async () => (await import('../commands/terminals/owned-command.ts')).terminalsRunCommand(version))
}

const session = 'tmux:%3, tmux:name:window.pane, pid:123, or a session (see `lull ps`)'

/** What a wait on a terminal takes, whichever command does it. */
export const withTerminalWait = (command: Command): Command =>
  command
    .option('--prompt-pattern <re>', 'pattern of the prompt; it decides, unless the program provably runs')
    .option('--strategy <name>', 'kernel (default), or pattern: only the screen, twice a second')
    .option('--stable <n>', 'with --strategy pattern: equal screens in a row that mean stable (default 1)')
    .option('--socket <tmux>', 'tmux server: a name (tmux -L) or a path (tmux -S)')

function addTerminalCommands(lull: Command): void {
  const send = lull
    .command('send')
    .description('type text into a terminal and press Enter')
    .argument('<session>', session)
    .argument('[text]', 'text to type')
    .option('--file <file>', 'file with the text; - for stdin')
    .option('--no-enter', 'type only, without Enter')
    .option(
      '--force',
      'type even if the agent’s state is unknown, and into pagers, editors and menus; never into a permission or password',
    )
    .option('--clear', 'clear a half-typed line first')
    .option('--append', 'append to a half-typed line')
    .option('--wait', 'wait until it is ready again, and print the new output')
    .option(
      '--for <states>',
      'states to wait for, separated by commas: ready, question, password, output:/re/',
    )
    .option(
      '--ask-code',
      'with --wait: type a line that asks the shell for the exit code, if it does not report it',
    )
    .option('--timeout <time>', 'time limit (default 10s; 2m when a known agent is in the foreground)')
    .option(
      '--ignore-background [kinds]',
      'for an agent: a finished turn is idle despite background work; or only despite these kinds: task,remote',
    )
  withOn(withTerminalWait(send))
    .option('--json', 'JSON output, one object')
    .action(async (target, text, flags) =>
      (await import('../commands/terminals/send-command.ts')).sendCommand(target, text, flags),
    )

  lull
    .command('name')
    .description('name a terminal: lull ps lists it, and every command accepts the name')
    .argument('<session>', `${session}; with --forget, the name`)
    .argument('[name]', 'the new name')
    .option('--forget', 'forget the name')
    .option('--socket <tmux>', 'tmux server: a name (tmux -L) or a path (tmux -S)')
    .action(async (target, name, flags) =>
      (await import('../commands/terminals/name-command.ts')).nameCommand(target, name, flags),
    )

  const keys = lull
    .command('keys')
    .description('press keys in a terminal')
    .argument('<session>', session)
    .argument('<keys...>', 'keys, like C-c M-x Up Enter y')
  withOn(keys)
    .option('--socket <tmux>', 'tmux server: a name (tmux -L) or a path (tmux -S)')
    .option('--json', 'JSON output, one object')
    .action(async (target, keys, flags) =>
      (await import('../commands/terminals/keys-command.ts')).keysCommand(target, keys, flags),
    )

  const answer = lull
    .command('answer')
    .description('answer the dialog that an agent shows')
    .argument('<session>', session)
    .argument(
      '[choices...]',
      'yes, no, always, a number, or the text of an option; several for a multiple choice',
    )
    .option('--text <text>', 'your own answer, for an option that accepts text')
    .option('--list', 'print the question and the options; press nothing')
    .option('--dialog <id>', 'answer only the dialog with this id (see --list)')
  withOn(answer)
    .option('--socket <tmux>', 'tmux server: a name (tmux -L) or a path (tmux -S)')
    .option('--json', 'JSON output, one object')
    .action(async (target, choices, flags) =>
      (await import('../commands/answer-command.ts')).answerCommand(target, choices, flags),
    )

  const read = lull
    .command('read')
    .description('print the text of a terminal')
    .argument('[session]', `${session} (default: the only other pane)`)
    .option('--lines <n>', 'number of lines, scrollback included', '100')
    .option('--screen', 'only the screen, with blank rows')
    .option('--raw', 'colours, as escape sequences')
  withOn(read)
    .option('--socket <tmux>', 'tmux server: a name (tmux -L) or a path (tmux -S)')
    .option('--json', 'JSON output, one object, with the state of the terminal')
    .action(async (target, flags) =>
      (await import('../commands/terminals/read-command.ts')).readCommand(target, flags),
    )
}
