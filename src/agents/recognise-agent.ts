/** Which agent a command line starts. */
import { type AgentName, agentNames } from './agent-names.ts'
import { type CommandLine, commandLines } from './command-lines.ts'

/** A CLI is a native program of that name, or a script that node runs. Its servers and tools hold no session. */
export function recognise(argv: readonly string[]): AgentName | undefined {
  const agent = agentNames.find(name => isOf(commandLines[name], argv))
  if (agent === undefined) return undefined
  const { withoutSession = [], server, firstWord, never = [] } = commandLines[agent]
  const word = argv[(scriptIn(commandLines[agent], argv) ?? 0) + 1] ?? ''
  if (firstWord && word !== '' && !firstWord.test(word)) return undefined
  const isOther = [...withoutSession, server].includes(word) || never.some(one => argv.includes(one))
  return isOther ? undefined : agent
}

/** Whether a command line is of this one, whatever its words. */
export const isOf = (known: CommandLine, argv: readonly string[]): boolean =>
  known.argv0.includes(lastPart(argv[0] ?? '')) || scriptIn(known, argv) !== undefined

export const isRuntime = (program: string): boolean => runsScripts.test(lastPart(program))

/** The index of the agent's script in a command line. */
function scriptIn(
  { argv0, script: pattern, nodeAs, runsInPython }: CommandLine,
  argv: readonly string[],
): number | undefined {
  const program = lastPart(argv[0] ?? '')
  const at = nodeAs?.includes(program) ? scriptAt(argv) : scriptOf(argv)
  const script = at === undefined ? undefined : (argv[at] as string)
  if (script === undefined) return undefined
  const isRun = runsScripts.test(program) || (runsInPython === true && runsPython.test(program))
  const isNamed = isRun && argv0.includes(lastPart(script))
  return isNamed || pattern?.test(script) ? at : undefined
}

const runsScripts = /^(node|bun)$/
/** Its scripts have names that many programs have. */
const runsPython = /^python\d?(\.\d+)?$/

/** The index of the script in a command line of node or Python; undefined for other programs. */
export function scriptOf(argv: readonly string[]): number | undefined {
  const program = lastPart(argv[0] ?? '')
  return runsScripts.test(program) || runsPython.test(program) ? scriptAt(argv) : undefined
}

const isCode = /^(-e|-p|-pe|-c|--eval|--print)$/
const takesValue = /^(-r|--require|--import|--loader|--experimental-loader|-C|--conditions|-X|-W)$/

/** The index of the script after `node` or `python`; undefined where the command line holds the code. */
function scriptAt(words: readonly string[]): number | undefined {
  for (let i = 1; i < words.length; i++) {
    const word = words[i] as string
    if (isCode.test(word)) return undefined
    if (takesValue.test(word)) i++
    else if (!word.startsWith('-')) return i
  }
  return undefined
}

/** The name of a file in its folder. */
function lastPart(file: string): string {
  let end = file.length
  while (end > 0 && file[end - 1] === '/') end--
  return file.slice(file.lastIndexOf('/', end - 1) + 1, end)
}
