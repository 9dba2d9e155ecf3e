/** Where Copilot CLI reads its MCP servers: as `copilot mcp add` 1.0.102 writes them. */
import type { McpPlan } from '../kit/mcp-plan.ts'

export const mcpPlan: McpPlan = {
  user: { path: '.copilot/mcp-config.json', moved: { variable: 'COPILOT_HOME', folder: '.copilot' } },
  format: 'json',
  table: 'mcpServers',
  entry: ({ command, args }) => ({ tools: ['*'], type: 'local', command, args }),
}
