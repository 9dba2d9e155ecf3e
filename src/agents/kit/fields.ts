/** Validates every field of outside input: drops unknown ones, refuses wrong types with a reason. */
import { z } from 'zod'
import { tailOf } from '../../core/text/code-fence.ts'
import { isRecord, longestLine, parseJson } from '../../core/trace/trace.ts'
import { type HookInput, type Memory, type Moment, type Reader, type Reading, refuse } from './agent.ts'

/** A reader of hooks, for payloads of these fields. */
export const hookReader =
  <T>(
    fields: z.ZodType<T>,
    readEvent: (event: string, payload: T, moment: Moment, memory: Memory) => Reading,
    kind: 'hook' | 'event' = 'hook',
  ): Reader<HookInput> =>
  ({ event, payload }, moment, memory) => {
    const checked = check(fields, payload ?? {}, `${kind} ${event}`)
    return checked.ok ? readEvent(event, checked.value, moment, memory) : refuse(checked.reason)
  }

/** A reader of a headless run's rows, for rows of these fields. */
export const rowReader =
  <T>(
    fields: z.ZodType<T>,
    readFields: (row: T, moment: Moment, memory: Memory) => Reading,
  ): Reader<string> =>
  (line, moment, memory) => {
    const checked = checkRow(fields, line, 'row')
    return checked.ok ? readFields(checked.value, moment, memory) : refuse(checked.reason)
  }

const idLength = 200
/** Texts are kept to this many characters. */
const textLength = 4000

/** A name as part of a lane. `*` would match all lanes of a kind, so it is replaced. */
export const asName = (name: string): string => name.replaceAll('*', '_')

/** An id: short, without control characters. */
export const id = z
  .string()
  .min(1)
  .max(idLength)
  .refine(text => !hasControl(text), 'holds control characters')
  .transform(value => asName(value))

/** A word of the program's own vocabulary, or the name of a tool. */
export const word = z.string().max(idLength).transform(asName)

/** Text of any length, kept to its first 4,000 characters. */
export const text = z
  .string()
  .transform(value => (value.length > textLength ? value.slice(0, textLength) : value))

/** Text with an important end (a final message that ends in a question), kept to its last 4,000 characters. */
export const tail = z.string().transform(value => endOf(value))

/** The end of a text that is kept. Quoted code stays quoted where its beginning is cut off. */
export const endOf = (value: string): string => tailOf(value, textLength)

/** An object of any fields, as it was parsed: a copy of a large one would cost more than all else. */
export const record = z.custom<Json>(isRecord, 'is no object')

export const count = z.number().finite().nonnegative()
export const stamp = z.union([z.string().max(64), z.number().finite()])

function hasControl(value: string): boolean {
  for (let i = 0; i < value.length; i++) if (value.charCodeAt(i) < 32) return true
  return false
}

/** A refusal without a reason concerns nobody: the input is of another kind. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason?: string }

type Json = Record<string, unknown>

/** Checks a value of the outside world against a table of fields. */
export function check<T>(schema: z.ZodType<T>, value: unknown, what: string): Checked<T> {
  const result = parsed(schema, isRecord(value) ? withoutNulls(value) : value)
  if (result === undefined) return { ok: false, reason: `${what}: not as expected` }
  if (result.success) return { ok: true, value: result.data }
  const issue = result.error.issues[0]
  const where = issue?.path.length ? `${issue.path.join('.')}: ` : ''
  return { ok: false, reason: `${what}: ${where}${issue?.message ?? 'not as expected'}` }
}

/** Undefined where the schema itself fails: it compares the `length` of anything, `{"length":{"toString":1}}` too. */
function parsed<T>(schema: z.ZodType<T>, value: unknown): z.ZodSafeParseResult<T> | undefined {
  try {
    return schema.safeParse(value)
  } catch {
    return undefined
  }
}

/** A field that is null is one that is not there: what is optional in one version is null in the next. */
function withoutNulls(record: Json): Json {
  const entries = Object.entries(record)
  return entries.some(([, value]) => value === null)
    ? Object.fromEntries(entries.filter(([, value]) => value !== null))
    : record
}

/** A line of JSON as a record, or the reason why it is none. */
export function readRecord(line: string, what: string): Checked<Json> {
  if (line.length > longestLine)
    return { ok: false, reason: `${what}: longer than ${longestLine / 1024 / 1024} MB` }
  const value = parseJson(line)
  if (!isRecord(value)) return { ok: false, reason: `${what}: torn or not a JSON object` }
  return { ok: true, value }
}

/** A line of JSON checked against a table of fields, where its record is one of those wanted. */
export function checkRow<T>(
  schema: z.ZodType<T>,
  line: string,
  what: string,
  isWanted: (record: Json) => boolean = () => true,
): Checked<T> {
  const record = readRecord(line, what)
  if (!record.ok) return record
  return isWanted(record.value) ? checkTyped(schema, record.value, what) : { ok: false }
}

/** A record checked against a table of fields; a refusal names its type. */
export function checkTyped<T>(schema: z.ZodType<T>, record: Json, what: string): Checked<T> {
  const type = record.type ?? record.event
  return check(schema, record, typeof type === 'string' ? `${what} ${type.slice(0, 60)}` : what)
}

/** Rows that have a type at all. */
export const isTyped = (record: Json): record is Json & { type: string } => typeof record.type === 'string'

export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')
