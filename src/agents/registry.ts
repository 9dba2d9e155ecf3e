/** The agents that lull knows. Adding one is adding a folder and a line here. */
import { claude } from './claude/agent.ts'
import { cline } from './cline/agent.ts'
import { codex } from './codex/agent.ts'
import { copilot } from './copilot/agent.ts'
import { gemini } from './gemini/agent.ts'
import type { Agent, AgentName } from './kit/agent.ts'
import { opencode } from './opencode/agent.ts'
import { pi } from './pi/agent.ts'
import { qwen } from './qwen/agent.ts'

export const agents: Readonly<Record<AgentName, Agent>> = {
  claude,
  codex,
  opencode,
  gemini,
  qwen,
  copilot,
  pi,
  cline,
}

export const agentNames = Object.keys(agents) as readonly AgentName[]

export const isAgentName = (name: string): name is AgentName => Object.hasOwn(agents, name)
