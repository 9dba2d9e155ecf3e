/** Where a CLI reads which MCP servers it starts, and how one is written: data, which `mcp/install` writes. */
import type { HookFile } from './hook-plan.ts'

/** A program and its arguments. */
export type ServerCommand = { readonly command: string; readonly args: readonly string[] }

export type McpPlan = {
  /** Of a person, for all of his sessions. */
  readonly user: HookFile
  /** In a project's folder, for everybody who shares it; none where the CLI has no such file. */
  readonly project?: { readonly path: string }
  readonly format: 'json' | 'toml'
  /** The name of the table of servers. */
  readonly table: string
  entry(server: ServerCommand): Readonly<Record<string, unknown>>
}

/** Where a CLI reads skills: a person's folder, and a project's below its own. */
export type SkillFolders = { readonly user: HookFile; readonly project: string }

/** Most CLIs: `{mcpServers: {NAME: {command, args}}}`. */
export const usualEntry = ({ command, args }: ServerCommand): Readonly<Record<string, unknown>> => ({
  command,
  args,
})
