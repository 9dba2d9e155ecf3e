/** The commands that keep agents going: run, loop, respawn, notify. `run-flags` reads the words of `lull run`. */
import { type Command, Option } from 'commander'

const loadNotify = () => import('../commands/notify/notify-command.ts')

export function addRunGroup(lull: Command): void {
  addRunCommands(lull)
  addLoopCommands(lull)
  addRespawnCommands(lull)
  addNotifyCommands(lull)
}

function addNotifyCommands(lull: Command): void {
  const notify = lull
    .command('notify')
    .description('send notifications when a session needs you (~/.config/lull/notify.yaml)')
  notify
    .command('init')
    .description('write a commented notify.yaml, unless there is one')
    .action(async () => (await loadNotify()).notifyInitCommand())
  notify
    .command('check')
    .description('check the rules, the programs they need, and what they match now')
    .option('--json', 'JSON output, one object')
    .action(async flags => (await loadNotify()).notifyCheckCommand(flags))
  notify
    .command('test')
    .description('send a sample notification; exit 1 if one does not arrive')
    .argument('[destination...]', 'names of destinations (default: all)')
    .option('--json', 'JSON output, one object a line')
    .action(async (names, flags) => (await loadNotify()).notifyTestCommand(names, flags))
  notify
    .command('log')
    .description('show notifications that were sent, failed or withdrawn')
    .option('--since <time>', 'how far back (default 24h)')
    .option('--json', 'JSON output, one object a line')
    .action(async flags => (await loadNotify()).notifyLogCommand(flags))
}

const loadRespawn = () => import('../commands/respawn/respawn-command.ts')
const loadOthers = () => import('../commands/respawn/respawn-others.ts')

function addRespawnCommands(lull: Command): void {
  const respawn = lull
    .command('respawn')
    .description('keep an interactive agent going: type the next step of a plan when it is idle')
    .argument('<session>', 'an agent in tmux or in one of lull’s own terminals')
    .option('--plan <file>', 'file with the steps and the end conditions (docs/respawn.md)')
    .option('--prompt <text>', 'a one-step plan, instead of --plan')
    .option('--for <time>', 'total time after which it stops, like 8h')
    .option('--times <n>', 'number of cycles after which it stops')
    .option('--held <time>', 'how long a reported end of a turn must have held (default 3s)')
    .addOption(new Option('--settled <time>').hideHelp())
    .option('--dry-run', 'print what one cycle would type; type nothing')
    .option('--json', 'events as JSON, one object a line')
    .action(async (session, flags) => (await loadRespawn()).respawnCommand(session, flags))
  respawn
    .command('ps')
    .description('list running respawns')
    .option('--json', 'JSON output, one object a line')
    .action(async (_, command: Command) => (await loadOthers()).respawnPsCommand(command.optsWithGlobals()))
  respawn
    .command('status')
    .description('show what a respawn does and what it sees')
    .argument('<session>')
    .option('--json', 'JSON output, one object')
    .action(async (session, _, command: Command) =>
      (await loadOthers()).respawnStatusCommand(session, command.optsWithGlobals()),
    )
  for (const [name, description] of [
    ['pause', 'pause typing until resume'],
    ['resume', 'continue after pause'],
    ['skip', 'skip the next step'],
    ['stop', 'stop the respawn; the agent keeps running'],
  ] as const)
    respawn
      .command(name)
      .description(description)
      .argument('<session>')
      .action(async session => (await loadOthers()).respawnControlCommand(session, name))
  respawn
    .command('log')
    .description('show what respawns did, the evidence for it, and a summary')
    .argument('[session]', 'only this session (default: all)')
    .option('--since <time>', 'how far back (default 24h)')
    .option('--json', 'entries as JSON, one object a line')
    .action(async (session, _, command: Command) =>
      (await loadOthers()).respawnLogCommand(session, command.optsWithGlobals()),
    )
  const accept = lull.command('accept').description('try rules that answer dialogs without you')
  accept
    .command('test')
    .description('show how the rules of a plan would answer the dialogs of recordings')
    .argument('<plan>', 'plan with the rules')
    .argument('<recording...>', 'traces, written by lull record')
    .option('--json', 'JSON output, one object a line')
    .action(async (plan, recordings, flags) =>
      (await import('../commands/respawn/accept-test-command.ts')).acceptTestCommand(plan, recordings, flags),
    )
}

function addLoopCommands(lull: Command): void {
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
  for (const [name, description] of [
    ['pause', 'pause a loop once its iteration is over, until resume'],
    ['resume', 'continue after pause, with the rest of the wait'],
    ['skip', 'end a wait or a pause and begin the next iteration'],
    ['stop', 'end a loop and its agent'],
  ] as const)
    loop
      .command(name)
      .description(description)
      .argument('<session>')
      .action(async session =>
        (await import('../commands/loop-control-command.ts')).loopControlCommand(session, name),
      )
}

function addRunCommands(lull: Command): void {
  lull
    .command('run')
    .usage('[options] -- CMD…')
    .description('run a command and report whether it computes, waits or is stuck, and why')
    .argument('<command...>', 'program and arguments')
    .option('--stdin <what>', 'null (empty), inherit (yours) or open (a pipe that nobody writes to)', 'null')
    .option('--pty', 'run it in a terminal')
    .option('--cwd <folder>', 'working folder (default: this one)')
    .option(
      '--preset <name>',
      'when silence is suspicious: conservative, balanced or aggressive',
      'conservative',
    )
    .option('--dwell <time>', 'how long a proof must hold before it is certain', '10s')
    .option('--on-stuck <action>', 'action once it is stuck for certain: notify, exec CMD, or term (exit 4)')
    .option(
      '--act-at <level>',
      'when --on-stuck acts: confirmed, or likely (also without a proof)',
      'confirmed',
    )
    .option('--json', 'verdicts as JSON on stderr, one object a line')
    .option('--verdicts <file>', 'file to append the verdicts to, as JSON lines')
    .option('--record <file>', 'trace of the run, for lull replay (FILE.cast)')
    .action(async () => (await import('../commands/run-command.ts')).runCommand(process.argv.slice(3)))
}
