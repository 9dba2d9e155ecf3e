/** Where OpenCode reads its MCP servers: `mcp` of opencode.json (1.18.33). */
import type { McpPlan } from '../kit/mcp-plan.ts'

export const mcpPlan: McpPlan = {
  user: { path: '.config/opencode/opencode.json', moved: { variable: 'XDG_CONFIG_HOME', folder: '.config' } },
  project: { path: 'opencode.json' },
  format: 'json',
  table: 'mcp',
  entry: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
}
