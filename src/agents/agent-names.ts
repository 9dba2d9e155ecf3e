/** The agents that lull knows, by name: modules that need no more than names load no reader. */

/** In the order in which they are listed for people. */
export const agentNames = ['claude', 'codex', 'opencode', 'gemini', 'qwen', 'copilot', 'pi', 'cline'] as const

export type AgentName = (typeof agentNames)[number]

export const isAgentName = (name: string): name is AgentName =>
  (agentNames as readonly string[]).includes(name)
