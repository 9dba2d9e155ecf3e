/** `lull loop …` as commands; what they do is loaded when they are called. */
import { type Command, Option } from 'commander'

export function addLoopCommands(lull: Command): void {
  const loop = lull
    .command('loop')
    .description('run an agent on a RALPH.md again and again, less often while there is nothing to do')
    .argument('[ralph]', 'the file, its folder, or its name in .agents/ralphs; ./RALPH.md where not given')
    .argument('[args...]', 'values for the arguments that it declares: --x v, --x=v, or in their order')
    .allowUnknownOption()
    .option('-n, --max-iterations <n>', 'stop after so many')
    .option('-s, --stop-on-error', 'stop at the first iteration that fails or takes too long')
    .option('-d, --delay <time>', 'wait between iterations, like 30s; none where not given')
    .option('-l, --log-dir <folder>', 'write what the agent prints there, a file an iteration')
    .option('-t, --timeout <time>', 'end an iteration after so long, like 1h30m; never where not given')
    .option('--idle', 'as an idle: block in the file; --no-idle: as without one')
    .addOption(new Option('--no-idle').hideHelp())
    .option('--idle-delay <time>', 'the first wait after an idle iteration (30s)')
    .option('--idle-backoff <factor>', 'by which each wait is longer than the last (2)')
    .option('--idle-max-delay <time>', 'the longest wait (5m)')
    .option('--idle-max <time>', 'stop after so much idleness in a row (6h)')
    .option('--end-left-behind', 'first end the agents of loops that were killed')
    .option('--json', 'the events, one JSON object a line')
    .action(async (_ralph, _args, flags, command: Command) => {
      const raw = process.argv
      const plain = raw.includes('--') ? raw.length - raw.indexOf('--') - 1 : 0
      await (await import('../commands/loop-command.ts')).loopCommand(command.args, plain, flags)
    })
  lull
    .command('loop-state')
    .description(
      'for loops of your own: an agent’s final message in, its state and when to run it again out, as JSON',
    )
    .option('--count <n>', 'idleCount of the run before')
    .option('--since <when>', 'idleSince of the run before')
    .option('--prompt <file>', 'what the agent was told: a marker that only repeats it does not count')
    .option('--idle-delay <time>', 'the first wait after an idle run (30s)')
    .option('--idle-backoff <factor>', 'by which each wait is longer than the last (2)')
    .option('--idle-max-delay <time>', 'the longest wait (5m)')
    .option('--idle-max <time>', 'stop after so much idleness in a row (6h)')
    .action(async flags => (await import('../commands/loop-state-command.ts')).loopStateCommand(flags))
  loop
    .command('init')
    .description('write a commented RALPH.md')
    .argument('[folder]', 'where; the working folder where not given')
    .action(async folder => (await import('../commands/loop-command.ts')).loopInitCommand(folder))
}
