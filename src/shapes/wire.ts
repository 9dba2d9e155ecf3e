/** Checks what another process of lull has sent or kept in a file. Reads the schemas of `wire-shapes.ts` without zod. Pure. */
import { isRecord } from '../core/trace/trace.ts'
import schemas from './wire.json' with { type: 'json' }
import type { Wire } from './wire-shapes.ts'

/** What `wire.json` uses of JSON Schema. */
export type Schema = {
  /** A number that is an instant of the monotonic clock (`wire-instants.ts`). */
  readonly instant?: boolean
  /** A string is one of these today (`knownPart`). */
  readonly words?: readonly string[]
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema
}

const named: Readonly<Record<string, Schema>> = schemas

export const schemaOf = (name: string): Schema => named[name] as Schema

export const isShaped = <Name extends keyof Wire>(name: Name, value: unknown): value is Wire[Name] =>
  checkOf(schemaOf(name))(value)

/** The fields of a record that have the type of that shape's field, and those that the shape does not name. */
export const shapedFields = <Name extends keyof Wire>(
  name: Name,
  record: Readonly<Record<string, unknown>>,
): Partial<Wire[Name]> => {
  const { properties = {} } = schemaOf(name)
  const isFitting = ([field, value]: readonly [string, unknown]): boolean =>
    !Object.hasOwn(properties, field) || checkOf(properties[field] as Schema)(value)
  return Object.fromEntries(Object.entries(record).filter(isFitting)) as Partial<Wire[Name]>
}

/**
 * What this lull knows of a value: the fields that its shape names, and words that have a meaning here. What else is in a list or an
 * optional field is left out.
 * @param instantOf reads what is sent in the place of an instant
 * @returns undefined where a part that the shape needs is not known
 */
export const knownPart = <Name extends keyof Wire>(
  name: Name,
  value: unknown,
  instantOf: InstantReader = sent => sent,
): Wire[Name] | undefined => readerOf(schemaOf(name))(value, instantOf) as Wire[Name] | undefined

type InstantReader = (sent: unknown) => unknown
type Check = (value: unknown) => boolean
/** Copies the known part of a value. */
type Reader = (value: unknown, instantOf: InstantReader) => unknown

/** A schema is gone through once: thousands of sessions are read by it. */
export function madeOnce<Made>(make: (schema: Schema) => Made): (schema: Schema) => Made {
  const all = new WeakMap<Schema, Made>()
  return schema => {
    const before = all.get(schema)
    if (before !== undefined) return before
    const made = make(schema)
    all.set(schema, made)
    return made
  }
}

const checkOf = madeOnce((schema: Schema): Check => {
  const { $ref, anyOf, type } = schema
  // Not before it is needed: a shape may hold itself.
  if ($ref) return value => checkOf(schemaOf($ref.slice(2)))(value)
  if (anyOf) {
    const all = anyOf.map(checkOf)
    return value => all.some(isOne => isOne(value))
  }
  if (typeof type === 'object') return checkOf({ anyOf: type.map(one => ({ ...schema, type: one })) })
  const isOfType = typeCheck(schema, type)
  if (schema.enum) {
    const all = new Set(schema.enum)
    return value => all.has(value) && isOfType(value)
  }
  return 'const' in schema ? value => value === schema.const && isOfType(value) : isOfType
})

function typeCheck(schema: Schema, type: string | undefined): Check {
  const { minimum = -Infinity, maximum = Infinity } = schema
  switch (type) {
    case undefined:
      return () => true
    case 'object':
      return fieldsCheck(schema)
    case 'array': {
      const isItem = checkOf(schema.items as Schema)
      return value => Array.isArray(value) && value.every(item => isItem(item))
    }
    case 'null':
      return value => value === null
    case 'integer':
      return Number.isSafeInteger
    case 'number':
      return value => Number.isFinite(value) && (value as number) >= minimum && (value as number) <= maximum
    default:
      return value => typeof value === type
  }
}

function fieldsCheck({ properties = {}, required = [], additionalProperties = {} }: Schema): Check {
  const fields = new Map(Object.entries(properties).map(([field, schema]) => [field, checkOf(schema)]))
  const isOther = checkOf(additionalProperties)
  return value => {
    if (!isRecord(value)) return false
    for (const field of required) if (value[field] === undefined) return false
    for (const field of Object.keys(value)) {
      const part = value[field]
      if (part !== undefined && !(fields.get(field) ?? isOther)(part)) return false
    }
    return true
  }
}

const readerOf = madeOnce((schema: Schema): Reader => {
  const { $ref, anyOf, items, type, words, instant } = schema
  if ($ref) return (value, instantOf) => readerOf(schemaOf($ref.slice(2)))(value, instantOf)
  if (anyOf) {
    const all = anyOf.map(readerOf)
    return (value, instantOf) => {
      for (const read of all) {
        const part = read(value, instantOf)
        if (part !== undefined) return part
      }
      return undefined
    }
  }
  if (type === 'object') return fieldsReader(schema)
  if (type === 'array' && items) {
    const read = readerOf(items)
    return (value, instantOf) =>
      Array.isArray(value)
        ? value.map(item => read(item, instantOf)).filter(item => item !== undefined)
        : undefined
  }
  const fits = checkOf(schema)
  if (instant)
    return (value, instantOf) => {
      const at = instantOf(value)
      return fits(at) ? at : undefined
    }
  if (!words) return value => (fits(value) ? value : undefined)
  const known = new Set<unknown>(words)
  return value => (known.has(value) && fits(value) ? value : undefined)
})

function fieldsReader({ properties = {}, required = [], additionalProperties }: Schema): Reader {
  const shapes = Object.entries(properties)
  const fields = new Map(shapes.map(([field, schema]) => [field, readerOf(schema)]))
  const other = additionalProperties && readerOf(additionalProperties)
  // Of alternatives these tell which one it is: the others are not copied first.
  const marks = shapes.flatMap(([field, schema]) =>
    'const' in schema ? [[field, schema.const] as const] : [],
  )
  const needed = marks.filter(([field]) => required.includes(field))
  return (value, instantOf) => {
    if (!isRecord(value)) return undefined
    for (const [field, mark] of needed) if (value[field] !== mark) return undefined
    const part: Record<string, unknown> = {}
    for (const field of Object.keys(value)) {
      const known = (fields.get(field) ?? other)?.(value[field], instantOf)
      // No name that anything has: it would change what the part is.
      if (known !== undefined && field !== '__proto__') part[field] = known
    }
    for (const field of required) if (!Object.hasOwn(part, field)) return undefined
    return part
  }
}
