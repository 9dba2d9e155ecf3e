/** What is known of each agent. Adding one (`npm run new -- agent NAME`) is adding a folder, its name, and a line here. */

import type { AgentName, HookedName } from './agent-names.ts'
import { aider } from './aider/agent.ts'
import { amp } from './amp/agent.ts'
import { auggie } from './auggie/agent.ts'
import { claude } from './claude/agent.ts'
import { cline } from './cline/agent.ts'
import { cn } from './cn/agent.ts'
import { codex } from './codex/agent.ts'
import { copilot } from './copilot/agent.ts'
import { cursorAgent } from './cursor-agent/agent.ts'
import { droid } from './droid/agent.ts'
import { gemini } from './gemini/agent.ts'
import { goose } from './goose/agent.ts'
import { grok } from './grok/agent.ts'
import { kilo } from './kilo/agent.ts'
import { kimi } from './kimi/agent.ts'
import { kiro } from './kiro/agent.ts'
import type { Agent, HookedAgent } from './kit/agent.ts'
import { nanocoder } from './nanocoder/agent.ts'
import { opencode } from './opencode/agent.ts'
import { pi } from './pi/agent.ts'
import { qwen } from './qwen/agent.ts'

export const agents: Readonly<Record<AgentName, Agent> & Record<HookedName, HookedAgent>> = {
  claude,
  codex,
  opencode,
  gemini,
  qwen,
  copilot,
  pi,
  cline,
  'cursor-agent': cursorAgent,
  amp,
  droid,
  kimi,
  aider,
  goose,
  grok,
  kiro,
  kilo,
  auggie,
  cn,
  nanocoder,
}
