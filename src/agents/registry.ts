/** What is known of each agent. Adding one (`npm run new -- agent NAME`) is adding a folder, its name, and a line here. */

import type { AgentName } from './agent-names.ts'
import { claude } from './claude/agent.ts'
import { cline } from './cline/agent.ts'
import { codex } from './codex/agent.ts'
import { copilot } from './copilot/agent.ts'
import { gemini } from './gemini/agent.ts'
import type { Agent } from './kit/agent.ts'
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
