/** YAML that people write, parsed with the line of every mistake. */
import { type Document, isScalar, LineCounter, type Pair, parseDocument, visit, YAMLParseError } from 'yaml'

export type YamlFields = {
  readonly value: unknown
  /** The place of a field: `RALPH.md:3:5`. */
  where(path: readonly PropertyKey[]): string
}

/** Names for a value are of use in a few places; more of them make a text of a line a value of gigabytes. */
const mostAliases = 100

/** For each bracket that stays open the parser takes longer with the next one. */
const mostOpen = 100
const tooDeep = 'it is nested too deeply'

type Place = {
  /** Lines that stand before the text in its file. */
  readonly before?: number
  /** What the text is, in sentences. */
  readonly what: string
}

/**
 * @param file its name in sentences
 * @returns what it holds, or a sentence with the place of the first syntax error
 */
export function readYaml(
  text: string,
  file: string,
  { before = 0, what }: Place,
): YamlFields | { readonly wrong: string } {
  const lines = new LineCounter()
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return `${file}:${line + before}:${col}`
  }
  // The mark of some editors is no column.
  const read = parsed(text.replace(/^\uFEFF/, ''), lines)
  if ('why' in read) return { wrong: `${file}: ${what} can't be read: ${read.why}` }
  const { document, value } = read
  const [error] = document.errors
  if (error) return { wrong: `${at(error.pos[0])}: ${wordsOf(error)}` }
  return {
    value,
    where(path) {
      for (let length = path.length; length > 0; length--) {
        const range = rangeOf(document.getIn(path.slice(0, length), true))
        if (range !== undefined) return at(range)
      }
      return file
    },
  }
}

/** The library advises whoever calls it. */
const wordsOf = ({ code, message }: YAMLParseError): string =>
  code === 'MULTIPLE_DOCS'
    ? 'a second document begins here, and one alone is read: take out the line ---'
    : `not YAML: ${lowerFirst(message)}`

/** The parser calls itself at each level, and refuses what its aliases would blow up. */
function parsed(
  text: string,
  lineCounter: LineCounter,
): { document: Document; value: unknown } | { why: string } {
  if (openBrackets(text) > mostOpen) return { why: tooDeep }
  try {
    // The parser would lay each name of a mapping beside each other one.
    const options = { lineCounter, prettyErrors: false, logLevel: 'error', uniqueKeys: false } as const
    const document = parseDocument(text, options)
    // The parser's stack overflows on deeply nested lists.
    if (document.errors.some(({ message }) => /call stack/i.test(message))) return { why: tooDeep }
    if (document.errors.length === 0)
      visit(document, { Map: (_, { items }) => checkNames(items, document.errors) })
    if (document.errors.length > 0) return { document, value: undefined }
    return { document, value: document.toJS({ maxAliasCount: mostAliases }) }
  } catch (error) {
    return {
      why: error instanceof RangeError ? tooDeep : lowerFirst((error as Error).message),
    }
  }
}

/** The most that are open at once; those within quotes count, as nobody writes so many there. */
function openBrackets(text: string): number {
  let open = 0
  let most = 0
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    open = Math.max(0, open + (bracket === '[' || bracket === '{' ? 1 : -1))
    most = Math.max(most, open)
  }
  return most
}

/** A mapping as a name is made a text: one in one in one takes twice as long for each. */
function checkNames(items: readonly Pair[], errors: YAMLParseError[]): void {
  const names = new Set<string>()
  for (const { key } of items) {
    if (!isScalar(key)) throw new Error('the name of a field must be a text')
    const name = String(key.value)
    const [from, to] = key.range ?? [0, 0]
    if (names.has(name))
      errors.push(new YAMLParseError([from, to], 'DUPLICATE_KEY', 'Map keys must be unique'))
    names.add(name)
  }
}

function rangeOf(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node)) return undefined
  const { range } = node
  return Array.isArray(range) && typeof range[0] === 'number' ? range[0] : undefined
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
