/** Which CLI a command line runs, and where its final message is found: in rows on stdout, or in all of it. */
import path from 'node:path'
import type { AgentName } from '../agents/kit/agent.ts'
import { agents } from '../agents/registry.ts'

export type Headless = {
  /** The command line that is run. */
  readonly words: readonly string[]
  /** The CLI whose rows its stdout is made of. */
  readonly rows?: AgentName
  /** Its output hides the final message from lull: what to write instead. */
  readonly advice?: string
}

/** The options by which each CLI prints rows, as `option value` or as a switch; the first is the one advised. */
const rowOptions: Readonly<Record<AgentName, readonly string[]>> = {
  claude: ['--output-format stream-json', '--output-format json'],
  codex: ['--json', '--experimental-json'],
  opencode: ['--format json'],
  gemini: ['--output-format stream-json', '-o stream-json'],
  qwen: ['--output-format stream-json', '-o stream-json'],
  copilot: ['--output-format json'],
  pi: ['--mode json'],
  cline: ['--json'],
}

/** Output that is neither rows nor plain: one JSON text over many lines, in which a marker has no line of its own. */
const wrapped: Partial<Record<AgentName, readonly string[]>> = {
  gemini: ['--output-format json', '-o json'],
  qwen: ['--output-format json', '-o json'],
}

/** What is asked of the command line: ralphify adds the options for rows to a binary named `claude` alone, and so it is here. */
export function headless(words: readonly string[]): Headless {
  const agent = agentOf(words)
  if (agent === undefined) return { words }
  const isPlainClaude = path.basename(words[0] ?? '') === 'claude' && !words.some(isFormat)
  const run = isPlainClaude ? [...words, '--output-format', 'stream-json'] : [...words]
  if (rowOptions[agent].some(option => hasOption(run, option)))
    return { words: needsVerbose(agent, run) ? [...run, '--verbose'] : run, rows: agent }
  const isWrapped = wrapped[agent]?.some(option => hasOption(run, option)) === true
  return isWrapped ? { words: run, advice: rowOptions[agent][0] as string } : { words: run }
}

const isFormat = (word: string): boolean => /^--output-format(=|$)/.test(word)

/** Claude Code refuses to print rows without it. */
const needsVerbose = (agent: AgentName, words: readonly string[]): boolean =>
  agent === 'claude' && hasOption(words, '--output-format stream-json') && !words.includes('--verbose')

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
  const known = Object.values(agents).find(({ process: { argv0, script } }) => {
    return argv0.includes(path.basename(first)) || script?.test(first) === true
  })
  return known?.name
}
