/**
 * What a program gives to a public function, checked before it is used: programs in plain JavaScript have no types. Each
 * function has a table of checks; the error names what is wrong, where, and what is valid.
 */
import { LullError } from './lull-error.ts'
import { oneLine } from './text/printable.ts'
import { isRecord } from './trace/trace.ts'

/** @returns what is wrong with a value, as a sentence that begins with `where`; undefined where nothing is */
type Check = (value: unknown, where: string) => string | undefined

/** The parameters of a function, in their order. */
export type Checks = Readonly<Record<string, Check>>

/** @throws {LullError} USAGE for the first value that is not as its check wants it */
export function checkValues(call: string, values: readonly unknown[], checks: Checks): void {
  const wrong = firstOf(Object.entries(checks).map(([name, check], n) => checked(check, values[n], name)))
  if (wrong !== undefined) throw new LullError('USAGE', `${call}: ${wrong}`)
}

/** A field may be a function that throws. */
function checked(check: Check, value: unknown, where: string): string | undefined {
  try {
    return check(value, where)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return `${where} can't be read: ${oneLine(why, 200)}`
  }
}

const firstOf = (found: readonly (string | undefined)[]): string | undefined =>
  found.find(wrong => wrong !== undefined)

const must =
  (wanted: string, holds: (value: unknown) => boolean): Check =>
  (value, where) =>
    holds(value) ? undefined : `${where} must be ${wanted}, not ${shown(value)}`

const optional =
  (check: Check): Check =>
  (value, where) =>
    value === undefined ? undefined : check(value, where)

/** @param least so many have to be in it */
const listOf =
  (check: Check, least = 0): Check =>
  (value, where) =>
    Array.isArray(value) && value.length >= least
      ? firstOf(value.map((one, n) => check(one, `${where}[${n}]`)))
      : `${where} must be a list${least > 0 ? ' that is not empty' : ''}, not ${shown(value)}`

/** All may be left out. A name that is none is a slip, which would be passed over in silence. */
const options = <Fields>(fields: { readonly [Name in keyof Fields]-?: Check }): Check =>
  optional((value, where) => {
    if (!isRecord(value)) return is.record(value, where)
    const names = Object.keys(fields)
    const stray = Object.keys(value).find(name => !names.includes(name))
    if (stray !== undefined) return `${where} has no ${shown(stray)}: there is ${names.join(', ')}`
    const inside = where === 'options' ? '' : `${where}.`
    const checks = Object.entries<Check>(fields)
    return firstOf(checks.map(([name, check]) => optional(check)(value[name], `${inside}${name}`)))
  })

/** What another function has given, which may have fields that nobody asks for. */
const shape =
  (wanted: string, fields: Checks): Check =>
  (value, where) =>
    isRecord(value)
      ? firstOf(Object.entries(fields).map(([name, check]) => check(value[name], `${where}.${name}`)))
      : `${where} must be ${wanted}, not ${shown(value)}`

export const is = {
  must,
  optional,
  listOf,
  options,
  shape,
  text: must('a text', value => typeof value === 'string'),
  flag: must('true or false', value => typeof value === 'boolean'),
  number: must('a number', value => typeof value === 'number' && !Number.isNaN(value)),
  duration: must('a number of ms, 0 or more', value => typeof value === 'number' && value >= 0),
  callback: must('a function', value => typeof value === 'function'),
  record: must('an object', isRecord),
  abortSignal: must('an AbortSignal', value => isRecord(value) && 'aborted' in value),
  wholeFrom: (least: number) =>
    must(`a whole number, ${least} or more`, value => Number.isSafeInteger(value) && Number(value) >= least),
  oneOf: (...names: readonly unknown[]) => must(`one of ${names.join(', ')}`, value => names.includes(value)),
  oneOrMore:
    (check: Check): Check =>
    (value, where) =>
      (Array.isArray(value) ? listOf(check, 1) : check)(value, where),
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 60))
  if (typeof value === 'function') return 'a function'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  return isRecord(value) ? 'an object' : String(value)
}
