/** Which CLI a command line runs, and where its final message is found: in rows on stdout, or in all of it. */

import path from 'node:path'
import { type AgentName, agentNames } from '../agents/agent-names.ts'
import { agents } from '../agents/registry.ts'

export type HeadlessCommand = {
  /** The command line that is run. */
  readonly words: readonly string[]
  /** The CLI whose rows its stdout is made of. */
  readonly rows?: AgentName
  /** Its output hides the final message from lull: what to write instead. */
  readonly advice?: string
}

/** What is asked of the command line: rows, where the CLI is asked for them by its bare name. */
export function headless(words: readonly string[]): HeadlessCommand {
  const name = agentOf(words)
  if (name === undefined) return { words }
  const { process: program, headless: options } = agents[name]
  if (!options) return { words }
  const [advised = ''] = options.rows
  const { asksUnless: format, wrapped = [] } = options
  const isBare = program.argv0.includes(path.basename(words[0] ?? ''))
  const isAsked = format !== undefined && isBare && !words.some(word => word.split('=')[0] === format)
  const run = isAsked ? [...words, ...advised.split(' ')] : [...words]
  if (options.rows.some(option => hasOption(run, option)))
    return { words: [...run, ...missing(options.needs, advised, run)], rows: name }
  return wrapped.some(option => hasOption(run, option)) ? { words: run, advice: advised } : { words: run }
}

const missing = (needed: string | undefined, advised: string, words: readonly string[]): string[] =>
  needed !== undefined && hasOption(words, advised) && !words.includes(needed) ? [needed] : []

function hasOption(words: readonly string[], option: string): boolean {
  const [name = '', value] = option.split(' ')
  if (value === undefined) return words.includes(name)
  return words.some((word, i) => (word === name && words[i + 1] === value) || word === `${name}=${value}`)
}

/** Programs that run another one, whose words come first; and what may stand between. */
const runsAnother =
  /^(env|nice|ionice|nohup|stdbuf|timeout|time|sudo|npx|bunx|node|bun|exec|-.*|[A-Za-z_]\w*=.*|\d+(\.\d+)?[smhd]?)$/

/** The CLI whose words these are, behind `env`, `timeout`, `npx` and the like. */
function agentOf(words: readonly string[]): AgentName | undefined {
  const first = words.find(word => !runsAnother.test(path.basename(word)))
  if (first === undefined) return undefined
  return agentNames.find(name => {
    const { argv0, script } = agents[name].process
    return argv0.includes(path.basename(first)) || script?.test(first) === true
  })
}
