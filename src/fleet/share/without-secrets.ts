/** Takes the secrets out of all texts of a value. Most were seen before: what a session has changes seldom. */
import { redact } from '../../core/redact/redact.ts'

const mostKnown = 5000
/** Characters. What is shorter has no room for a name and its secret. */
const shortest = 12

export function secretsRemover(): <T>(value: T) => T {
  const known = new Map<string, string>()
  /** Values never change; of a session that has, most parts are the same. */
  const done = new WeakMap<object, object>()

  function clean(text: string): string {
    if (text.length < shortest) return text
    const before = known.get(text)
    if (before !== undefined) return before
    if (known.size >= mostKnown) known.clear()
    const cleaned = redact(text)
    known.set(text, cleaned)
    return cleaned
  }

  function without(value: unknown): unknown {
    if (typeof value === 'string') return clean(value)
    if (typeof value !== 'object' || value === null) return value
    const before = done.get(value)
    if (before) return before
    const cleaned = Array.isArray(value) ? value.map(without) : fieldsWithout(value)
    const isSame = Object.entries(value).every(([field, one]) => cleaned[field as keyof object] === one)
    const kept = isSame ? value : cleaned
    done.set(value, kept)
    return kept
  }

  const fieldsWithout = (value: object): object =>
    Object.fromEntries(Object.entries(value).map(([field, one]) => [field, without(one)]))

  return <T>(value: T) => without(value) as T
}
