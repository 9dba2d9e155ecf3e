/** Where Claude Code reads its MCP servers: as `claude mcp add` 2.1.330 writes them. */
import type { McpPlan } from '../kit/mcp-plan.ts'

export const mcpPlan: McpPlan = {
  user: { path: '.claude.json', moved: { variable: 'CLAUDE_CONFIG_DIR', folder: '' } },
  project: { path: '.mcp.json' },
  format: 'json',
  table: 'mcpServers',
  entry: ({ command, args }) => ({ type: 'stdio', command, args, env: {} }),
}
