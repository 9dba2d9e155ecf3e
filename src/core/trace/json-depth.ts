/** How deep a value of JSON may be: the parser takes any depth, but whatever walks over a value calls itself. */

/** No recorded input has more than 10 levels. Of a deeper one the rest is read all the same. */
const deepest = 100

/** A parsed value without what lies too deep in it: `null` stands there. */
export const boundDepth = (value: unknown, text: string): unknown =>
  mayBeDeep(text) ? cutBelow(value, deepest) : value

/** Brackets in strings count as well: it is a cheap look at most inputs. */
function mayBeDeep(text: string): boolean {
  let opened = 0
  for (const bracket of ['{', '['])
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1))
      if (++opened > deepest) return true
  return false
}

function cutBelow(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return null
  // A parser's objects own all of their fields, `__proto__` too: nothing else is written to.
  const fields = value as Record<string, unknown>
  for (const name of Object.keys(fields)) {
    const field = fields[name]
    if (typeof field === 'object' && field !== null) fields[name] = cutBelow(field, levels - 1)
  }
  return value
}
