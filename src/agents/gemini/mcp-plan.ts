/** Where Gemini CLI reads its MCP servers: as `gemini mcp add` 0.61.0 writes them. */
import { type McpPlan, usualEntry } from '../kit/mcp-plan.ts'

export const mcpPlan: McpPlan = {
  user: { path: '.gemini/settings.json', moved: { variable: 'GEMINI_CLI_HOME', folder: '' } },
  project: { path: '.gemini/settings.json' },
  format: 'json',
  table: 'mcpServers',
  entry: usualEntry,
}
