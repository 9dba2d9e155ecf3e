/**
 * The tool `run`: a command in a terminal of lull's own, to its end, or until it asks something. What has not ended by then
 * goes on, and the tool `terminal` answers it.
 */
import { randomUUID } from 'node:crypto'
import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { LullError } from '../core/lull-error.ts'
import { answerOf, terminalAnswer, toldNow, toldOf } from './terminal-answer.ts'
import type { ToolPorts } from './terminal-tool.ts'
import { errorResult } from './tool-result.ts'
import { withProgress } from './with-progress.ts'

const inputs = z.object({
  command: z
    .array(z.string())
    .min(1)
    .describe('the program and its arguments; for a line of a shell: ["sh", "-c", "…"]'),
  cwd: z.string().optional().describe('the folder'),
  timeout: z.number().min(0).max(86_400).default(600).describe('seconds'),
})

const description = `Runs a command to its end and answers its exit code and what it printed: a build, tests, a deployment.
It has a terminal, so it may ask: then the answer comes at once with what is asked (state question, password, keypress, pager), the command goes on in the terminal \`pane\`, and you answer it there with the tool terminal (send, keys, then wait_ready; close ends it). A timeout is a normal answer, too: the command goes on, call terminal wait_ready.`

export function addRunTool(server: McpServer, ports: ToolPorts): void {
  const config = { title: 'Run a command', description, inputSchema: inputs, outputSchema: terminalAnswer }
  server.registerTool('run', config, (input, context) => runIn(input, context, ports).catch(errorResult))
}

const lines = 400

async function runIn(
  { command, cwd, timeout }: z.infer<typeof inputs>,
  context: ServerContext,
  { lull, confinement, memory }: ToolPorts,
): Promise<CallToolResult> {
  const begun = performance.now()
  confinement.checkOpen(undefined)
  if (command[0] === '')
    throw new LullError('NO_COMMAND', 'run wants a program as the first word of `command`')
  const name = `run-${randomUUID().slice(0, 8)}`
  const where = cwd === undefined ? {} : { cwd }
  await using terminal = await lull.open(name, { words: command, ...where })
  const { signal } = context.mcpReq
  const answer = await withProgress(context, 'running', () =>
    terminal.waitReady({ timeout: timeout * 1000, signal }),
  )
  const told = answer ? toldOf(answer) : await toldNow(terminal)
  const result = await answerOf('run', terminal, told, { memory, begun, lines })
  if (told.state === 'exited') await lull.end(name).catch(() => undefined)
  return result
}
