/** Where Qwen Code reads its MCP servers: as `qwen mcp add` 0.24.4 writes them. */
import { type McpPlan, usualEntry } from '../kit/mcp-plan.ts'

export const mcpPlan: McpPlan = {
  user: { path: '.qwen/settings.json', moved: { variable: 'QWEN_HOME', folder: '.qwen' } },
  project: { path: '.qwen/settings.json' },
  format: 'json',
  table: 'mcpServers',
  entry: usualEntry,
}
