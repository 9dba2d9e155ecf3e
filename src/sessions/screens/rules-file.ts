/** The file of a person's own rules over the screens of one agent: read, and checked so that each mistake has its line. */
import type { ScreenRules } from '../../agents/screen/screen-rule.ts'
import { readUserRules, type UserRules } from '../../agents/screen/user-rules.ts'
import { readOwnText } from '../../os/file/plain-file.ts'
import { readYaml } from '../../os/file/yaml-text.ts'
import { readPattern } from '../../os/linear-pattern.ts'

const largest = 1024 * 1024

export type RulesFile =
  | { readonly file: string; readonly rules: UserRules }
  /** Sentences that name the file, and the line where there is one. */
  | { readonly file: string; readonly mistakes: readonly string[] }

/**
 * @param builtIn the rules of lull for this agent, where it knows it
 * @returns undefined where there is no such file
 */
export function readRulesFile(file: string, builtIn: ScreenRules | undefined): RulesFile | undefined {
  const wrong = (...mistakes: readonly string[]): RulesFile => ({ file, mistakes })
  const own = readOwnText(file, largest)
  if (!own) return undefined
  if ('wrong' in own) return wrong(own.wrong)
  const yaml = readYaml(own.text.replace(/^\uFEFF/, ''), file, { what: 'it' })
  if ('wrong' in yaml) return wrong(yaml.wrong)
  const read = readUserRules(yaml.value, builtIn, readPattern)
  if ('mistakes' in read)
    return wrong(...read.mistakes.map(({ path: at, sentence }) => `${yaml.where(at)}: ${sentence}`))
  return { file, rules: read }
}
