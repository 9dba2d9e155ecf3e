/** Secrets that only their names tell: `PASSWORD=…`, `"apiKey": "…"`, `--token …`, `Authorization: …`. */
import { matchAt, runAt, type Span } from './span.ts'
import { isSecret, kindOf, type NameKind, type Standing } from './telling-names.ts'

/** Every telling name has one of these in it. */
const stem =
  /pass|pwd|psk|secret|token|key|credential|auth|cookie|phrase|mnemonic|kennwort|sig|jwt|bearer|\bpat\b/gi
const nameRest = /[\w.-]*/y
const longestName = 80
/** An opening quote, of JSON in JSON too. */
const quote = /\\*["'`]/y
const assignment = /[ \t]*(?:=>|:=|={1,3}|!==?|:(?!:)|%3[ad])[ \t]*/iy
const afterQuote = /\s*[:=]\s*/y
/** In a list of arguments. */
const afterFlag = /\s*,\s*/y
/** `password hunter2`, `password for ada: hunter2`, `the password is hunter2`. */
const spaces = /[ \t]+(?:for [^\s:]{1,80}:[ \t]*|(?:is|was):?[ \t]+)?/y
/** Up to where the next one begins: `a;Server=x`, `a&state=b`, `a, b`. */
const bareValue = /[^\s"'`\\,;&]+|\\(?!["'nrtu\\])|[,;&](?![\s"'\\]|$|[\w.-]{1,64}[=:])/y
const headerScheme = /[a-z0-9-]{1,20}[ \t]+/iy
const headerValue = /(?:[a-z0-9-]{1,20}[ \t]+(?=\S))?[^\s"'`\\,;]+/iy
const cookieValue = /[^"'`\\\r\n]+/y
const number = /-?\d+(?:\.\d+)?/y
/** No secret in quotes is longer; keys in several lines have a form of their own. */
const longestQuoted = 4096

export function* namedValues(text: string): Generator<Span> {
  let done = 0
  stem.lastIndex = 0
  for (let found = stem.exec(text); found; found = stem.exec(text)) {
    let start = found.index
    while (start > done && /[\w.-]/.test(text[start - 1] as string)) start--
    const end = found.index + (matchAt(nameRest, text, found.index) ?? '').length
    const value =
      end - start > longestName ? undefined : valueBehind(text, text.slice(start, end), start, end)
    if (value?.isSecret) yield value.span
    // What is no secret may hold one, but a long one is not read again for each name in it.
    const isRead = value && (value.isSecret || value.span.end - value.span.start > longestName)
    done = isRead ? value.span.end : end
    stem.lastIndex = done
  }
}

/** The value behind a name that suggests a secret. */
type Value = { readonly span: Span; readonly isSecret: boolean }

function valueBehind(text: string, name: string, start: number, end: number): Value | undefined {
  const isFile = name.includes('.') && text[start - 1] === '/'
  const kind = isFile ? undefined : kindOf(name)
  if (kind === undefined || (name === 'sig' && !/[?&;]/.test(text[start - 1] ?? ''))) return undefined
  const closing = matchAt(quote, text, end)
  const isQuoted = closing !== undefined && text.slice(start - closing.length, start) === closing
  const nameEnd = isQuoted ? end + closing.length : end
  const isFlag = name.startsWith('-')
  const sign = matchAt(isQuoted ? (isFlag ? afterFlag : afterQuote) : assignment, text, nameEnd)
  const mayStandAlone = isFlag || kind === 'password' || kind === 'phrase'
  const between = sign ?? (mayStandAlone ? matchAt(spaces, text, nameEnd) : undefined)
  if (between === undefined) return undefined
  const at = nameEnd + between.length
  const opening = matchAt(quote, text, at)
  if (opening !== undefined) return quoted(text, at + opening.length, opening, kind)
  if (isQuoted) return kind === 'password' ? numberAt(text, at) : undefined
  // A type, a comparison or a sentence has a space beside its sign, an assignment has none.
  return bare(text, at, kind, sign !== undefined && !/[ \t:]/.test(sign) ? 'assigned' : 'loose')
}

function numberAt(text: string, at: number): Value | undefined {
  const digits = matchAt(number, text, at) ?? ''
  const span = { start: at, end: at + digits.length, isNumber: true } as const
  return digits.length >= 4 ? { span, isSecret: true } : undefined
}

/** @returns nothing where the quote ends the text around the name: `input("Password: ")` */
function quoted(text: string, at: number, mark: string, kind: NameKind): Value | undefined {
  const rest = text.slice(at, at + longestQuoted)
  let end = rest.indexOf(mark)
  while (end > 0 && rest[end - 1] === '\\') end = rest.indexOf(mark, end + 1)
  const value = end < 0 ? runAt(bareValue, text, at) : rest.slice(0, end)
  return /^[\s),;:\]}]|\n/.test(value) ? undefined : judged(value, at, kind, 'quoted')
}

function bare(text: string, at: number, kind: NameKind, standing: Standing): Value {
  if (kind === 'cookie' || kind === 'header')
    return judged(matchAt(kind === 'cookie' ? cookieValue : headerValue, text, at) ?? '', at, kind, standing)
  const value = runAt(bareValue, text, at)
  let length = value.length
  while (length > 0 && '.,;:!?)]}>'.includes(value[length - 1] as string)) length--
  return judged(value.slice(0, length), at, kind, standing)
}

const judged = (value: string, at: number, kind: NameKind, standing: Standing): Value => {
  const secret = secretIn(value, kind, standing)
  const span = secret ?? { start: 0, end: value.length }
  return { span: { start: at + span.start, end: at + span.end }, isSecret: secret !== undefined }
}

/** Where the secret lies in a value: behind the scheme of a header. */
export function secretIn(value: string, kind: NameKind, standing: Standing): Span | undefined {
  const start = kind === 'header' ? (matchAt(headerScheme, value, 0) ?? '').length : 0
  return isSecret(value.slice(start, start + longestQuoted), kind, standing)
    ? { start, end: value.length }
    : undefined
}
