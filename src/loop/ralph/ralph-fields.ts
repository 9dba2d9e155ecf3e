/** The schema of RALPH.md's frontmatter, with the message for each mistake. */
import { z } from 'zod'
import { parseDuration } from '../../core/text/duration.ts'
import { must } from '../../os/file/yaml-fields.ts'
import { splitWords } from '../../os/spawn/shell-words.ts'
import { idleDefaults } from '../step/idle-backoff.ts'

const name = z.string(must('a name')).regex(/^[\w-]+$/, 'must be letters, digits, - and _')

/** Seconds where no unit is given, as in ralphify. */
const duration = z
  .union([z.number(), z.string()], { error: 'must be a duration: seconds, or like 90s, 5m, 1h30m, 1d' })
  .transform((value, context) => {
    const ms = durationOf(value)
    if (ms >= 1 && ms < Infinity) return ms
    context.addIssue({
      code: 'custom',
      message: `${JSON.stringify(value)} must be a duration above 0: seconds, or like 90s, 5m, 1h30m, 1d`,
    })
    return z.NEVER
  })

/** ms; NaN where it is none. */
function durationOf(value: number | string): number {
  if (typeof value === 'number') return Math.round(value * 1000)
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Math.round(Number(value) * 1000)
  try {
    return Math.round(parseDuration(value.replace(/(?<=\d)\s+(?=\S)/g, '')))
  } catch {
    return Number.NaN
  }
}

const commandLine = z.string(must('a command line')).superRefine((text, context) => {
  try {
    if (splitWords(text).length === 0) context.addIssue({ code: 'custom', message: 'must not be empty' })
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message })
  }
})

const commandFields = {
  name: name.describe('names its output in the body: {{ commands.NAME }}'),
  run: commandLine.describe('run before every iteration, without a shell; ./… in the folder of this file'),
  timeout: duration.default(60_000).describe('after which it is ended; 60 s where not given'),
}
const command = z.object(commandFields, must('a mapping of name and run'))

const idleFields = {
  delay: duration.default(idleDefaults.delay).describe('the first wait after an idle iteration; 30s'),
  backoff: z
    .number(must('a number from 1 on'))
    .min(1, 'must be 1 or more: the waits grow by it')
    .default(idleDefaults.backoff)
    .describe('by which the wait grows with each idle iteration in a row; 2.0'),
  max_delay: duration.optional().describe('the longest wait; 5m'),
  max: duration.optional().describe('the loop stops after so much idleness in a row; 6h'),
}

const idle = z
  .object(idleFields, must('a mapping of delay, backoff, max_delay and max'))
  .superRefine((rule, context) => {
    for (const key of ['max_delay', 'max'] as const) {
      const most = rule[key]
      if (most === undefined || most >= rule.delay) continue
      const [have, need] = [seconds(most), seconds(rule.delay)]
      const message = `${have} is less than idle.delay, which is ${need}: set ${key} to ${need} or more`
      context.addIssue({ code: 'custom', path: [key], message })
    }
  })

const seconds = (ms: number): string => `${ms / 1000} s`

/** YAML 1.1's words for true and false, which ralphify takes. */
const yesOrNo = z.union([z.boolean(), z.enum(['yes', 'no', 'on', 'off'])], {
  error: 'must be true or false',
})

export const fields = z.object({
  agent: commandLine.describe('the command that is run again and again, the prompt on its stdin; no shell'),
  commands: z
    .array(command, must('a list of commands'))
    .superRefine(uniqueBy(c => c.name))
    .default([]),
  args: z
    .array(name, must('a list of names'))
    .superRefine(uniqueBy(argument => argument))
    .default([])
    .describe('names of arguments: --NAME VALUE on the command line, {{ args.NAME }} in the body'),
  credit: yesOrNo.default(false).describe('asks the agent to name lull as a co-author of its commits'),
  idle: idle
    .optional()
    .describe('back off while the agent reports <!-- ralph:state idle -->, and heed its other markers'),
})

export type Frontmatter = z.output<typeof fields>

function uniqueBy<T>(nameOf: (item: T) => string) {
  return (items: readonly T[], context: z.RefinementCtx): void => {
    const names = items.map(nameOf)
    const at = names.findIndex((one, i) => names.indexOf(one) < i)
    if (at >= 0) context.addIssue({ code: 'custom', path: [at], message: `${names[at]} is here twice` })
  }
}

/** The schema as published (`docs/ralph.schema.json`), for editors. Fields that lull does not know are no error. */
export function jsonSchema(): object {
  const schema = z.toJSONSchema(fields, { io: 'input' })
  const { idle: block, ...properties } = schema.properties as Record<string, object>
  const title = 'The frontmatter of RALPH.md'
  return { ...schema, title, properties: { ...properties, idle: { ...block, type: ['object', 'null'] } } }
}

/** Fields that mean nothing here, by their path. */
export function unknownFields(value: unknown): PropertyKey[][] {
  const known = (record: unknown, keys: object, path: PropertyKey[]): PropertyKey[][] =>
    isObject(record)
      ? Object.keys(record)
          .filter(key => !Object.hasOwn(keys, key))
          .map(key => [...path, key])
      : []
  if (!isObject(value)) return []
  const commands = Array.isArray(value.commands) ? value.commands : []
  return [
    ...known(value, fields.shape, []),
    ...commands.flatMap((one, i) => known(one, commandFields, ['commands', i])),
    ...known(value.idle, idleFields, ['idle']),
  ]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
