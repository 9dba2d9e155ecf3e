/** Where Grok Build reads its MCP servers: as `grok mcp add` 1.0.41 writes them. */
import { type McpPlan, usualEntry } from '../kit/mcp-plan.ts'

export const mcpPlan: McpPlan = {
  user: { path: '.grok/config.toml' },
  format: 'toml',
  table: 'mcp_servers',
  entry: usualEntry,
}
