/** Where Droid reads its MCP servers: as `droid mcp add` 0.225.2 writes them. */
import type { McpPlan } from '../kit/mcp-plan.ts'

export const mcpPlan: McpPlan = {
  user: { path: '.factory/mcp.json' },
  format: 'json',
  table: 'mcpServers',
  entry: ({ command, args }) => ({ type: 'stdio', command, args, disabled: false }),
}
