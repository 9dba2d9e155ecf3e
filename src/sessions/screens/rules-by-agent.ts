/** By which rules the screens of an agent are read: those of lull, and a person's own before them. */
import { readdirSync } from 'node:fs'
import { agentNames, isAgentName } from '../../agents/agent-names.ts'
import { agents } from '../../agents/registry.ts'
import { noRules } from '../../agents/screen/read-screen.ts'
import type { ScreenRules } from '../../agents/screen/screen-rule.ts'
import { readUserRules, type UserRules, withUserRules } from '../../agents/screen/user-rules.ts'
import { LullError } from '../../core/lull-error.ts'
import { nearNames } from '../../core/text/near-names.ts'
import { oneLine } from '../../core/text/printable.ts'
import { attempt } from '../../os/attempt.ts'
import type { Env } from '../../os/file/places.ts'
import { readOwnText } from '../../os/file/plain-file.ts'
import { readYaml } from '../../os/file/yaml-text.ts'
import { readPattern } from '../../os/linear-pattern.ts'
import { rulesFileOf, rulesFolderOf } from './rules-place.ts'

const largest = 1024 * 1024

type RulesFile =
  | { readonly file: string; readonly rules: UserRules }
  /** Sentences that name the file, and the line where there is one. */
  | { readonly file: string; readonly mistakes: readonly string[] }

/**
 * @param builtIn the rules of lull for this agent, where it knows it
 * @returns undefined where there is no such file
 */
function readRulesFile(file: string, builtIn: ScreenRules | undefined): RulesFile | undefined {
  const wrong = (...mistakes: readonly string[]): RulesFile => ({ file, mistakes })
  const own = readOwnText(file, largest)
  if (!own) return undefined
  if ('wrong' in own) return wrong(own.wrong)
  const yaml = readYaml(own.text, file, { what: 'it' })
  if ('wrong' in yaml) return wrong(yaml.wrong)
  const read = readUserRules(yaml.value, builtIn, readPattern)
  if ('mistakes' in read)
    return wrong(...read.mistakes.map(({ path: at, sentence }) => `${yaml.where(at)}: ${sentence}`))
  return { file, rules: read }
}

export type RulesByAgent = {
  /** The shared rules alone, for an agent that neither lull nor a file knows. */
  of(agent: string | undefined): ScreenRules
  /** @throws {LullError} USAGE where neither lull nor a file knows the agent */
  check(agent: string): void
}

const isName = (name: string): boolean => /^\w[\w.-]{0,63}$/.test(name)

/** Agents that have a folder of their own; whatever else is asked for has no file. */
const namesIn = (folder: string): readonly string[] =>
  (attempt(() => readdirSync(folder)) ?? []).filter(isName).sort()

const builtInOf = (agent: string): ScreenRules | undefined =>
  isAgentName(agent) ? agents[agent].screens : undefined

/** @param complain called once for each mistake in a file; lull's rules apply then */
export function rulesByAgent(env: Env, complain: (sentence: string) => void): RulesByAgent {
  const folder = rulesFolderOf(env)
  const withFile = namesIn(folder)
  // One for each folder, not for each name that is asked for.
  const read = new Map<string, ScreenRules>()
  const ofFile = (agent: string): ScreenRules => {
    const builtIn = builtInOf(agent)
    const found = readRulesFile(rulesFileOf(folder, agent), builtIn)
    if (!found) return builtIn ?? noRules
    if ('rules' in found) return withUserRules(builtIn ?? noRules, found.rules)
    const more = found.mistakes.length > 1 ? ` (and ${found.mistakes.length - 1} more)` : ''
    complain(
      `${found.mistakes[0]}${more}; ${builtIn ? 'lull’s own' : 'the shared'} rules alone hold for ${agent}`,
    )
    return builtIn ?? noRules
  }
  return {
    of(agent) {
      if (agent === undefined) return noRules
      if (!withFile.includes(agent)) return builtInOf(agent) ?? noRules
      const rules = read.get(agent) ?? ofFile(agent)
      read.set(agent, rules)
      return rules
    },
    check(agent) {
      if (isAgentName(agent) || withFile.includes(agent)) return
      const names = [...new Set([...agentNames, ...withFile])]
      const near = nearNames(agent, names)
      const meant = near.length > 0 ? `: did you mean ${near.join(' or ')}? Known are` : ': known are'
      throw new LullError(
        'USAGE',
        `"${oneLine(agent, 40)}" is no agent that lull knows${meant} ${names.join(', ')}`,
      )
    },
  }
}

/** A file, and of which agent it is. */
export type CheckedFile = RulesFile & { readonly agent: string }

/**
 * All files, or those of the named agents.
 * @throws {LullError} USAGE where a named one has no file
 */
export function checkRulesFiles(env: Env, named: readonly string[]): readonly CheckedFile[] {
  const folder = rulesFolderOf(env)
  const found = (named.length > 0 ? named : namesIn(folder)).flatMap(agent => {
    const file = rulesFileOf(folder, agent)
    const read = isName(agent) ? readRulesFile(file, builtInOf(agent)) : undefined
    if (read) return [{ ...read, agent }]
    if (named.length === 0) return []
    throw new LullError(
      'USAGE',
      isName(agent)
        ? `${agent} has no rules of yours: they would stand in ${file}`
        : `"${oneLine(agent, 40)}" is no name of an agent`,
    )
  })
  return found
}
