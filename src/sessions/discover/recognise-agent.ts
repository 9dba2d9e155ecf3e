/** Which agent a command line starts. */
import path from 'node:path'
import { type AgentName, agentNames } from '../../agents/agent-names.ts'
import { commandLines } from '../../agents/command-lines.ts'

/** A CLI is a native program of that name, or a script that node runs. Its servers and tools hold no session. */
export function recognise(argv: readonly string[]): AgentName | undefined {
  const program = path.basename(argv[0] ?? '')
  const at = scriptOf(argv)
  const script = at === undefined ? undefined : (argv[at] as string)
  const agent = agentNames.find(name => {
    const known = commandLines[name]
    if (known.argv0.includes(program)) return true
    return script !== undefined && (known.script?.test(script) || known.argv0.includes(path.basename(script)))
  })
  const word = argv[(at ?? 0) + 1] ?? ''
  return agent && commandLines[agent].withoutSession?.includes(word) ? undefined : agent
}

/** Where the script stands in a command line of node's; none in another's. */
export const scriptOf = (argv: readonly string[]): number | undefined =>
  isRuntime(argv[0] ?? '') ? scriptAt(argv) : undefined

export const isRuntime = (program: string): boolean => /^(node|bun)$/.test(path.basename(program))

const isCode = /^(-e|-p|-pe|--eval|--print)$/
const takesValue = /^(-r|--require|--import|--loader|--experimental-loader|-C|--conditions)$/

/** Where the script stands among the words after `node`; nowhere if it runs code of its command line. */
function scriptAt(words: readonly string[]): number | undefined {
  for (let i = 1; i < words.length; i++) {
    const word = words[i] as string
    if (isCode.test(word)) return undefined
    if (takesValue.test(word)) i++
    else if (!word.startsWith('-')) return i
  }
  return undefined
}
