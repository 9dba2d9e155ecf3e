/** Where Codex reads its MCP servers: as `codex mcp add` 0.169.0 writes them. */
import { type McpPlan, usualEntry } from '../kit/mcp-plan.ts'

export const mcpPlan: McpPlan = {
  user: { path: '.codex/config.toml', moved: { variable: 'CODEX_HOME', folder: '.codex' } },
  format: 'toml',
  table: 'mcp_servers',
  entry: usualEntry,
}
