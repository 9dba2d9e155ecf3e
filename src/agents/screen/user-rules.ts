/** A person's own rules over screens: read of what a file holds, and put before those of lull. Pure. */

import { oneLine } from '../../core/text/printable.ts'
import { isRecord } from '../../core/trace/trace.ts'
import { sharedIds } from './common-rules.ts'
import type { ScreenRule, ScreenRules } from './screen-rule.ts'
import { stateOfWord } from './state-words.ts'
import { type UserFields, userFields } from './user-fields.ts'

export type UserRules = {
  readonly rules: readonly ScreenRule[]
  readonly version?: string
  readonly hidesWork?: boolean
  /** Ids of rules of lull's own that do not hold. */
  readonly disabled: readonly string[]
}

/** What is wrong, and at which field. */
export type Mistake = { readonly path: readonly PropertyKey[]; readonly sentence: string }

/** Compiles a pattern that a person wrote; throws an error for people where it is none. */
type Compile = (pattern: string, options: { readonly ignoresCase: boolean }) => RegExp

/** Files written for lull 0.1 call the field `says`. */
const withState = (file: unknown): unknown =>
  isRecord(file) && Array.isArray(file.rules) ? { ...file, rules: file.rules.map(renamed) } : file
const renamed = (rule: unknown): unknown => {
  if (!isRecord(rule) || !('says' in rule) || 'state' in rule) return rule
  const { says, ...rest } = rule
  return { ...rest, state: says }
}

/**
 * @param value what the file holds
 * @param builtIn the rules of lull for this agent, where it knows it
 * @returns the rules, or all that is wrong
 */
export function readUserRules(
  value: unknown,
  builtIn: ScreenRules | undefined,
  compile: Compile,
): UserRules | { readonly mistakes: readonly Mistake[] } {
  const read = userFields.safeParse(withState(value ?? {}))
  if (!read.success)
    return { mistakes: read.error.issues.map(issue => mistake(issue.path, issue.message, namesIn(issue))) }
  const mistakes: Mistake[] = []
  const pattern = (rule: UserFields['rules'][number], at: number, field: 'pattern' | 'unless') => {
    const text = rule[field]
    if (text === undefined) return undefined
    try {
      return compile(text, { ignoresCase: rule.ignore_case ?? false })
    } catch (error) {
      mistakes.push({ path: ['rules', at, field], sentence: (error as Error).message })
      return undefined
    }
  }
  const rules = read.data.rules.flatMap((rule, at): ScreenRule[] => {
    const found = pattern(rule, at, 'pattern')
    const unless = pattern(rule, at, 'unless')
    if (!found) return []
    const { id, part, state, menu, confidence } = rule
    return [
      {
        ...{ id, part, pattern: found, state: stateOfWord(state) },
        ...(unless ? { unless } : {}),
        ...(menu ? { isMenu: true } : {}),
        ...(confidence === undefined ? {} : { confidence }),
      },
    ]
  })
  const { disable, version, hides_work: hidesWork } = read.data
  const known = [...new Set([...(builtIn?.rules ?? []).map(({ id }) => id), ...sharedIds])]
  disable.forEach((id, at) => {
    if (!known.includes(id))
      mistakes.push({
        path: ['disable', at],
        sentence: `disable[${at}]: no rule of lull is called ${id}: there is ${known.join(', ')}`,
      })
  })
  if (mistakes.length > 0) return { mistakes }
  return {
    rules,
    disabled: disable,
    ...(version === undefined ? {} : { version: String(version) }),
    ...(hidesWork === undefined ? {} : { hidesWork }),
  }
}

/** Of an agent that lull does not know, a screen at rest looks as one that streams. */
export function withUserRules(builtIn: ScreenRules, user: UserRules): ScreenRules {
  const without = new Set([...user.rules.map(({ id }) => id), ...user.disabled])
  const { hidesWork: isKnownToHide, ...rest } = builtIn
  const hidesWork = user.hidesWork ?? isKnownToHide ?? false
  return {
    ...rest,
    ...(hidesWork ? { hidesWork } : {}),
    ...(user.version === undefined ? {} : { version: user.version }),
    rules: [...user.rules, ...builtIn.rules.filter(({ id }) => !without.has(id))],
    without,
  }
}

function mistake(path: readonly PropertyKey[], message: string, names: readonly string[]): Mistake {
  const [name] = names
  if (name === undefined)
    return { path, sentence: path.length === 0 ? `the file ${message}` : `${fieldAt(path)} ${message}` }
  const isRule = path.length > 0
  const fields = Object.keys(isRule ? userFields.shape.rules.unwrap().element.shape : userFields.shape)
  const field = oneLine(fieldAt([...path, name]), 100)
  return { path: [...path, name], sentence: `${field} is no field: there is ${fields.join(', ')}` }
}

/** Fields that mean nothing here. */
const namesIn = (issue: { readonly code?: string; readonly keys?: unknown }): readonly string[] =>
  issue.code === 'unrecognized_keys' && Array.isArray(issue.keys) ? issue.keys : []

/** `rules[1].part` */
const fieldAt = (path: readonly PropertyKey[]): string =>
  path.map((key, n) => (typeof key === 'number' ? `[${key}]` : `${n > 0 ? '.' : ''}${String(key)}`)).join('')
