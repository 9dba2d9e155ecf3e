/** Reads notify.yaml. Every mistake is reported with its line and column. */
import path from 'node:path'
import { defined } from '../../core/defined.ts'
import { LullError } from '../../core/lull-error.ts'
import { nearNames } from '../../core/text/near-names.ts'
import { configFolderOf, type Env, homeOf } from '../../os/file/places.ts'
import { readOwnText } from '../../os/file/plain-file.ts'
import { readYaml, type YamlFields } from '../../os/file/yaml-text.ts'
import type { Destination, DestinationFields, TransitionsHook } from './destination-fields.ts'
import {
  type NotifyFields,
  type NotifyRule,
  type NotifyRules,
  notifyFields,
  usualAfter,
  usualDigest,
  usualRules,
} from './notify-fields.ts'

export const notifyFile = (env: Env): string => path.join(configFolderOf(env), 'notify.yaml')

/** Its parser needs more than linear time for some texts; a file of fifty rules has 8 kB. */
const longest = 16 * 1024

export type NotifyFile =
  | { readonly file: string; readonly rules: NotifyRules }
  /** Sentences that name the file, and line and column where there are some. */
  | { readonly file: string; readonly mistakes: readonly string[] }

/** @returns undefined where there is no such file */
export function readNotifyFile(env: Env): NotifyFile | undefined {
  const file = notifyFile(env)
  // lull runs its commands, and sends secrets to its addresses.
  const own = readOwnText(file, longest)
  if (!own) return undefined
  if ('wrong' in own) return { file, mistakes: [own.wrong] }
  return { file, ...readNotifyText(own.text, file, homeOf(env)) }
}

/** @throws {LullError} BAD_NOTIFY with line and column, or where there is no file */
export function neededRules(env: Env, read = readNotifyFile(env)): NotifyRules {
  if (!read)
    throw new LullError('BAD_NOTIFY', `${notifyFile(env)} is not there: lull notify init writes a sample`)
  if ('rules' in read) return read.rules
  const [first = '', ...more] = read.mistakes
  throw new LullError('BAD_NOTIFY', more.length > 0 ? `${first} (and ${more.length} more)` : first)
}

type ReadText = { readonly rules: NotifyRules } | { readonly mistakes: readonly string[] }

export function readNotifyText(text: string, file: string, home: string): ReadText {
  if (text.length > longest) return { mistakes: [`${file}: is larger than ${longest / 1024} kB`] }
  const yaml = readYaml(text, file, { what: 'it' })
  if ('wrong' in yaml) return { mistakes: [yaml.wrong] }
  const { value, where } = yaml
  const read = notifyFields.safeParse(value)
  if (!read.success)
    return {
      mistakes: read.error.issues.flatMap(issue => {
        const mistake = (at: readonly PropertyKey[], what: string) =>
          `${where(at)}: ${at.length > 0 ? `${nameOf(at)} ` : ''}${what}`
        return issue.code === 'unrecognized_keys'
          ? issue.keys.map(key => mistake([...issue.path, key], 'is no field that lull knows'))
          : [mistake(issue.path, issue.message)]
      }),
    }
  const mistakes = unknownNames(read.data, where)
  return mistakes.length > 0 ? { mistakes } : { rules: rulesOf(read.data, home) }
}

const nameOf = (at: readonly PropertyKey[]): string => at.map(String).join('.')

function unknownNames({ to, rules = [] }: NotifyFields, where: YamlFields['where']): readonly string[] {
  const known = Object.keys(to)
  return rules.flatMap((rule, n) =>
    (rule.to ?? [])
      .filter(name => !known.includes(name) || isOfTransitions(to[name]))
      .map(name => {
        if (known.includes(name))
          return `${where(['rules', n, 'to'])}: "${name}" gets every transition and no notifications: leave it out of rules`
        const near = nearNames(name, known)
        const meant = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `there is ${known.join(', ')}`
        return `${where(['rules', n, 'to'])}: "${name}" is no destination of this file: ${meant}`
      }),
  )
}

function rulesOf({ to, rules, quiet, digest }: NotifyFields, home: string): NotifyRules {
  const named = Object.entries(to)
  const transitions = named.flatMap(([name, fields]) => {
    const hook = transitionsOf(fields, home)
    return hook ? [[name, hook] as const] : []
  })
  const messages = named.filter(([, fields]) => !isOfTransitions(fields))
  const all = messages.map(([name]) => name)
  return {
    destinations: Object.fromEntries(messages.map(([name, fields]) => [name, destinationOf(fields, home)])),
    transitions: Object.fromEntries(transitions),
    rules: rules?.map(rule => ruleOf(rule, all, home)) ?? (all.length > 0 ? usualRules(all) : []),
    ...defined({ quiet }),
    digest: digest ? { moreThan: digest.more_than, within: digest.within } : usualDigest,
  }
}

function ruleOf(
  { when, for: kinds, after, lasted, folder, agent, to, urgent }: NonNullable<NotifyFields['rules']>[number],
  all: readonly string[],
  home: string,
): NotifyRule {
  return {
    when,
    ...defined({ lasted, for: kinds, agents: agent, folders: folder?.map(one => absolute(one, home)) }),
    after: after ?? usualAfter,
    to: to ?? all,
    isUrgent: urgent ?? false,
  }
}

const isOfTransitions = (fields: DestinationFields | undefined): boolean => fields?.format === 'transitions'

/** The schema has seen to it that there is a secret. */
function transitionsOf(fields: DestinationFields, home: string): TransitionsHook | undefined {
  const { webhook, secret_file, secret_env } = fields
  if (!isOfTransitions(fields) || webhook === undefined) return undefined
  const secret =
    secret_env === undefined ? { file: absolute(secret_file ?? '', home) } : { variable: secret_env }
  return { by: 'transitions', url: webhook, secret, ...tokenOf(fields, home) }
}

const tokenOf = ({ token_file }: DestinationFields, home: string) =>
  token_file === undefined ? {} : { tokenFile: absolute(token_file, home) }

/** The schema has seen to it that there is one way. */
function destinationOf(fields: DestinationFields, home: string): Destination {
  const { ntfy, webhook, format, terminal, command, page, answer_at } = fields
  const answerAt = answer_at === undefined ? {} : { answerAt: new URL(answer_at).origin }
  const more = { ...tokenOf(fields, home), ...answerAt }
  if (ntfy !== undefined) return { by: 'ntfy', url: ntfy, ...more }
  if (webhook !== undefined)
    return { by: 'webhook', url: webhook, format: format === 'slack' ? format : 'json', ...more }
  if (terminal !== undefined) return { by: 'terminal', signal: terminal }
  if (page) return { by: 'page' }
  return command === undefined ? { by: 'desktop' } : { by: 'command', words: command }
}

const absolute = (written: string, home: string): string =>
  path.resolve(
    home,
    written.replace(/^~(?=\/|$)/, () => home),
  )
