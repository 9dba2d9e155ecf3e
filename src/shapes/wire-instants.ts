/**
 * Instants of the monotonic clock as ISO time, in what leaves a process, and back. Which fields these are is in the schemas
 * (`wire-shapes.ts`). On one machine an instant comes back as the same number, bit for bit, whatever was done to the wall clock
 * meanwhile: what is sent names the epoch that it was written with.
 */
import { never } from '../core/evidence/turns.ts'
import type { Instant } from '../core/state.ts'
import { lastDate } from '../core/text/last-date.ts'
import { isRecord } from '../core/trace/trace.ts'
import { type Schema, schemaOf } from './wire.ts'
import type { Wire } from './wire-shapes.ts'

/** Where instants are in a value: the value itself, or what its fields, its other fields or its items hold. */
type Plan = {
  readonly isInstant?: boolean
  readonly fields: ReadonlyMap<string, Plan>
  readonly others?: Plan
  readonly items?: Plan
}

const plans = new WeakMap<Schema, Plan>()
const none: Plan = { fields: new Map() }

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

function planOf(schema: Schema): Plan {
  const known = plans.get(schema)
  if (known) return known
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
  const plan = ofOthers.length > 0 ? joined([own, ...ofOthers]) : own
  plans.set(schema, plan)
  return plan
}

function converted(value: unknown, plan: Plan, convert: (instant: unknown) => unknown): unknown {
  if (plan.isInstant && (typeof value !== 'object' || value === null)) return convert(value)
  const { items, fields, others = none } = plan
  if (Array.isArray(value)) return items ? value.map(item => converted(item, items, convert)) : value
  if (!isRecord(value) || isEmpty(plan)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, converted(item, fields.get(name) ?? others, convert)]),
  )
}

/** A whole number of ms: an instant's own fraction is added to its text. */
export const epochAt = (wall: number, now: Instant): number => Math.round(wall - now)

/** Null is before every instant. */
function isoOfInstant(instant: Instant, epoch: number): string | null {
  if (instant === never) return null
  const whole = Math.floor(instant)
  const date = new Date(Math.min(Math.max(epoch + whole, -lastDate), lastDate))
  const digits = (instant - whole).toFixed(20)
  const fraction = String(instant - whole).includes('e') ? digits : String(instant - whole)
  return date.toISOString().replace('Z', `${fraction.slice(2)}Z`)
}

const isoTime = /^([+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})(\d{0,30})Z$/

/** Undefined where it is no such time. */
function instantOfIso(text: string, epoch: number): Instant | undefined {
  const [, time, fraction = ''] = isoTime.exec(text) ?? []
  const ms = time === undefined ? Number.NaN : Date.parse(`${time}Z`)
  return Number.isNaN(ms) ? undefined : ms - epoch + Number(`0.${fraction || '0'}`)
}

/** A value as it leaves this process. @param epoch ms since the epoch at the monotonic 0, as `epochAt` gives it */
export const withIsoTimes = (name: keyof Wire, value: unknown, epoch: number): unknown =>
  converted(value, planOf(schemaOf(name)), instant =>
    typeof instant === 'number' ? isoOfInstant(instant, epoch) : instant,
  )

/**
 * What another process has sent, with instants again where it has times; what is no time stays, and is refused by its shape.
 * @param epoch of the sender
 * @param by what its monotonic clock is behind this machine's, ms
 */
export const withInstants = (name: keyof Wire, value: unknown, epoch: number, by = 0): unknown =>
  converted(value, planOf(schemaOf(name)), time => {
    if (time === null) return never
    const instant = typeof time === 'string' ? instantOfIso(time, epoch) : undefined
    return instant === undefined ? String(time) : by === 0 ? instant : instant + by
  })

/** The epoch that a message names; undefined where it names none. */
export function epochIn(message: unknown): number | undefined {
  const text = isRecord(message) && typeof message.epoch === 'string' ? message.epoch : ''
  return isoTime.test(text) ? instantOfIso(text, 0) : undefined
}
