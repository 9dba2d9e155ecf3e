/** What is kept of an entry: any caller's text, in bounded room. Pure. */
import type { JsonValue } from './entry.ts'

/** Of JSON, an entry: enough for a screen and the evidence of a verdict. */
const mostDataBytes = 64 * 1024

/** A path of Linux has 4096 bytes at the most (limits.h, PATH_MAX); ids are shorter. */
const longestName = 4096

const ellipsis = '…'

type Bound = {
  /** Characters of a text, or of a field's name. */
  readonly text: number
  /** Of a list, or fields of an object. */
  readonly items: number
  readonly depth: number
}

/**
 * One after the other until it fits. The first ones cut long texts alone; the last one fits whatever it is: 8 × 8 fields of
 * 2 × 17 characters, of 6 bytes each where they are escaped, are 13 kB.
 */
const bounds: readonly Bound[] = [
  { text: 16_384, items: Infinity, depth: 64 },
  { text: 4096, items: Infinity, depth: 64 },
  { text: 1024, items: 1024, depth: 64 },
  { text: 256, items: 256, depth: 16 },
  { text: 64, items: 64, depth: 8 },
  { text: 16, items: 8, depth: 2 },
]

/** As JSON of at most 64 kB, with an ellipsis for what is left out. */
export function boundedJson(data: JsonValue): string {
  const whole = jsonWithin(data)
  if (whole !== undefined) return whole
  for (const bound of bounds) {
    const json = jsonWithin(shortened(data, bound) ?? null)
    if (json !== undefined) return json
  }
  return JSON.stringify(ellipsis)
}

/** Undefined where it is too long, or nested so deeply that it can't be written at all. */
function jsonWithin(data: JsonValue): string | undefined {
  try {
    const json = JSON.stringify(data)
    return isWithin(json) ? json : undefined
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** A character has 3 bytes at the most, an escaped one 1: most need not be counted. */
const isWithin = (json: string): boolean =>
  json.length <= mostDataBytes &&
  (json.length * 3 <= mostDataBytes || new TextEncoder().encode(json).length <= mostDataBytes)

function shortened(data: JsonValue | undefined, bound: Bound): JsonValue | undefined {
  if (typeof data === 'string') return cut(data, bound.text)
  if (typeof data !== 'object' || data === null) return data
  if (bound.depth === 0) return ellipsis
  const below = { ...bound, depth: bound.depth - 1 }
  if (isList(data)) {
    const kept = data.slice(0, bound.items).map(item => shortened(item, below) ?? null)
    return data.length > bound.items ? [...kept, ellipsis] : kept
  }
  const fields = Object.entries(data)
  const kept = fields
    .slice(0, bound.items)
    .map(([name, value]) => [cut(name, bound.text), shortened(value, below)] as const)
  // A field of any name becomes one of its own: of `__proto__` as well.
  return Object.fromEntries(fields.length > bound.items ? [...kept, [ellipsis, ellipsis]] : kept)
}

const isList = (data: object): data is readonly JsonValue[] => Array.isArray(data)

/** Not between the halves of a character. */
const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}${ellipsis}`

/**
 * A name as the store keeps it and is asked for it. Half a character is none in UTF-8, and Node 22 reads a text back only as
 * far as its first NUL: each becomes U+FFFD.
 */
export const boundedName = (name: string): string =>
  cut(name, longestName).toWellFormed().replaceAll('\0', '\ufffd')
