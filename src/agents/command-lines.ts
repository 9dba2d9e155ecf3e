/**
 * How each agent is recognised by its command line. This table loads no reader: recognising a process needs none, and
 * readers take longer to load than everything a wait on a terminal needs.
 */
import type { AgentName } from './agent-names.ts'

/** Recognises a command line, split at NUL or blanks, as the agent's. */
export type CommandLine = {
  readonly argv0: readonly string[]
  /** The script that `node` or `python` runs. */
  readonly script?: RegExp
  /** The name `node` gives itself when it runs that script. Many programs have such a name. */
  readonly nodeAs?: readonly string[]
  /** A Python script of this name is the agent, too. */
  readonly runsInPython?: true
  /** Other programs share the name: only a command line without arguments, or with such a first one, is the agent. */
  readonly firstWord?: RegExp
  /** First arguments of command lines without a session: servers, settings, versions. */
  readonly withoutSession?: readonly string[]
  /** The first argument of a server that runs the turns of several sessions: its children may belong to any of them. */
  readonly server?: string
  /** Arguments, at any place, of a helper process of the agent. It has no session of its own. */
  readonly never?: readonly string[]
}

export const commandLines: Readonly<Record<AgentName, CommandLine>> = {
  claude: {
    argv0: ['claude'],
    script: /@anthropic-ai\/claude-code/,
    withoutSession: [
      '--version',
      '-v',
      '--help',
      '-h',
      'agents',
      'auth',
      'config',
      'doctor',
      'install',
      'mcp',
      'plugin',
      'setup-token',
      'update',
      'upgrade',
    ],
  },
  codex: {
    argv0: ['codex'],
    script: /@openai\/codex/,
    // A daemon that Codex leaves behind (docs/research/agents.md#other-agents-events).
    server: 'app-server',
    withoutSession: [
      '--version',
      '-V',
      '--help',
      '-h',
      'apply',
      'cloud',
      'completion',
      'debug',
      'features',
      'help',
      'login',
      'logout',
      'mcp',
      'mcp-server',
      'sandbox',
      'update',
    ],
  },
  opencode: {
    argv0: ['opencode'],
    script: /opencode-ai/,
    withoutSession: [
      '--version',
      '-v',
      '--help',
      '-h',
      'auth',
      'models',
      'mcp',
      'serve',
      'upgrade',
      'uninstall',
      'export',
      'import',
      'stats',
    ],
  },
  gemini: {
    argv0: ['gemini'],
    script: /@google\/gemini-cli/,
    withoutSession: ['--version', '-v', '--help', '-h', 'mcp', 'extensions', 'skills', 'hooks'],
  },
  qwen: {
    argv0: ['qwen'],
    script: /@qwen-code\/qwen-code/,
    withoutSession: ['--version', '-v', '--help', '-h', 'mcp', 'extensions', 'auth', 'hooks'],
  },
  copilot: {
    argv0: ['copilot'],
    script: /@github\/copilot/,
    withoutSession: ['--version', '-v', '--help', '-h', 'help', 'login', 'update', 'version', 'plugin'],
  },
  pi: {
    argv0: ['pi'],
    script: /@mariozechner\/pi-coding-agent/,
    withoutSession: ['--version', '-v', '--help', '-h', 'install', 'remove', 'list', 'update', 'config'],
  },
  cline: {
    argv0: ['cline'],
    script: /(^|\/)node_modules\/cline\//,
    // The first client starts it, and the next ones use it (3.0.65).
    server: '--cline-hub-daemon',
    withoutSession: [
      '--version',
      '-V',
      '--help',
      '-h',
      'auth',
      'config',
      'history',
      'hook',
      'update',
      'version',
    ],
  },
  'cursor-agent': {
    argv0: ['cursor-agent'],
    script: /\/cursor-agent\/versions\/[^/]+\/index\.js$/,
    nodeAs: ['cursor-agent', 'agent'],
    withoutSession: [
      '--version',
      '-v',
      '--help',
      '-h',
      'about',
      'help',
      'login',
      'logout',
      'ls',
      'mcp',
      'models',
      'status',
      'update',
      'whoami',
    ],
  },
  /** An editor has its name too, and is given a file; another `amp` transfers logs. */
  amp: {
    argv0: ['amp'],
    script: /(^|\/)node_modules\/@(?:ampcode|sourcegraph)\//,
    firstWord: /^(?:-|(?:last|l|threads?|t)$)/,
    withoutSession: ['--version', '-V', '--help', '-h', '--no-tui'],
  },
  droid: {
    argv0: ['droid'],
    script: /(^|\/)node_modules\/(?:droid|@factory\/cli)\//,
    /** What is drawn is a process of its own, which runs this one. */
    never: ['stream-jsonrpc'],
    withoutSession: [
      '--version',
      '-v',
      '--help',
      '-h',
      'computer',
      'daemon',
      'doctor',
      'find',
      'help',
      'mcp',
      'plugin',
      'search',
      'update',
    ],
  },
  kimi: {
    /** Since it has started, whatever its command line was. */
    argv0: ['kimi', 'kimi-code'],
    script: /@moonshot-ai\/kimi-code\//,
    withoutSession: [
      '--version',
      '-V',
      '--help',
      '-h',
      'acp',
      'doctor',
      'export',
      'fork',
      'install-desktop',
      'login',
      'migrate',
      'provider',
      'rc',
      'remote',
      'server',
      'session',
      'update',
      'upgrade',
      'vis',
      'web',
    ],
  },
  aider: {
    argv0: ['aider'],
    script: /(?:^|\/)aider$/,
    withoutSession: ['--version', '--help', '-h', '--list-models', '--models'],
  },
  /** A tool for migrations of databases has its name: `goose up`, `goose -dir DIR postgres …`. */
  goose: {
    argv0: ['goose'],
    firstWord: /^(?:session|s|run|r)$/,
  },
  /** `grok -f FILE` is another program, which finds patterns in logs. */
  grok: {
    argv0: ['grok'],
    script: /@xai-official\/grok\//,
    withoutSession: [
      '-f',
      '--version',
      '-V',
      '--help',
      '-h',
      'agent',
      'completions',
      'help',
      'leader',
      'login',
      'logout',
      'mcp',
      'models',
      'plugin',
      'sessions',
      'setup',
      'update',
      'version',
    ],
  },
  /** `kiro` is the editor of the same maker. */
  kiro: {
    argv0: ['kiro-cli', 'kiro-cli-chat'],
    firstWord: /^(?:-|chat$)/,
    withoutSession: ['--version', '-V', '--help', '-h', '--help-all'],
  },
  /** A text editor has its name, and is given a file: only a folder of dots can't be one. */
  kilo: {
    argv0: ['kilo', 'kilocode'],
    script: /@kilocode\/cli\//,
    firstWord: /^(?:-|\.{1,2}$|run$|attach$)/,
    withoutSession: ['--version', '-v', '--help', '-h'],
  },
  auggie: {
    argv0: ['auggie'],
    script: /@augmentcode\/auggie\//,
    withoutSession: [
      '--version',
      '-v',
      '--help',
      '-h',
      '--acp',
      '--mcp',
      'account',
      'command',
      'context',
      'login',
      'logout',
      'mcp',
      'model',
      'session',
      'token',
      'tools',
      'upgrade',
    ],
  },
  /** Continue: a script, and no native program, whose name is too short to be its own. */
  cn: {
    argv0: [],
    script: /@continuedev\/cli\/|(?:^|\/)bin\/cn$/,
    withoutSession: [
      '--version',
      '-v',
      '--help',
      '-h',
      'checks',
      'login',
      'logout',
      'ls',
      'remote',
      'review',
      'serve',
    ],
  },
  nanocoder: {
    argv0: ['nanocoder'],
    script: /@nanocollective\/nanocoder\//,
    withoutSession: ['--version', '-v', '--help', '-h', '--acp', 'codex', 'copilot', 'daemon'],
  },
}
