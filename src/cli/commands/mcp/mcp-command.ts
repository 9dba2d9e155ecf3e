/** `lull mcp`: what lull knows and does, as tools for agents. */
import { serveOnStdio } from '../../../mcp/mcp-server.ts'
import { onNotice } from '../../notice.ts'

export type McpFlags = { readonly allowAnswer?: boolean; readonly only?: readonly string[] }

export const mcpCommand = (version: string, { allowAnswer = false, only = [] }: McpFlags): Promise<void> =>
  serveOnStdio({ version, allowsAnswer: allowAnswer, only }, onNotice)
