/** `lull loop …` as commands; what they do is loaded when they are called. */
import { type Command, Option } from 'commander'

export function addLoopCommands(lull: Command): void {
  const loop = lull
    .command('loop')
    .description('run an agent on a RALPH.md again and again, less often while it has no work')
    .argument('[ralph]', 'the file, its folder, or its name in .agents/ralphs (default ./RALPH.md)')
    .argument('[args...]', 'values for its declared arguments: --x v, --x=v, or by position')
    .allowUnknownOption()
    .option('-n, --max-iterations <n>', 'maximum number of iterations (default: none)')
    .option('-s, --stop-on-error', 'stop at the first iteration that fails, times out or is limited')
    .option('-d, --delay <time>', 'pause between iterations (default 0)')
    .option('-l, --log-dir <folder>', 'folder for the agent’s output, one file per iteration')
    .option('-t, --timeout <time>', 'time limit of an iteration (default: none)')
    .option('--idle', 'idle backoff, as with an idle: block in the file; --no-idle turns it off')
    .addOption(new Option('--no-idle').hideHelp())
    .option('--idle-delay <time>', 'first wait after an idle iteration (default 30s)')
    .option('--idle-backoff <factor>', 'factor by which each idle wait grows (default 2)')
    .option('--idle-max-delay <time>', 'longest idle wait (default 5m)')
    .option('--idle-max <time>', 'idle time in a row after which the loop stops (default 6h)')
    .option('--end-left-behind', 'first end the agents that killed loops left running')
    .option('--json', 'events as JSON, one object a line')
    .action(async (_ralph, _args, flags, command: Command) => {
      const raw = process.argv
      const plain = raw.includes('--') ? raw.length - raw.indexOf('--') - 1 : 0
      await (await import('../commands/loop-command.ts')).loopCommand(command.args, plain, flags)
    })
  lull
    .command('loop-state')
    .description('read an agent’s final message on stdin; print its state and the next delay as JSON')
    .option('--count <n>', 'idleCount of the previous run (default 0)')
    .option('--since <when>', 'idleSince of the previous run')
    .option('--prompt <file>', 'the prompt; a marker that only repeats it does not count')
    .option('--idle-delay <time>', 'first wait after an idle run (default 30s)')
    .option('--idle-backoff <factor>', 'factor by which each idle wait grows (default 2)')
    .option('--idle-max-delay <time>', 'longest idle wait (default 5m)')
    .option('--idle-max <time>', 'idle time in a row after which the loop stops (default 6h)')
    .action(async flags => (await import('../commands/loop-state-command.ts')).loopStateCommand(flags))
  loop
    .command('init')
    .description('write a commented RALPH.md')
    .argument('[folder]', 'folder (default: the working folder)')
    .action(async folder => (await import('../commands/loop-command.ts')).loopInitCommand(folder))
}
