/** The agents that lull knows, by name: modules that need no more than names load no reader. */

/** Agents with hooks. lull also reads their files and rows. */
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

/** All agents, in the order in which lull lists them. The later ones are known by their screen alone. */
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
  'kilo',
  'auggie',
  'cn',
  'nanocoder',
] as const

export type AgentName = (typeof agentNames)[number]

/** Agents for which lull can install an MCP server. */
export const mcpNames = ['claude', 'codex', 'opencode', 'gemini', 'qwen', 'copilot', 'droid', 'grok'] as const

/** Agents for which lull can install a skill. */
export const skillNames = ['claude', 'codex', 'gemini', 'qwen', 'pi'] as const

export const isAgentName = (name: string): name is AgentName =>
  (agentNames as readonly string[]).includes(name)
