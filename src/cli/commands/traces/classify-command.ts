/** `lull classify`: what a screen says that is given as text, or many of them, a JSON object a line. */
import { once } from 'node:events'
import { usageOf } from '../../../core/error-sentence.ts'
import { exitCode } from '../../../core/exit-codes.ts'
import { LullError } from '../../../core/lull-error.ts'
import { agentNames } from '../../../index.ts'
import {
  classifyLines,
  classifyText,
  readScreenText,
  wanted,
} from '../../../sessions/screens/classify-text.ts'
import { checkRulesFiles, type RulesByAgent, rulesByAgent } from '../../../sessions/screens/rules-by-agent.ts'
import { rulesFolderOf } from '../../../sessions/screens/rules-place.ts'
import { jsonLine, lines, onNotice, print } from '../../ui/print.ts'

export type ClassifyFlags = {
  readonly agent?: string
  readonly title?: string
  readonly jsonl?: boolean
  readonly explain?: boolean
  readonly check?: boolean
}

export async function classifyCommand(names: readonly string[], flags: ClassifyFlags): Promise<void> {
  refuseMixedFlags(names, flags)
  if (flags.check) return checkFiles(names)
  const rules = rulesByAgent(process.env, onNotice)
  if (flags.agent !== undefined && !flags.jsonl) rules.check(flags.agent)
  if (process.stdin.isTTY) throw new LullError('USAGE', `stdin is a terminal: ${wanted}`)
  try {
    if (flags.jsonl) await printRows(rules, flags.agent)
    else await printScreen(rules, flags)
  } catch (error) {
    throw usageOf(error, 'stdin')
  }
}

/** They would be passed over in silence. */
function refuseMixedFlags(names: readonly string[], flags: ClassifyFlags): void {
  const { agent, title, jsonl, explain, check } = flags
  if (check && [agent, title, jsonl, explain].some(flag => flag !== undefined))
    throw new LullError('USAGE', '--check accepts only names of agents')
  if (!check && names.length > 0)
    throw new LullError('USAGE', 'names of agents need --check; give the agent of a screen as --agent')
  if (jsonl && (title !== undefined || explain))
    throw new LullError('USAGE', '--title and --explain do not work with --jsonl')
  if (!check && !jsonl && agent === undefined)
    throw new LullError('USAGE', `no agent given; add --agent with one of ${agentNames.join(', ')}`)
}

async function printScreen(rules: RulesByAgent, { agent = '', ...asked }: ClassifyFlags): Promise<void> {
  print(lines(...classifyText(await readScreenText(process.stdin), rules, { agent, ...asked })))
}

async function printRows(rules: RulesByAgent, agent: string | undefined): Promise<void> {
  for await (const row of classifyLines(process.stdin, rules, agent)) {
    if ('error' in row) process.exitCode = exitCode.failed
    if (!print(jsonLine(row))) await once(process.stdout, 'drain')
  }
}

function checkFiles(names: readonly string[]): void {
  const files = checkRulesFiles(process.env, names)
  if (files.length === 0)
    print(lines(`no rules of your own; put them into ${rulesFolderOf(process.env)}/NAME/screen.yaml`))
  for (const found of files) {
    if ('mistakes' in found) {
      process.exitCode = exitCode.usage
      print(lines(...found.mistakes))
    } else {
      const { rules, disabled } = found.rules
      const off = disabled.length > 0 ? `, ${disabled.length} of lull’s disabled` : ''
      print(lines(`${found.agent}: ok, ${rules.length} ${rules.length === 1 ? 'rule' : 'rules'}${off}`))
    }
  }
}
