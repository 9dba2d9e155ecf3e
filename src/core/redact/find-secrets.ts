/** Finds the secrets in a text, in time that grows with its length: no rule looks twice at what another passed over. */
import { parseJson } from '../trace/trace.ts'
import { begunKey, issuedKeys } from './issued-keys.ts'
import { namedValues, secretIn } from './named-values.ts'
import { runAt, type Span, viewOf } from './span.ts'
import { kindOf, type NameKind } from './telling-names.ts'

/** The spans of all secrets, in any order; they may overlap. In JSON they lie within its strings, so JSON stays JSON. */
export function findSecrets(text: string): Span[] {
  if (isJson(text)) return [...inJson(text)]
  const spans: Span[] = []
  const take = (found: Iterable<Span>, by: number): void => {
    for (const span of found) spans.push({ ...span, start: span.start + by, end: span.end + by })
  }
  let from = 0
  for (const { index, 0: line } of text.matchAll(/^[[{].*[\]}][ \t\r]*$/gm)) {
    if (!isJson(line)) continue
    take(inText(text.slice(from, index)), from)
    take(inJson(line), index)
    from = index + line.length
  }
  take(inText(text.slice(from)), from)
  return spans
}

const isJson = (text: string): boolean =>
  /^\s*[[{"]/.test(text) && '}]"'.includes(text.trimEnd().at(-1) ?? ' ') && parseJson(text) !== undefined

const escaped = /\\(?:u[0-9a-fA-F]{4}|.)/g
const controls: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
const plainOf = (found: string): string => {
  const letter = found[1] ?? ''
  return letter === 'u'
    ? String.fromCharCode(Number.parseInt(found.slice(2), 16))
    : (controls[letter] ?? letter)
}
const number = /[ \t\r\n]*(-?\d[\d.eE+-]*)/y

function* inJson(json: string): Generator<Span> {
  let kind: NameKind | undefined
  for (let start = json.indexOf('"'); start >= 0; start = json.indexOf('"', start)) {
    const end = endOfString(json, start + 1)
    const view = viewOf(json.slice(start + 1, end), escaped, plainOf)
    const spans = kind === undefined ? findSecrets(view.text) : inValue(view.text, kind)
    for (const span of spans) {
      const { start: from, end: to, ...rest } = view.spanOf(span)
      yield { ...rest, start: start + 1 + from, end: start + 1 + to }
    }
    const isKey = /[ \t\r\n]*:/y
    isKey.lastIndex = end + 1
    const colon = isKey.exec(json)
    // An argument that follows its flag in a list is named by it.
    kind = colon || view.text.startsWith('-') ? kindOf(view.text) : undefined
    start = end + 1 + (colon?.[0].length ?? 0)
    if (!colon || kind === undefined) continue
    number.lastIndex = start
    const [, digits = ''] = number.exec(json) ?? []
    if (kind === 'password' && digits.length >= 4)
      yield { start: number.lastIndex - digits.length, end: number.lastIndex, isNumber: true }
    // A name is of the value that follows it, not of what lies in a list or an object there.
    if (!/^\s*"/.test(json.slice(start, start + 40))) kind = undefined
  }
}

function endOfString(json: string, from: number): number {
  for (let at = from; ; at++) {
    at = json.indexOf('"', at)
    let before = at
    while (json[before - 1] === '\\') before--
    if ((at - before) % 2 === 0) return at
  }
}

function inValue(value: string, kind: NameKind): Span[] {
  const span = secretIn(value, kind, 'quoted')
  return span ? [span] : findSecrets(value)
}

/**
 * Colours within a word, characters without a width, and full-width signs. A cursor that moves to the right leaves a
 * blank, any other way it begins a line.
 */
const unseen =
  /(?:\u001b|(?<!\\)\\+(?:u001b|x1b|033|e))\[[\d;:?]{0,40}[A-Za-z]|[\u00ad\u200b-\u200f\u2060\ufeff]|[：＝]/g

const seenAs = (found: string): string => {
  const last = found.at(-1) ?? ''
  if (last === '：') return ':'
  if (last === '＝') return '='
  if (last === 'C') return ' '
  return 'ABDEFGHd'.includes(last) && found.length > 1 ? '\n' : ''
}

/** Where a key begins that may go on behind the text: it is none yet. */
export function begunIn(text: string): number | undefined {
  const view = viewOf(text.slice(-longestBegun), unseen, seenAs)
  const start = begunKey(view.text)
  return start === undefined
    ? undefined
    : Math.max(0, text.length - longestBegun) + view.spanOf({ start, end: start + 1 }).start
}

/** Longer than what any issuer's key needs to be known by, with the colours that it is typed in. */
const longestBegun = 2048

/** A break of a line within a word, as a terminal makes it at its edge, with what frames the next line. */
const fold = /(?<=[\w+/=.-])\r?\n[ \t│┃|]{0,8}(?=[\w+/=-])/g

function* inText(text: string): Generator<Span> {
  if (text.length < 6) return
  const view = viewOf(text, unseen, seenAs)
  for (const span of plainly(view.text)) yield view.spanOf(span)
  const unfolded = viewOf(view.text, fold, () => '')
  if (unfolded.text.length === view.text.length) return
  for (const span of issuedKeys(unfolded.text)) {
    const wide = unfolded.spanOf(span)
    const rest = view.text.slice(wide.start, wide.end).split(/\n/)
    // A line that is no part of it has no digit, as words have none.
    const others = rest.slice(1).findIndex(part => !/\d/.test(part))
    const length = others < 0 ? wide.end - wide.start : rest.slice(0, others + 1).join('\n').length
    if (rest.length > 1) yield view.spanOf({ start: wide.start, end: wide.start + length })
  }
}

function* plainly(text: string): Generator<Span> {
  yield* issuedKeys(text)
  yield* namedValues(text)
  yield* privateKeys(text)
  yield* inAddresses(text)
  yield* inCommands(text)
}

const beginOfKey = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g
const lineOfKey =
  /(?:\\+[rn]|\s){1,200}(?:[A-Z][\w-]{1,20}: [^\s\\"]{1,100}|[\w+/=]{1,100})(?=[\r\n\\"'`]|$)/y
/** Longer than any key of RSA or PGP. */
const longestKey = 20_000

function* privateKeys(text: string): Generator<Span> {
  let close = 0
  beginOfKey.lastIndex = 0
  for (let found = beginOfKey.exec(text); found; found = beginOfKey.exec(text)) {
    const from = found.index + found[0].length
    if (close >= 0 && close < from) close = text.indexOf('-----END ', from)
    const isClosed = close >= 0 && close - from <= longestKey && !text.slice(from, close).includes('"')
    const end = isClosed ? endOfLine(text, close) : from + runAt(lineOfKey, text, from).length
    yield { start: found.index, end }
    beginOfKey.lastIndex = end
  }
}

/** Behind the dashes that end the line that begins with dashes here. */
function endOfLine(text: string, from: number): number {
  const dashes = text.slice(from + 9, from + 80).indexOf('-----')
  return dashes < 0 ? from : from + 9 + dashes + 5
}

const address = /(?<=[a-z0-9]):\/\/([^\s/?#"'<>`\\]*)/gi
/** A password may contain a slash. Digits alone after the colon are a port, not a password. */
const slashed = /[^\s"'<>`\\@]{1,200}@/y

function* inAddresses(text: string): Generator<Span> {
  for (const { index, 0: whole, 1: authority = '' } of text.matchAll(address)) {
    const start = index + whole.length - authority.length
    const at = authority.lastIndexOf('@')
    const colon = authority.indexOf(':')
    slashed.lastIndex = start + authority.length
    const end =
      at >= 0
        ? start + at
        : colon >= 0 && !/^\d*$/.test(authority.slice(colon + 1)) && slashed.test(text)
          ? slashed.lastIndex - 1
          : -1
    if (end < 0) continue
    const user = text.slice(start, end)
    if (colon >= 0 && start + colon < end) {
      if (isPassword(user.slice(colon + 1))) yield { start: start + colon + 1, end }
    } else if (user.length >= 16 && /\d/.test(user)) yield { start, end }
  }
}

const isPassword = (text: string): boolean => text !== '' && !/^(?:\$[\w({]|<|\{|\*{3}|\[redacted)/.test(text)

/** Commands that take a password without a name, and how. */
const commands: readonly (readonly [name: RegExp, password: RegExp])[] = [
  [/\b(?:mysql|mariadb)/g, /\s-p([^\s"'\\]{3,100})/],
  [/\bsshpass\b/g, /\s-p ?["']?([^\s"'\\]{1,100})/],
  [/\b(?:curl|wget|https?)\b/g, /\s(?:-u|--user|--proxy-user)[ =]?["']?[^\s:"'\\]{1,100}:([^\s"'\\]{1,100})/],
  [/\bredis-cli\b/g, /\s-a ["']?([^\s"'\\]{1,100})/],
  [/\b(?:docker|podman|helm|oc|az|mongo|mongosh)\b/g, /\s-p ["']?((?!\d+:)[^\s"'\\-][^\s"'\\]{3,100})/],
  [/\bidentified\b/gi, /\s(?:by|as) (?:password )?\\{0,8}["']([^"'\\]{1,100})/i],
  [/\b(?:seed|recovery|backup|mnemonic)\b/gi, /[\s:="'\\]((?:[a-z]{3,8} ){11,23}[a-z]{3,8})/],
  [/\bbearer\b/gi, /^[ \t](?=[^\s"'\\]{0,40}[\d=])([\w.~+/=-]{12,})/],
]
const longestCommand = 300

function* inCommands(text: string): Generator<Span> {
  for (const [name, password] of commands)
    for (const { index, 0: command } of text.matchAll(name)) {
      const from = index + command.length
      const rest = text.slice(from, from + longestCommand)
      const end = rest.search(/[\n|]/)
      const found = password.exec(end < 0 ? rest : rest.slice(0, end))
      const secret = found?.[1] ?? ''
      const start = from + (found?.index ?? 0) + (found?.[0].length ?? 0) - secret.length
      if (isPassword(secret)) yield { start, end: start + secret.length }
    }
}
