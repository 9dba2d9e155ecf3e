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
  fits(named[name] as Schema, value)

/** The fields of a record that have the type of that shape's field, and those that the shape does not name. */
export const shapedFields = <Name extends keyof Wire>(
  name: Name,
  record: Readonly<Record<string, unknown>>,
): Partial<Wire[Name]> => {
  const { properties = {} } = named[name] as Schema
  const isFitting = ([field, value]: readonly [string, unknown]): boolean =>
    !Object.hasOwn(properties, field) || fits(properties[field] as Schema, value)
  return Object.fromEntries(Object.entries(record).filter(isFitting)) as Partial<Wire[Name]>
}

/**
 * What this lull knows of a value: the fields that its shape names, and words that have a meaning here. What else is in a list or an
 * optional field is left out.
 * @returns undefined where a part that the shape needs is not known
 */
export const knownPart = <Name extends keyof Wire>(name: Name, value: unknown): Wire[Name] | undefined =>
  known(schemaOf(name), value) as Wire[Name] | undefined

function known(schema: Schema, value: unknown): unknown {
  const { $ref, anyOf, items, type, words } = schema
  if ($ref) return known(schemaOf($ref.slice(2)), value)
  if (anyOf) return anyOf.map(one => known(one, value)).find(part => part !== undefined)
  if (type === 'array' && items && Array.isArray(value))
    return value.map(item => known(items, item)).filter(item => item !== undefined)
  if (type === 'object' && isRecord(value)) return knownFields(schema, value)
  return fits(schema, value) && (words?.includes(value as string) ?? true) ? value : undefined
}

function knownFields(schema: Schema, record: Readonly<Record<string, unknown>>): unknown {
  const { properties = {}, required = [], additionalProperties } = schema
  const part: Record<string, unknown> = {}
  for (const field of Object.keys(record)) {
    const shape = Object.hasOwn(properties, field) ? properties[field] : additionalProperties
    const value = shape && known(shape, record[field])
    // No name that anything has: it would change what the part is.
    if (value !== undefined && field !== '__proto__') part[field] = value
  }
  return required.every(field => Object.hasOwn(part, field)) ? part : undefined
}

function fits(schema: Schema, value: unknown): boolean {
  const { $ref, anyOf, type, minimum = -Infinity, maximum = Infinity } = schema
  if ($ref) return fits(named[$ref.slice(2)] as Schema, value)
  if (anyOf) return anyOf.some(one => fits(one, value))
  if (schema.enum && !schema.enum.includes(value)) return false
  if ('const' in schema && value !== schema.const) return false
  if (typeof type === 'object') return type.some(one => fits({ ...schema, type: one }, value))
  switch (type) {
    case undefined:
      return true
    case 'object':
      return isRecord(value) && hasFields(schema, value)
    case 'array':
      return Array.isArray(value) && value.every(item => fits(schema.items as Schema, item))
    case 'null':
      return value === null
    case 'integer':
      return Number.isSafeInteger(value)
    case 'number':
      return Number.isFinite(value) && (value as number) >= minimum && (value as number) <= maximum
    default:
      return typeof value === type
  }
}

function hasFields(schema: Schema, record: Readonly<Record<string, unknown>>): boolean {
  const { properties = {}, required = [], additionalProperties = {} } = schema
  const known = (field: string): Schema =>
    Object.hasOwn(properties, field) ? (properties[field] as Schema) : additionalProperties
  return (
    required.every(field => record[field] !== undefined) &&
    Object.entries(record).every(([field, value]) => value === undefined || fits(known(field), value))
  )
}
