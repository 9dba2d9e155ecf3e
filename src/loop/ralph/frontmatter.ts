/** RALPH.md in two: the YAML between its first two `---` lines, and the body. */

import { type Document, isScalar, LineCounter, parseDocument, visit } from 'yaml'
import { LullError } from '../../core/lull-error.ts'

export type Parts = {
  readonly frontmatter: string
  /** Lines before it. */
  readonly before: number
  readonly body: string
}

/** Line ends are made one kind. Nothing where it does not begin with a frontmatter that ends. */
export function splitRalph(text: string): Parts | 'none' | 'unclosed' {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n')
  if (!isFence(lines[0])) return 'none'
  const end = lines.findIndex((line, i) => i > 0 && isFence(line))
  if (end < 0) return 'unclosed'
  return {
    frontmatter: lines.slice(1, end).join('\n'),
    before: 1,
    body: lines.slice(end + 1).join('\n'),
  }
}

const isFence = (line: string | undefined): boolean => line?.trimEnd() === '---'

export type Fields = {
  readonly value: unknown
  /** Where a field stands: `RALPH.md:3:5`. */
  where(path: readonly PropertyKey[]): string
}

/** Far more than a loop's fields take: its parser needs more than linear time for some texts. */
const longest = 16 * 1024
/** Names for a value are of use in a few places; more of them make a text of a line a value of gigabytes. */
const mostAliases = 100

/**
 * Reads the frontmatter's YAML.
 * @param file its name in sentences
 * @throws {LullError} BAD_RALPH with line and column, where it is no YAML
 */
export function readFields({ frontmatter, before }: Parts, file: string): Fields {
  if (frontmatter.length > longest)
    throw new LullError('BAD_RALPH', `${file}: the frontmatter is larger than ${longest / 1024} kB`)
  const lines = new LineCounter()
  const { document, value } = parsed(frontmatter, lines, file)
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return `${file}:${line + before}:${col}`
  }
  const [error] = document.errors
  if (error) throw new LullError('BAD_RALPH', `${at(error.pos[0])}: not YAML: ${lowerFirst(error.message)}`)
  return {
    value,
    where(path) {
      for (let length = path.length; length > 0; length--) {
        const node: unknown = document.getIn(path.slice(0, length), true)
        const range = rangeOf(node)
        if (range !== undefined) return at(range)
      }
      return file
    },
  }
}

/** The parser calls itself at each level, and refuses what its aliases would blow up. */
function parsed(
  text: string,
  lineCounter: LineCounter,
  file: string,
): { document: Document; value: unknown } {
  try {
    const document = parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'error' })
    if (document.errors.length > 0) return { document, value: undefined }
    visit(document, { Pair: (_, { key }) => refuseKey(key) })
    return { document, value: document.toJS({ maxAliasCount: mostAliases }) }
  } catch (error) {
    const why = error instanceof RangeError ? 'it is nested too deeply' : lowerFirst((error as Error).message)
    throw new LullError('BAD_RALPH', `${file}: the frontmatter can't be read: ${why}`)
  }
}

/** A mapping as a name is made a text: one in one in one takes twice as long for each. */
function refuseKey(key: unknown): void {
  if (!isScalar(key)) throw new Error('the name of a field must be a text')
}

function rangeOf(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node)) return undefined
  const { range } = node
  return Array.isArray(range) && typeof range[0] === 'number' ? range[0] : undefined
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
