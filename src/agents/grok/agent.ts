import type { Agent } from '../kit/agent.ts'
import { commandLine } from './command-line.ts'
import { mcpPlan } from './mcp-plan.ts'
import { screens } from './screen.ts'

export const grok: Agent = {
  name: 'grok',
  title: 'Grok Build',
  process: commandLine,
  mcp: mcpPlan,
  files: { transcripts: [] },
  composer: /^[\s│┃|]*❯(?:[ \u00a0]|$)/u,
  screens,
}
