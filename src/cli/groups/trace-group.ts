/** The commands about recordings. Each is loaded when it is called. */
import type { Command } from 'commander'
import { withOn } from '../flags/on-flag.ts'

export function addTraceGroup(lull: Command): void {
  addJudgeCommands(lull)
  addRecordCommand(lull)
  addFilmCommand(lull)
}

function addJudgeCommands(lull: Command): void {
  lull
    .command('replay')
    .description('judge a recorded session and print each change of its state')
    .argument('[files...]', 'traces (.cast, .cast.gz)')
    .option('--json', 'JSON output, one object a line')
    .option('--speed <n>', 'playback speed, N times real time (default: as fast as possible)')
    .option('--until <time>', 'end: a duration from the start (12.5s), or ISO time for a transcript')
    .option('--agent <name>', 'agent of a recording that does not name one')
    .option('--transcript <file>', 'a transcript instead of a trace (needs --agent)')
    .option('--hooks <file>', 'hooks for the transcript: rows {t, event, payload?}')
    .option('--growth <file>', 'size of the transcript over time: rows {t, session, bytes}')
    .action(async (files, flags) =>
      (await import('../commands/traces/replay-command.ts')).replayCommand(files, flags),
    )

  const explain = lull
    .command('explain')
    .description('show a verdict with its evidence: of a session now, or of a recording')
    .argument('<session>', 'a session (see `lull ps`), pid:N for any process, or a trace (.cast, .cast.gz)')
    .option('--at <time>', 'time in the recording, from its start, like 12.5s (default: its end)')
    .option('--agent <name>', 'agent of a recording that does not name one')
    .option('--processes', 'its process tree too (default: only when its health is in question)')
    .option('--socket <tmux>', 'for tmux:%3: tmux server, a name (tmux -L) or a path (tmux -S)')
  withOn(explain)
    .option('--json', 'JSON output, one object')
    .action(async (target, flags) =>
      (await import('../commands/explain-command.ts')).explainCommand(target, flags),
    )

  lull
    .command('classify')
    .description('read a screen as text from stdin; print what it shows, and which rule matched')
    .usage('[options] < screen.txt\n       lull classify --check [name...]')
    .argument('[name...]', 'with --check: agents to check (default: all)')
    .option('--agent <name>', 'agent whose screen this is (with --jsonl: default for rows without one)')
    .option('--title <text>', 'title of the terminal')
    .option(
      '--jsonl',
      'many screens: rows {agent, screen, title?, progress?}; prints one JSON object for each',
    )
    .option('--explain', 'the matched row, rules that nearly matched, and the parts of the screen')
    .option('--check', 'check of your own rules (~/.config/lull/agents/NAME/screen.yaml)')
    .action(async (names, flags) =>
      (await import('../commands/traces/classify-command.ts')).classifyCommand(names, flags),
    )
}

/** What the host starts to judge a recording for the page: its own memory and time are not the host's. */
function addFilmCommand(lull: Command): void {
  lull
    .command('film', { hidden: true })
    .description('judge the recording on stdin; print it in pieces')
    .action(async () => (await import('../commands/traces/film-command.ts')).filmCommand())
}

function addRecordCommand(lull: Command): void {
  lull
    .command('record')
    .usage('[options] <session>\n       lull record [options] --agent <name> -- CMD…')
    .description('record a live session as a trace, or run a CLI and record it')
    .argument('[session...]', 'a session (see `lull ps`); with --agent, a command')
    .option(
      '-o, --output <file>',
      'output file, FILE.cast (default: into lull’s folder of recordings; with --agent: NAME.cast)',
    )
    .option(
      '--agent <name>',
      'run the command in a terminal and record it under this name; lull need not know the agent',
    )
    .option(
      '--watch <path...>',
      'with --agent: folders whose new lines and small JSON files are recorded too',
    )
    .option('--no-redact', 'keep recognised keys, tokens and passwords')
    .option('--force', 'overwrite an existing file')
    .action(async (words, flags) =>
      flags.agent === undefined
        ? (await import('../commands/traces/record-command.ts')).recordCommand(words, flags)
        : (await import('../commands/traces/record-command.ts')).recordCliCommand(words, flags),
    )
}
