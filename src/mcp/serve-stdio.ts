/** `lull mcp`: one client, on standard input and output, until it hangs up. */
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { connect } from '../connect/connect.ts'
import { createMcpServer, type McpOptions } from './create-server.ts'

/** Who may not be heard any more is waited for no longer. ms */
const closingMs = 1000

/** @param onNotice what goes wrong, for a person: standard output is the client's */
export async function serveOnStdio(
  options: Omit<McpOptions, 'memory'>,
  onNotice: (sentence: string) => void,
): Promise<void> {
  const lull = await connect({ onNotice })
  const memory = new Map<string, readonly string[]>()
  const handle = serveStdio(() => createMcpServer(lull, { ...options, memory }), {
    onerror: error => onNotice(error.message),
  })
  await new Promise<void>(resolve => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve())
    process.stdin.once('end', resolve)
    process.stdin.once('close', resolve)
    process.stdout.once('error', () => resolve())
  })
  // What still waits ends with its client.
  const end = setTimeout(() => process.exit(0), closingMs)
  end.unref()
  await handle.close()
  await lull.close()
}
