/** The commands about recordings. Each is loaded when it is called. */
import type { Command } from 'commander'

export function addJudgeCommands(lull: Command): void {
  lull
    .command('replay')
    .description('judge a recorded session and print each change')
    .argument('[files...]', 'traces (.cast, .cast.gz)')
    .option('--json', 'one JSON object a line')
    .option('--speed <n>', 'play at N times real time instead of as fast as possible')
    .option('--until <time>', 'stop there: a duration from the start (12.5s), or ISO time for a transcript')
    .option('--agent <name>', 'whose recording it is, where it does not say so itself')
    .option('--transcript <file>', 'judge a bare transcript (needs --agent)')
    .option('--hooks <file>', 'its hooks: rows {t, event, payload?}')
    .option('--growth <file>', 'how much of it was on disk when: rows {t, session, bytes}')
    .action(async (files, flags) =>
      (await import('../commands/traces/replay-command.ts')).replayCommand(files, flags),
    )

  lull
    .command('explain')
    .description('the verdict on a session now, or at an instant of a recording, with its evidence')
    .argument('<session>', 'a session (see `lull ps`), pid:N of any process, or a trace (.cast, .cast.gz)')
    .option('--at <time>', 'the instant, as a duration from the start (12.5s); its end where not given')
    .option('--agent <name>', 'whose recording it is, where it does not say so itself')
    .option('--socket <tmux>', 'of tmux:%3: the tmux server, a name (tmux -L) or a path (tmux -S)')
    .option('--json', 'as one JSON object')
    .action(async (target, flags) =>
      (await import('../commands/explain-command.ts')).explainCommand(target, flags),
    )

  lull
    .command('classify')
    .description('what a screen says that is given as text on stdin, and by which rule')
    .usage('[options] < screen.txt\n       lull classify --check [name...]')
    .argument('[name...]', 'with --check: agents whose files are checked; all where not given')
    .option('--agent <name>', 'whose screen it is; with --jsonl that of lines that name none')
    .option('--title <text>', 'the title of its terminal')
    .option('--jsonl', 'many screens: rows {agent, screen, title?, progress?}, a JSON object for each')
    .option('--explain', 'with the row that matched, what nearly did, and the parts that were found')
    .option('--check', 'check your own rules (~/.config/lull/agents/NAME/screen.yaml)')
    .action(async (names, flags) =>
      (await import('../commands/traces/classify-command.ts')).classifyCommand(names, flags),
    )
}

export function addRecordCommand(lull: Command): void {
  lull
    .command('record')
    .usage('[options] <session>\n       lull record [options] --agent <name> -- CMD…')
    .description('record a live session as a trace, or a CLI that is run for it')
    .argument('[session...]', 'a session (see `lull ps`); with --agent a command')
    .option('-o, --output <file>', 'where to (FILE.cast); with --agent NAME.cast where not given')
    .option(
      '--agent <name>',
      'run the command in a terminal and record it under this name, known to lull or not',
    )
    .option('--watch <path...>', 'with --agent: record lines and small JSON files that change there, too')
    .option('--no-redact', 'keep keys, tokens and passwords that are recognised')
    .option('--force', 'write over a file that exists')
    .action(async (words, flags) =>
      flags.agent === undefined
        ? (await import('../commands/traces/record-command.ts')).recordCommand(words, flags)
        : (await import('../commands/traces/record-cli-command.ts')).recordCliCommand(words, flags),
    )
}
