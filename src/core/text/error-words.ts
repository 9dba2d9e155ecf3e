/**
 * The words of an error that a program passed on as it came: a provider's answer in JSON, within other words or other JSON, and
 * often cut off. For people: nothing is decided by them. Pure.
 */

/** Answers within answers: Codex passes on a text of JSON that holds a text of JSON. */
const deepest = 4

const message = /"message"\s{0,4}:\s{0,4}"((?:[^"\\]|\\.){1,500})/
const code = /"(?:code|status|status_code|statusCode)"\s{0,4}:\s{0,4}"?([1-5]\d\d)\b/

/** `[API Error: {"error":{"code":400,"message":"too long"}}]` is `API Error: 400: too long`. */
export function errorWords(error: string, depth = 0): string {
  const at = error.indexOf('{')
  if (at < 0 || depth > deepest) return error
  const json = error.slice(at)
  const text = message.exec(json)?.[1]
  if (text === undefined) return error
  const words = errorWords(unescaped(text), depth + 1)
  const lead = error.slice(0, at).replaceAll('[', '').trim().replace(/:$/, '')
  const status = code.exec(json)?.[1]
  const isIncluded = status === undefined || `${lead} ${words}`.includes(status)
  return [lead, isIncluded ? '' : status, words].filter(part => part !== '').join(': ')
}

function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    // Cut off within an escape.
    return text.replaceAll('\\"', '"')
  }
}
