/**
 * What is read of JSON that other programs write: so many levels, so many values. A text of a few MB is parsed at once; the same
 * text as a million small values takes seconds, in which a host answers nobody. Pure.
 */

/** Texts as short as this are parsed as they are: they can't hold many more values than are read. */
const shortest = 256 * 1024
/** In all. Recorded inputs of several MB are long texts with a few hundred values. */
const mostValues = 100_000

/**
 * JSON text with `null` in place of each list or object in its outermost one that would take it beyond `most` values.
 * @returns an empty text, which is no JSON, where the outermost one has too many itself
 */
export function withoutCrowds(text: string, most = mostValues, short = shortest): string {
  if (text.length <= short) return text
  const kept: string[] = []
  let [depth, values, outside, opened, copied] = [0, 0, 0, 0, 0]
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at)
        break
      case comma:
        values++
        break
      case openBrace:
      case openBracket:
        if (depth > 0) values++
        if (++depth === 2) [outside, opened] = [values, at]
        break
      case closeBrace:
      case closeBracket:
        if (--depth === 1 && values > most) {
          kept.push(text.slice(copied, opened), 'null')
          copied = at + 1
          values = outside
        }
    }
    if (depth === 1 && values > most) return ''
  }
  return kept.length === 0 ? text : kept.join('') + text.slice(copied)
}

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/** The place of the quote that ends a string; the text's length where none does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end
    while (text.charCodeAt(before - 1) === backslash) before--
    if ((end - before) % 2 === 0) return end
  }
  return text.length
}

/** No recorded input has more than 10 levels. Of a deeper one the rest is read all the same. */
const deepest = 100

/** A parsed value with `null` in place of values that are nested too deep. */
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
