/** lull as an agent asks it: the tool `terminal` of one `lull mcp`, by the SDK's client. */
import path from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { TerminalWord } from '../../src/drive/terminal-word.ts'
import type { TerminalVerdict } from '../../src/terminal/classify/terminal-verdict.ts'
import type { Says } from './scenario.ts'
import type { Face, LullSays, Pane } from './subject.ts'

const bin = path.resolve(import.meta.dirname, '../../bin/lull.js')

type Told = {
  readonly state: string
  readonly why: string
  readonly tier?: TerminalVerdict['tier']
  readonly outcome?: string
}

/** @param env where it finds terminals */
export async function startMcp(env: Readonly<Record<string, string>>) {
  const client = new Client({ name: 'bench', version: '1' })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [bin, 'mcp'], env, stderr: 'ignore' }),
  )
  async function call(pane: Pane, args: Readonly<Record<string, unknown>>): Promise<Told> {
    const answer = await client.callTool({ name: 'terminal', arguments: { pane: pane.id, ...args } })
    if (answer.isError)
      throw new Error(answer.content.map(part => ('text' in part ? part.text : '')).join(' '))
    return answer.structuredContent as Told
  }
  const saysOf = ({ state, why, tier = 'proven' }: Told): LullSays => ({ says: state, tier, why })
  return {
    face: (pane: Pane): Face => ({
      send: text => call(pane, { action: 'send', text }),
      look: async () => saysOf(await call(pane, { action: 'read' })),
      async wait(timeout) {
        const told = await call(pane, { action: 'wait_ready', timeout: timeout / 1000 })
        const says = told.outcome === 'reached' ? 'ready' : 'timeout'
        return { ...saysOf(told), guess: { says, why: told.why, at: performance.now() } }
      },
      close: async () => undefined,
    }),
    close: () => client.close(),
  }
}

/** The word with which the tool tells what a label tells. */
export function wordOf(label: Says | TerminalWord): TerminalWord {
  if (label === 'working') return 'running'
  if (!isSlashed(label)) return label
  const [kind, of] = label.split('/')
  if (kind === 'idle') return 'ready'
  return of === 'password' || of === 'keypress' || of === 'pager' || of === 'editor' ? of : 'question'
}

const isSlashed = (label: string): label is `${string}/${string}` => label.includes('/')
