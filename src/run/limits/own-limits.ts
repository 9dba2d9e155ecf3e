/** Limits for the health of a process that a person sets over those of a preset, by flags and in a file. Pure. */
import { defined } from '../../core/defined.ts'
import { isLullError } from '../../core/lull-error.ts'
import { parseTyped } from '../../core/text/duration.ts'
import { nearNames } from '../../core/text/near-names.ts'
import { isRecord } from '../../core/trace/trace.ts'
import { defaultDwell, type Preset, type PresetName, presetNames, presets } from '../step/presets.ts'

/** Times in ms. What is missing is the preset's. */
export type Limits = {
  readonly preset?: PresetName
  readonly silence?: number
  readonly dwell?: number
  readonly escalate?: number
  /** Percent of a processor. */
  readonly cpu?: number
  /** Bytes in a minute. */
  readonly io?: number
  /** An unchanged verdict is printed again after this time. */
  readonly every?: number
}

/** What is wrong, without the name of the field. */
class BadLimit {
  readonly sentence: string
  constructor(sentence: string) {
    this.sentence = sentence
  }
}

const time = (value: unknown): number | BadLimit => {
  const wrong = new BadLimit(`must be a duration: seconds, or like 90s, 5m, 1h30m`)
  if (typeof value !== 'number' && typeof value !== 'string') return wrong
  try {
    return Math.round(parseTyped(String(value)))
  } catch (error) {
    if (isLullError(error, 'BAD_DURATION')) return wrong
    throw error
  }
}

const number =
  (most: number, be: string) =>
  (value: unknown): number | BadLimit => {
    const read = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value
    return typeof read === 'number' && read >= 0 && read <= most ? read : new BadLimit(`must be ${be}`)
  }

const preset = (value: unknown): PresetName | BadLimit =>
  presetNames.find(name => name === value) ?? new BadLimit(`must be one of ${presetNames.join(', ')}`)

/** Each is a flag, and a field of the file. */
export const limitFields = {
  preset,
  silence: time,
  dwell: time,
  escalate: time,
  cpu: number(100, 'percent of a processor, 0 to 100'),
  io: number(Number.MAX_SAFE_INTEGER, 'a number of bytes'),
  every: time,
} as const satisfies {
  readonly [Name in keyof Required<Limits>]: (value: unknown) => Required<Limits>[Name] | BadLimit
}

type Mistake = { readonly field?: string; readonly sentence: string }

/** @param values by the names of the fields, as they were written */
export function readLimits(
  values: unknown,
): { readonly limits: Limits } | { readonly mistakes: readonly Mistake[] } {
  // A file that is empty, or comments alone.
  if (values === null || values === undefined) return { limits: {} }
  if (!isRecord(values)) return { mistakes: [{ sentence: 'must be fields with their values' }] }
  const names = Object.keys(limitFields)
  const mistakes: Mistake[] = []
  const limits: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(values)) {
    if (!Object.hasOwn(limitFields, field)) {
      const near = nearNames(field, names)
      const meant = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `there is ${names.join(', ')}`
      mistakes.push({ field, sentence: `is no field that lull knows: ${meant}` })
      continue
    }
    const read = limitFields[field as keyof typeof limitFields](value)
    if (read instanceof BadLimit) mistakes.push({ field, sentence: read.sentence })
    else limits[field] = read
  }
  return mistakes.length > 0 ? { mistakes } : { limits: limits as Limits }
}

/** The later ones come first. */
export function judgedBy(...all: readonly Limits[]): {
  readonly preset: Preset
  readonly dwell: number
  readonly every?: number
} {
  const {
    preset: name = 'conservative',
    dwell = defaultDwell,
    every,
    ...own
  }: Limits = Object.assign({}, ...all)
  const { silence, escalate, cpu: stuckCpu, io: stuckIo } = own
  const changed = defined({ silence, escalate, stuckCpu, stuckIo })
  return { preset: { ...presets[name], ...changed }, dwell, ...defined({ every }) }
}
