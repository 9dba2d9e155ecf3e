/** The SDK's own client, talking to a real `lull mcp` on standard input and output. */
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { onTestFinished } from 'vitest'
import { bin } from './lull.ts'

type ToolAnswer = {
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into what each tool answers
  readonly data: any
  /** Of a refusal: lull's code and what a command would exit with. */
  readonly error?: unknown
  readonly isError: boolean
}

export type McpClient = {
  readonly client: Client
  readonly pid: number
  call(tool: string, args: Readonly<Record<string, unknown>>, options?: object): Promise<ToolAnswer>
  close(): Promise<void>
}

/** @param over when it is closed: with the test, unless something else closes it */
export async function mcpClient(
  env: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
  over: (end: () => Promise<void>) => void = onTestFinished,
): Promise<McpClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, 'mcp', ...flags],
    env: { PATH: process.env.PATH ?? '', ...env },
    stderr: 'ignore',
  })
  const client = new Client({ name: 'lull-test', version: '1' })
  await client.connect(transport)
  // From then on the client holds each answer against the schema of its tool, as users' clients do.
  await client.listTools()
  over(() => client.close())
  return {
    client,
    pid: transport.pid ?? 0,
    async call(name, args, options) {
      const answer = await client.callTool({ name, arguments: { ...args } }, options)
      const text = answer.content.map(part => (part.type === 'text' ? part.text : '')).join('\n')
      return {
        text,
        data: answer.structuredContent,
        error: answer._meta?.['lull/error'],
        isError: answer.isError === true,
      }
    },
    close: () => client.close(),
  }
}
