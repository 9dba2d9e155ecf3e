/** A RALPH.md, read and checked. */

import path from 'node:path'
import { is } from '../../core/check-values.ts'
import { LullError } from '../../core/lull-error.ts'
import { readPlainText } from '../../os/file/plain-file.ts'
import { readYaml, type YamlFields } from '../../os/file/yaml-text.ts'
import { splitWords } from '../../os/spawn/shell-words.ts'
import { type IdleRule, idleRuleOf } from '../step/idle-backoff.ts'
import { placeholdersIn, stripComments } from './prompt.ts'
import { type Frontmatter, fields, unknownFields } from './ralph-fields.ts'

export type RalphCommand = {
  readonly name: string
  /** Its words are split once its arguments are in. */
  readonly run: string
  /** ms */
  readonly timeout: number
}

export type Ralph = {
  readonly file: string
  readonly folder: string
  /** Of its folder. */
  readonly name: string
  readonly agent: readonly string[]
  readonly commands: readonly RalphCommand[]
  readonly args: readonly string[]
  readonly credit: boolean
  readonly idle?: IdleRule
  /** Without comments. */
  readonly body: string
  /** What was passed over, for people. */
  readonly warnings: readonly string[]
}

/** One that a program gives. */
export const isRalph = is.shape('a text, or a RALPH.md that was read', {
  ...{ file: is.text, folder: is.text, name: is.text, body: is.text, credit: is.flag },
  agent: is.listOf(is.text, 1),
  commands: is.listOf(is.shape('a command', { name: is.text, run: is.text, timeout: is.duration })),
  args: is.listOf(is.text),
  warnings: is.listOf(is.text),
  idle: is.optional(
    is.shape('an object', {
      ...{ delay: is.duration, backoff: is.number, maxDelay: is.duration, max: is.duration },
    }),
  ),
})

/**
 * Reads a RALPH.md.
 * @param shown its name in sentences
 * @throws {LullError} BAD_RALPH with line and column, where it can't be run; NOT_A_FILE where it is none, or too large
 */
export function readRalph(file: string, shown: string): Ralph {
  const parts = partsOf(readPlainText(file), shown)
  const raw = readFields(parts, shown)
  const front = checked(raw, shown)
  const body = bodyOf(parts)
  if (body === '') throw bad(`${shown}: the prompt is missing: write it below the second ---`)
  const folder = path.dirname(path.resolve(file))
  const rule =
    front.idle &&
    idleRuleOf({
      delay: front.idle.delay,
      backoff: front.idle.backoff,
      maxDelay: front.idle.max_delay,
      max: front.idle.max,
    })
  return {
    file,
    folder,
    name: path.basename(folder),
    agent: splitWords(front.agent),
    commands: front.commands,
    args: front.args,
    credit: typeof front.credit === 'boolean' ? front.credit : /^(yes|on)$/.test(front.credit),
    ...(rule ? { idle: rule.idle } : {}),
    body,
    warnings: [
      ...unknown(raw),
      ...unnamed(front, body, shown),
      ...shellWords(front, raw),
      ...(rule?.raised ?? []).map(sentence => `${shown}: ${sentence}`),
    ],
  }
}

/** The body as it is now, or nothing where it can't be read or is empty: it is being written, or a checkout goes on. */
export function readBody(file: string): string | undefined {
  const parts = splitRalph(readPlainText(file))
  const body = typeof parts === 'string' ? '' : bodyOf(parts)
  return body === '' ? undefined : body
}

const bodyOf = ({ body }: Parts): string => stripComments(body).trim()

function partsOf(text: string, shown: string): Parts {
  const parts = splitRalph(text)
  if (parts === 'none')
    throw bad(
      `${shown}: has no frontmatter: begin it with the lines ---, agent: claude -p, --- (lull loop init writes one)`,
    )
  if (parts === 'unclosed') throw bad(`${shown}:1:1: the frontmatter does not end: close it with a line ---`)
  return parts
}

function checked(raw: Fields, shown: string): Frontmatter {
  const [slip] = unknownFields(raw.value)
  const instead = slip ? ` (${nameOf(slip)} is no field that lull knows)` : ''
  const noAgent = `${shown}: agent is missing: name the command to run, like agent: claude -p${instead}`
  if (raw.value === null || raw.value === undefined) throw bad(noAgent)
  if (typeof raw.value !== 'object' || Array.isArray(raw.value))
    throw bad(`${raw.where([])}: the frontmatter must be fields, like agent: claude -p`)
  const result = fields.safeParse(withoutNulls(raw.value))
  if (result.success) return result.data
  const [issue] = result.error.issues
  const at = issue?.path ?? []
  if (at.join() === 'agent' && issue?.message.startsWith('is missing')) throw bad(noAgent)
  throw bad(`${raw.where(at)}: ${nameOf(at)} ${issue?.message ?? 'is not as expected'}`)
}

const bad = (sentence: string): LullError<'BAD_RALPH'> => new LullError('BAD_RALPH', sentence)

/** A field without a value is one that is not there; `idle:` alone takes all of its defaults. */
function withoutNulls(value: object): object {
  const entries = Object.entries(value).map(([key, field]: [string, unknown]): [string, unknown] => {
    if (key !== 'idle') return [key, field]
    return [key, typeof field === 'object' && !Array.isArray(field) ? kept(field ?? {}) : field]
  })
  return kept(Object.fromEntries(entries))
}

const kept = (record: object): object =>
  Object.fromEntries(Object.entries(record).filter(([, field]) => field !== null))

/** `commands[1].run` */
const nameOf = (at: readonly PropertyKey[]): string =>
  at.map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i > 0 ? '.' : ''}${String(key)}`)).join('')

const unknown = (raw: Fields): string[] =>
  unknownFields(raw.value).map(
    at => `${raw.where(at)}: ${nameOf(at)} is no field that lull knows, passed over`,
  )

/** Placeholders that will always be empty: most often slips. */
function unnamed(front: Frontmatter, body: string, shown: string): string[] {
  const names = {
    commands: front.commands.map(one => one.name),
    args: front.args,
    ralph: ['name', 'iteration', 'max_iterations'],
  }
  // In commands, arguments alone are put in.
  const inCommands = front.commands
    .flatMap(one => placeholdersIn(one.run))
    .filter(({ kind }) => kind === 'args')
  const found = [...placeholdersIn(body), ...inCommands]
  const empty = found.filter(({ kind, name }) => !names[kind].includes(name))
  return [...new Set(empty.map(({ text }) => `${shown}: ${text} names nothing, it stays empty`))]
}

/** Commands are run without a shell: its syntax is passed on unchanged. */
function shellWords(front: Frontmatter, raw: Fields): string[] {
  return front.commands.flatMap(({ run }, i) => {
    const sign = splitWords(run).find(word => /^(\||\|\||&&|;|<|>>?|2>&1|2>.*)$/.test(word))
    if (sign === undefined) return []
    const where = raw.where(['commands', i, 'run'])
    return [`${where}: ${sign} is an argument here, as no shell is used: write sh -c '…' or a script`]
  })
}

type Parts = {
  readonly frontmatter: string
  /** Lines before it. */
  readonly before: number
  readonly body: string
}

/** Line ends are made one kind. Nothing where it does not begin with a frontmatter that ends. */
function splitRalph(text: string): Parts | 'none' | 'unclosed' {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n')
  if (!isFence(lines[0])) return 'none'
  const end = lines.findIndex((line, i) => i > 0 && isFence(line))
  if (end < 0) return 'unclosed'
  return {
    frontmatter: lines.slice(1, end).join('\n'),
    before: 1,
    body: lines.slice(end + 1).join('\n'),
  }
}

const isFence = (line: string | undefined): boolean => line?.trimEnd() === '---'

type Fields = YamlFields

/** Far more than a loop's fields take: its parser needs more than linear time for some texts. */
const longest = 16 * 1024

/**
 * Reads the frontmatter's YAML.
 * @param file its name in sentences
 * @throws {LullError} BAD_RALPH with line and column, where it is no YAML
 */
function readFields({ frontmatter, before }: Parts, file: string): Fields {
  if (frontmatter.length > longest)
    throw new LullError('BAD_RALPH', `${file}: the frontmatter is larger than ${longest / 1024} kB`)
  const read = readYaml(frontmatter, file, { before, what: 'the frontmatter' })
  if ('wrong' in read) throw new LullError('BAD_RALPH', read.wrong)
  return read
}
