/** The commands that set lull up on this machine. Each is loaded when it is called. */
import type { Command } from 'commander'
import { hookedNames, mcpNames, skillNames } from '../../agents/agent-names.ts'
import type { InstallFlags } from '../commands/mcp/install-for-agents.ts'
import { onNotice } from '../ui/print.ts'

export function addMachineGroup(lull: Command, version: string): void {
  addHookCommands(lull)
  addMcpCommands(lull, version)
  addMachineCommands(lull, version)
  addHostCommands(lull, version)
  addServeCommands(lull)
  addTmuxCommands(lull)
  addCompletionCommands(lull)
}

function addCompletionCommands(lull: Command): void {
  lull
    .command('completion')
    .description('print a script that makes your shell complete commands, options and session names')
    .argument('<shell>', 'bash, zsh or fish; in ~/.bashrc: eval "$(lull completion bash)"')
    .action(async shell => (await import('../completion/completion-command.ts')).completionCommand(shell))
  lull
    .command('complete', { hidden: true })
    .description('print the proposals for a command line, one a line, each with its meaning')
    .argument('[words...]', 'after --: the words typed after lull; the last one is incomplete')
    .action(async words => (await import('../completion/completion-command.ts')).completeCommand(lull, words))
}

const loadSegment = () => import('../commands/tmux/segment-command.ts')

function addTmuxCommands(lull: Command): void {
  const tmux = lull
    .command('tmux')
    .description('print counts of your sessions for tmux’ status line')
    .option('--plain', 'without tmux colour codes')
    .option('--json', 'JSON output, one object')
    .action(async flags => (await loadSegment()).segmentCommand(flags))
  tmux
    .command('install')
    .description('add the counts to tmux’ status line (lines at the end of your tmux.conf)')
    .option('--bind <key>', 'key after tmux’ prefix that runs lull go')
    .option('--dry-run', 'a diff of the changes; nothing is written')
    .option('--json', 'JSON output, one object')
    .action(async (_, command) =>
      (await loadSegment()).segmentInstallCommand('install', command.optsWithGlobals()),
    )
  tmux
    .command('uninstall')
    .description('remove those lines')
    .option('--dry-run', 'a diff of the changes; nothing is written')
    .option('--json', 'JSON output, one object')
    .action(async (_, command) =>
      (await loadSegment()).segmentInstallCommand('uninstall', command.optsWithGlobals()),
    )
}

type Installed = 'mcp' | 'skill'

/** The agents of which lull knows where that goes. */
const agentsFor: Readonly<Record<Installed, readonly string[]>> = { mcp: mcpNames, skill: skillNames }

function addInstall(
  group: Command,
  kind: Installed,
  descriptions: readonly (readonly ['install' | 'uninstall', string])[],
): void {
  for (const [verb, description] of descriptions)
    group
      .command(verb)
      .description(description)
      .argument('<agent>', agentsFor[kind].join(', '))
      .option('--user', 'your user settings, for all sessions (default)')
      .option('--project', 'the settings of this project only')
      .option('--dry-run', 'a diff of the changes; nothing is written')
      .option('--json', 'JSON output, one object')
      .action(async (agent: string, flags: InstallFlags) =>
        (await import('../commands/mcp/install-for-agents.ts')).installForAgent(kind, verb, agent, flags),
      )
}

function addMcpCommands(lull: Command, version: string): void {
  const mcp = lull
    .command('mcp')
    .description('run an MCP server on stdin and stdout: terminals, sessions and waits as tools')
    .option('--allow-answer', 'permission to answer dialogs of agents')
    .option('--only <sessions...>', 'the only sessions that it may show and drive (default: all)')
    .action(async ({ allowAnswer: allowsAnswer = false, only = [] }) =>
      (await import('../../mcp/mcp-server.ts')).serveOnStdio({ version, allowsAnswer, only }, onNotice),
    )
  addInstall(mcp, 'mcp', [
    ['install', 'add the MCP server to an agent’s settings'],
    ['uninstall', 'remove it from an agent’s settings'],
  ])
  const skill = lull.command('skill').description('install a skill that explains lull to agents')
  addInstall(skill, 'skill', [
    ['install', 'write the skill into an agent’s folder'],
    ['uninstall', 'remove the skill'],
  ])
  skill
    .command('show')
    .description('print the skill')
    .action(async () => (await import('../commands/mcp/install-for-agents.ts')).skillShowCommand())
}

function addHostCommands(lull: Command, version: string): void {
  const host = lull.command('host').description('control the background process that receives hooks')
  host
    .command('start')
    .description('start the host, unless it runs')
    .option('--port <n>', 'loopback port that also receives hooks, with a token')
    .option(
      '--answer-7501 [socket]',
      'ask agents in tmux for their status, and read what they print there; with a socket or name, only in that tmux server',
    )
    .option('--json', 'JSON output, one object')
    .action(async flags => (await import('../commands/host-command.ts')).hostStartCommand(flags))
  host
    .command('stop')
    .description('stop the host')
    .option('--json', 'JSON output, one object')
    .action(async flags => (await import('../commands/host-command.ts')).hostStopCommand(flags))
  host
    .command('restart')
    .description('stop the host and start it with the same options; lull’s own terminals keep running')
    .option('--json', 'JSON output, one object')
    .action(async flags => (await import('../commands/host-command.ts')).hostRestartCommand(flags))
  host
    .command('status')
    .description('show what the host received; exit 1 if no host runs')
    .option('--json', 'JSON output, one object')
    .action(async flags => (await import('../commands/host-command.ts')).hostStatusCommand(flags))
  host
    .command('stdio', { hidden: true })
    .description('serve this machine’s sessions on stdin and stdout: what --on starts over ssh')
    .action(async () => (await import('../commands/host-command.ts')).hostStdioCommand(version))
  host
    .command('run', { hidden: true })
    .description('run the host in the foreground')
    .option('--port <n>')
    .option('--answer-7501 [socket]')
    .action(async flags => (await import('../commands/host-command.ts')).hostRunCommand(version, flags))
}

function addServeCommands(lull: Command): void {
  const load = () => import('../commands/serve/serve-command.ts')
  const serve = lull
    .command('serve')
    .description('serve an HTTP API to the programs of this machine, or to others')
    .option('--port <n>', 'TCP port (default 4770)')
    .option('--listen <address>', 'IP address to listen on (default 127.0.0.1)')
    .option('--read-only', 'reject all that types or changes something')
    .option('--tls-cert <file>', 'PEM file of the certificate; needed beyond loopback')
    .option('--tls-key <file>', 'PEM file of its key')
    .option('--behind-proxy <host>', 'name of a reverse proxy that does TLS')
    .option('--recordings <folder>', 'folder of recordings for the page (default: lull’s own)')
    .option('--on <boxes>', 'serve the sessions of these boxes, too; fleet is all hosts of the fleet')
    .option('--open', 'open the page in a browser, and print a one-time link to it')
    .option('--install', 'write a unit that starts the host at login (systemd)')
    .option('--json', 'JSON output, one object')
    .action(async flags => (await load()).serveCommand(flags))
  serve
    .command('status')
    .description('show where the API is; exit 1 if it is not served')
    .option('--json', 'JSON output, one object')
    .action(async (_, command) => (await load()).serveStatusCommand(command.optsWithGlobals()))
  serve
    .command('stop')
    .description('stop the API; the host keeps running')
    .option('--json', 'JSON output, one object')
    .action(async (_, command) => (await load()).serveStopCommand(command.optsWithGlobals()))
  addTokenCommands(serve)
}

function addTokenCommands(serve: Command): void {
  const load = () => import('../commands/serve/serve-token-command.ts')
  const token = serve.command('token').description('manage who may use the API')
  token
    .command('add')
    .description('make a token for a device or program, and print it once')
    .argument('<name>', 'name of the device or program')
    .option('--scope <scope>', 'read, or act: also type, answer, open, close (default read)')
    .option('--qr', 'a one-time link for a browser, also as a QR code')
    .option('--json', 'JSON output, one object')
    .action(async (name, _, command) => (await load()).tokenAddCommand(name, command.optsWithGlobals()))
  token
    .command('list')
    .description('list the tokens')
    .option('--json', 'JSON output, one object a line')
    .action(async (_, command) => (await load()).tokenListCommand(command.optsWithGlobals()))
  token
    .command('revoke')
    .description('revoke a token; what it has open ends')
    .argument('<name>', 'name of the token')
    .option('--json', 'JSON output, one object')
    .action(async (name, _, command) => (await load()).tokenRevokeCommand(name, command.optsWithGlobals()))
}

function addHookCommands(lull: Command): void {
  const hooks = lull.command('hooks').description('install hooks, through which agents report to lull')
  const about = (verb: string, which: string, description: string): Command =>
    hooks
      .command(verb)
      .description(description)
      .argument('[agent]', `${hookedNames.join(', ')} (default: all ${which} agents)`)
      .option('--user', 'your user settings, for all sessions (default)')
      .option('--project', 'the settings of this project only')
      .option('--dry-run', 'a diff of the changes; nothing is written')
      .option('--cli <path>', 'path of the installed CLI (default: found on the PATH)')
      .option('--json', 'JSON output, one object')

  about('install', 'found', 'add hooks for the events that the installed CLI knows')
    .option('--yes', 'do not ask in a terminal whether all found agents get hooks')
    .action(async (agent, flags) =>
      (await import('../commands/hooks/hooks-install-command.ts')).hooksCommand('install', agent, flags),
    )
  about('uninstall', 'installed', 'remove the hooks that lull installed').action(async (agent, flags) =>
    (await import('../commands/hooks/hooks-install-command.ts')).hooksCommand('uninstall', agent, flags),
  )
  hooks
    .command('doctor')
    .description('test whether hooks arrive and show why a session sends none; exit 1 on a problem')
    .argument('[agent]', 'only this agent (default: all)')
    .option('--cli <path>', 'path of the installed CLI (default: found on the PATH)')
    .option('--json', 'JSON output, one object')
    .action(async (agent, flags) =>
      (await import('../commands/hooks/hooks-doctor-command.ts')).doctorCommand(agent, flags),
    )
}

function addMachineCommands(lull: Command, version: string): void {
  lull
    .command('demo')
    .description('play three recorded sessions, list the agents that run now, and judge eight commands')
    .option('--stories', 'only the recorded sessions')
    .option('--processes', 'only the eight commands; with --once, exit 0 if all verdicts are right')
    .option('--speed <n>', 'playback speed; at 2 a session takes 8 s', '2')
    .option('--once', 'only the final table, without playing')
    .option('--json', 'the final table as JSON')
    .option('--page', 'the recorded sessions on the page, in a browser')
    .action(async flags => (await import('../demo/demo.ts')).demoCommand(flags, version))

  lull
    .command('doctor')
    .description('show what this machine allows, and what lull cannot do without it')
    .option('--json', 'JSON output, one object')
    .action(async flags => (await import('../commands/doctor-command.ts')).doctorCommand(flags))
}
