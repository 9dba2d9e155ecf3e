/** What MCP adds to a call: `terminal read` by the SDK's client over stdio, beside the library's own read, in pairs. */

import path from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { connect } from '../../src/connect/connect.ts'
import { quantile } from '../live/processes.ts'

const bin = path.resolve(import.meta.dirname, '../../bin/lull.js')
const pairs = 200

export type Overhead = {
  readonly mcpP50: number
  readonly ownP50: number
  readonly p50: number
  readonly p95: number
}

/** @param env the places of the terminals, of this process as well */
export async function measureOverhead(env: Readonly<Record<string, string>>): Promise<Overhead> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, 'mcp'],
    env,
    stderr: 'ignore',
  })
  const client = new Client({ name: 'bench', version: '1' })
  await client.connect(transport)
  await using lull = await connect({ own: true })
  await (await lull.open('bench-mcp', { words: ['bash', '--norc'] })).close()
  const args = { action: 'read', pane: 'bench-mcp', lines: 50 }
  const timed = async (act: () => Promise<unknown>): Promise<number> => {
    const begun = performance.now()
    await act()
    return performance.now() - begun
  }
  const viaMcp = () => timed(() => client.callTool({ name: 'terminal', arguments: args }))
  // The same work: opened, judged, read, closed.
  const viaLibrary = () =>
    timed(async () => {
      await using terminal = await lull.terminal('bench-mcp', { readOnly: true })
      await terminal.settle()
      await terminal.read({ lines: 50 })
    })
  for (let warm = 0; warm < 20; warm++) {
    await viaMcp()
    await viaLibrary()
  }
  const mcp: number[] = []
  const own: number[] = []
  for (let at = 0; at < pairs; at++) {
    mcp.push(await viaMcp())
    own.push(await viaLibrary())
  }
  await lull.end('bench-mcp')
  await client.close()
  const over = mcp.map((ms, at) => ms - (own[at] ?? 0))
  return {
    mcpP50: quantile(mcp, 0.5),
    ownP50: quantile(own, 0.5),
    p50: quantile(over, 0.5),
    p95: quantile(over, 0.95),
  }
}
