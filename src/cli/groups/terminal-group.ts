/** The commands that drive a terminal. Each is loaded when it is called. */
import type { Command } from 'commander'

const session = 'tmux:%3, tmux:name:window.pane, pid:123, or a session (see `lull ps`)'

/** What a wait on a terminal takes, whichever command does it. */
export const withTerminalWait = (command: Command): Command =>
  command
    .option('--prompt-pattern <re>', 'what a prompt looks like; it decides, unless the program surely runs')
    .option('--strategy <name>', 'kernel (the default), or pattern: look at the screen alone, twice a second')
    .option('--stable <n>', 'with the strategy pattern: so many equal looks after the first mean stable (1)')
    .option('--socket <tmux>', 'the tmux server: a name (tmux -L) or a path (tmux -S)')

export function addTerminalCommands(lull: Command): void {
  const send = lull
    .command('send')
    .description('type text into a terminal, then Enter, each once the last was read')
    .argument('<session>', session)
    .argument('[text]', 'the text')
    .option('--file <file>', 'the text of a file, - for standard input')
    .option('--no-enter', 'do not press Enter')
    .option(
      '--force',
      'although it is not known what an agent there does, and into pagers, editors and menus; never into a permission or password',
    )
    .option('--clear', 'clear the line first where something is half typed')
    .option('--append', 'type behind what is half typed')
    .option('--wait', 'wait until it is ready for more, and tell what stands there then')
    .option('--for <states>', 'what to wait for: ready, question, password, output:/re/, or several')
    .option(
      '--ask-code',
      'with --wait: where the shell does not tell the exit code, type a line that asks it',
    )
    .option('--timeout <time>', 'of the wait: 10s, or 2m for a known agent, where not given')
    .option(
      '--ignore-background [kinds]',
      'of an agent: work that goes on once the turn is over is none; or only task, remote, or both with a comma',
    )
  withTerminalWait(send)
    .option('--json', 'as one JSON object')
    .action(async (target, text, flags) =>
      (await import('../commands/terminals/send-command.ts')).sendCommand(target, text, flags),
    )

  lull
    .command('name')
    .description('follow a terminal under a name: lull ps shows it, and every command takes the name')
    .argument('<session>', `${session}; with --forget the name`)
    .argument('[name]', 'build')
    .option('--forget', 'follow it no longer')
    .option('--socket <tmux>', 'the tmux server: a name (tmux -L) or a path (tmux -S)')
    .action(async (target, name, flags) =>
      (await import('../commands/terminals/name-command.ts')).nameCommand(target, name, flags),
    )

  lull
    .command('keys')
    .description('press keys in a terminal, each once the last was read')
    .argument('<session>', session)
    .argument('<keys...>', 'C-c, M-x, Up, Enter, y')
    .option('--socket <tmux>', 'the tmux server: a name (tmux -L) or a path (tmux -S)')
    .option('--json', 'as one JSON object')
    .action(async (target, keys, flags) =>
      (await import('../commands/terminals/keys-command.ts')).keysCommand(target, keys, flags),
    )

  lull
    .command('answer')
    .description('answer the dialog that an agent shows, by its text')
    .argument('<session>', session)
    .argument(
      '[choices...]',
      'yes, no, always, a number, or an option’s text; several where it takes several',
    )
    .option('--text <text>', 'an answer of your own, where an option takes one')
    .option('--list', 'say what is asked, and the options: nothing is pressed')
    .option('--dialog <id>', 'only the dialog that --list named so')
    .option('--socket <tmux>', 'the tmux server: a name (tmux -L) or a path (tmux -S)')
    .option('--json', 'as one JSON object')
    .action(async (target, choices, flags) =>
      (await import('../commands/answer-command.ts')).answerCommand(target, choices, flags),
    )

  lull
    .command('read')
    .description('what stands on a terminal')
    .argument('[session]', `${session}; the only other pane where not given`)
    .option('--lines <n>', 'so many lines, what has scrolled away included', '100')
    .option('--screen', 'the screen alone, blank rows too')
    .option('--raw', 'with colours, as escape sequences')
    .option('--socket <tmux>', 'the tmux server: a name (tmux -L) or a path (tmux -S)')
    .option('--json', 'as one JSON object, with what the terminal does')
    .action(async (target, flags) =>
      (await import('../commands/terminals/read-command.ts')).readCommand(target, flags),
    )
}
