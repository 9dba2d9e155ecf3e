/** How lull's own entry among MCP servers is known. Pure. */
import { isRecord } from '../../core/trace/trace.ts'

/** The name of the server, in all CLIs. */
export const serverName = 'lull'

/** It starts `lull mcp`, whichever version wrote it, from wherever. */
export function isOurs(entry: unknown): boolean {
  if (!isRecord(entry)) return false
  const { command, args } = entry
  const words = [command, args].flat().filter(word => typeof word === 'string')
  const at = words.indexOf('mcp')
  return at > 0 && /(?:^|[/\\])lull(?:\.js)?$/.test(words[at - 1] ?? '')
}
