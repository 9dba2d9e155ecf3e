/** A RALPH.md, read and checked. */

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { LullError } from '../../core/lull-error.ts'
import { splitWords } from '../../os/spawn/shell-words.ts'
import type { IdleRule } from '../step/idle-backoff.ts'
import { type Fields, type Parts, readFields, splitRalph } from './frontmatter.ts'
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

/**
 * Reads a RALPH.md.
 * @param shown its name in sentences
 * @throws {LullError} BAD_RALPH with line and column, where it can't be run
 */
export function readRalph(file: string, shown: string): Ralph {
  const parts = partsOf(readFileSync(file, 'utf8'), shown)
  const raw = readFields(parts, shown)
  const front = checked(raw, shown)
  const body = bodyOf(parts)
  if (body === '')
    throw new LullError('BAD_RALPH', `${shown}: the prompt is missing: write it below the second ---`)
  const folder = path.dirname(path.resolve(file))
  const { idle } = front
  return {
    file,
    folder,
    name: path.basename(folder),
    agent: splitWords(front.agent),
    commands: front.commands,
    args: front.args,
    credit: typeof front.credit === 'boolean' ? front.credit : /^(yes|on)$/.test(front.credit),
    ...(idle
      ? { idle: { delay: idle.delay, backoff: idle.backoff, maxDelay: idle.max_delay, max: idle.max } }
      : {}),
    body,
    warnings: [...unknown(raw), ...unnamed(front, body, shown), ...shellWords(front, raw)],
  }
}

/** The body as it is now, or nothing where it can't be read or is empty: it is being written, or a checkout goes on. */
export function readBody(file: string): string | undefined {
  const parts = splitRalph(readFileSync(file, 'utf8'))
  const body = typeof parts === 'string' ? '' : bodyOf(parts)
  return body === '' ? undefined : body
}

const bodyOf = ({ body }: Parts): string => stripComments(body).trim()

function partsOf(text: string, shown: string): Parts {
  const parts = splitRalph(text)
  if (parts === 'none')
    throw new LullError(
      'BAD_RALPH',
      `${shown}: has no frontmatter: begin it with the lines ---, agent: claude -p, --- (lull loop init writes one)`,
    )
  if (parts === 'unclosed')
    throw new LullError('BAD_RALPH', `${shown}:1:1: the frontmatter does not end: close it with a line ---`)
  return parts
}

function checked(raw: Fields, shown: string): Frontmatter {
  if (raw.value === null || raw.value === undefined)
    throw new LullError(
      'BAD_RALPH',
      `${shown}: agent is missing: name the command to run, like agent: claude -p`,
    )
  if (typeof raw.value !== 'object' || Array.isArray(raw.value))
    throw new LullError(
      'BAD_RALPH',
      `${raw.where([])}: the frontmatter must be fields, like agent: claude -p`,
    )
  const result = fields.safeParse(withoutNulls(raw.value))
  if (result.success) return result.data
  const [issue] = result.error.issues
  const at = issue?.path ?? []
  if (at.join() === 'agent' && issue?.message === 'is missing')
    throw new LullError(
      'BAD_RALPH',
      `${shown}: agent is missing: name the command to run, like agent: claude -p`,
    )
  throw new LullError(
    'BAD_RALPH',
    `${raw.where(at)}: ${nameOf(at)} ${issue?.message ?? 'is not as expected'}`,
  )
}

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

/** Commands are run without a shell: what looks like its syntax is handed on as it stands. */
function shellWords(front: Frontmatter, raw: Fields): string[] {
  return front.commands.flatMap(({ run }, i) => {
    const sign = splitWords(run).find(word => /^(\||\|\||&&|;|<|>>?|2>&1|2>.*)$/.test(word))
    if (sign === undefined) return []
    const where = raw.where(['commands', i, 'run'])
    return [`${where}: ${sign} is an argument here, as no shell is used: write sh -c '…' or a script`]
  })
}
