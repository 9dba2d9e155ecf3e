/** The agents that lull knows, by name: modules that need no more than names load no reader. */

/** Those that can be told to report their events, and whose files and rows lull reads. */
export const hookedNames = [
  'claude',
  'codex',
  'opencode',
  'gemini',
  'qwen',
  'copilot',
  'pi',
  'cline',
] as const

export type HookedName = (typeof hookedNames)[number]

/** In the order in which they are listed for people. Of those that come last lull reads the screen alone. */
export const agentNames = [
  ...hookedNames,
  'cursor-agent',
  'amp',
  'droid',
  'kimi',
  'aider',
  'goose',
  'grok',
  'kiro',
] as const

export type AgentName = (typeof agentNames)[number]

/** Of which lull knows where they are told of MCP servers. */
export const mcpNames = ['claude', 'codex', 'opencode', 'gemini', 'qwen', 'copilot', 'droid', 'grok'] as const

/** Of which lull knows where they read skills. */
export const skillNames = ['claude', 'codex', 'gemini', 'qwen', 'pi'] as const

export const isAgentName = (name: string): name is AgentName =>
  (agentNames as readonly string[]).includes(name)
