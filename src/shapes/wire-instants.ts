/**
 * Instants of the monotonic clock as ISO time, in what leaves a process, and back. Which fields these are is in the schemas
 * (`wire-shapes.ts`). On one machine an instant comes back as the same number, bit for bit, whatever was done to the wall clock
 * meanwhile: what is sent names the epoch that it was written with.
 */
import { never } from '../core/evidence/turns.ts'
import type { Instant } from '../core/state.ts'
import { lastDate } from '../core/text/last-date.ts'
import { isRecord } from '../core/trace/trace.ts'
import { madeOnce, type Schema, schemaOf } from './wire.ts'
import type { Wire } from './wire-shapes.ts'

/** Where instants are in a value: the value itself, or what its fields, its other fields or its items hold. */
type Plan = {
  readonly isInstant?: boolean
  readonly fields: ReadonlyMap<string, Plan>
  readonly others?: Plan
  readonly items?: Plan
}

/** Of alternatives, each of which may be what is sent, all that any of them has. */
function joined(all: readonly Plan[]): Plan {
  const names = new Set(all.flatMap(({ fields }) => [...fields.keys()]))
  const pick = (key: 'others' | 'items') => all.flatMap(plan => plan[key] ?? [])
  const fields = new Map(
    [...names].map(name => [name, joined(all.flatMap(plan => plan.fields.get(name) ?? []))]),
  )
  const [others, items] = [pick('others'), pick('items')]
  return {
    fields,
    ...(all.some(({ isInstant }) => isInstant) ? { isInstant: true } : {}),
    ...(others.length > 0 ? { others: joined(others) } : {}),
    ...(items.length > 0 ? { items: joined(items) } : {}),
  }
}

const isEmpty = ({ isInstant, fields, others, items }: Plan): boolean =>
  !isInstant && fields.size === 0 && !others && !items

const planOf = madeOnce((schema: Schema): Plan => {
  const { $ref, anyOf, instant, properties = {}, additionalProperties, items } = schema
  const inner = (one: Schema | undefined): Plan | undefined => {
    const plan = one && planOf(one)
    return plan && !isEmpty(plan) ? plan : undefined
  }
  const fields = Object.entries(properties).flatMap(([name, one]) => {
    const plan = inner(one)
    return plan ? [[name, plan] as const] : []
  })
  const [others, inItems] = [inner(additionalProperties), inner(items)]
  const own: Plan = {
    fields: new Map(fields),
    ...(instant ? { isInstant: true } : {}),
    ...(others ? { others } : {}),
    ...(inItems ? { items: inItems } : {}),
  }
  const ofOthers = [...($ref ? [schemaOf($ref.slice(2))] : []), ...(anyOf ?? [])].map(planOf)
  return ofOthers.length > 0 ? joined([own, ...ofOthers]) : own
})

/** Copies only what holds instants: each message of a host passes here, twice. */
function converted(value: unknown, plan: Plan, convert: (instant: unknown) => unknown): unknown {
  const { isInstant, items, fields, others } = plan
  if (isInstant && (typeof value !== 'object' || value === null)) return convert(value)
  if (Array.isArray(value)) return items ? value.map(item => converted(item, items, convert)) : value
  if (!isRecord(value)) return value
  const copy: Record<string, unknown> = { ...value }
  for (const [name, inner] of fields)
    if (copy[name] !== undefined) copy[name] = converted(copy[name], inner, convert)
  if (others)
    for (const name of Object.keys(copy))
      if (!fields.has(name)) copy[name] = converted(copy[name], others, convert)
  return copy
}

/** A whole number of ms: an instant's own fraction is added to its text. */
export const epochAt = (wall: number, now: Instant): number => Math.round(wall - now)

/** Less than the clock can tell. A smaller number is written with an exponent. ms */
const nanosecond = 1e-6

/** Instants of one message often lie in the same second: the slow part is done once for each. */
function perSecond<Second, Read>(read: (second: Second) => Read): (second: Second) => Read {
  const known = new Map<Second, Read>()
  return second => {
    const before = known.get(second)
    if (before !== undefined) return before
    const now = read(second)
    known.set(second, now)
    return now
  }
}

/** Of its end. */
function withoutZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, end)
}

/** Null is before every instant. */
function isoWriter(epoch: number): (instant: Instant) => string | null {
  const textOf = perSecond((second: number) => new Date(second * 1000).toISOString().slice(0, -4))
  return given => {
    if (given === never) return null
    const instant = Math.abs(given) < nanosecond ? 0 : given
    const whole = Math.floor(instant)
    // The digits that JavaScript prints of a number are enough to read the same number again.
    const digits = whole < 0 ? withoutZeros((instant - whole).toFixed(20)) : `${instant}`
    const dot = digits.indexOf('.')
    const ms = Math.min(Math.max(epoch + whole, -lastDate), lastDate)
    const second = Math.floor(ms / 1000)
    const rest = `${ms - second * 1000}`.padStart(3, '0')
    return `${textOf(second)}${rest}${dot < 0 ? '' : digits.slice(dot + 1)}Z`
  }
}

const isoTime = /^([+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{3})(\d{0,30})Z$/

/** Undefined where it is no such time. */
function isoReader(epoch: number): (text: string) => Instant | undefined {
  const msOf = perSecond((second: string) => Date.parse(`${second}Z`))
  return text => {
    const [, second, ms, fraction = ''] = isoTime.exec(text) ?? []
    const whole = second === undefined ? Number.NaN : msOf(second) + Number(ms) - epoch
    if (Number.isNaN(whole)) return undefined
    if (fraction === '') return whole
    return whole < 0 ? whole + Number(`0.${fraction}`) : Number(`${whole}.${fraction}`)
  }
}

/** A value as it leaves this process. @param epoch ms since the epoch at the monotonic 0, as `epochAt` gives it */
export function withIsoTimes(name: keyof Wire, value: unknown, epoch: number): unknown {
  const write = isoWriter(epoch)
  return converted(value, planOf(schemaOf(name)), instant =>
    typeof instant === 'number' ? write(instant) : instant,
  )
}

/**
 * Reads what another process has sent in the place of an instant: a time. What is no time is a text, which no shape takes for an instant.
 * @param epoch of the sender
 * @param by what its monotonic clock is behind this machine's, ms
 */
export function instantReader(epoch: number, by = 0): (sent: unknown) => unknown {
  const read = isoReader(epoch)
  return sent => {
    if (sent === null) return never
    const instant = typeof sent === 'string' ? read(sent) : undefined
    return instant === undefined ? String(sent) : by === 0 ? instant : instant + by
  }
}

/** What another process has sent, with instants of its clock again where it has times. */
export const withInstants = (name: keyof Wire, value: unknown, epoch: number): unknown =>
  converted(value, planOf(schemaOf(name)), instantReader(epoch))

/** An object with the epoch that its times were written with. */
export const messageOf = (name: keyof Wire, value: unknown, epoch: number): object => ({
  epoch: new Date(epoch).toISOString(),
  ...(withIsoTimes(name, value, epoch) as object),
})

/** The epoch that a message names; undefined where it names none. */
export function epochIn(message: unknown): number | undefined {
  const text = isRecord(message) && typeof message.epoch === 'string' ? message.epoch : ''
  return isoReader(0)(text)
}

/** What `messageOf` was made of, with instants; undefined where it names no epoch. */
export function messageIn(name: keyof Wire, message: unknown): unknown {
  const epoch = epochIn(message)
  if (epoch === undefined || !isRecord(message)) return undefined
  const { epoch: _, ...value } = message
  return withInstants(name, value, epoch)
}
