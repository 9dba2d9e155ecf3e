/** A settings file as text and tree, and how its author writes JSON. */

import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { LullError } from '../../core/lull-error.ts'
import { isRecord } from '../../core/trace/trace.ts'
import { leftAsItIs } from './install-error.ts'

/** How a file is written, so that what we add looks like the rest. */
export type Style = {
  readonly eol: string
  readonly indent: string
  /** All of it is on one line. */
  readonly isOneLine: boolean
}

/** `3:14`, both from 1. */
function position(text: string, offset: number): string {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/)
  return `${before.length}:${(before.at(-1) ?? '').length + 1}`
}

/**
 * The tree of a settings file: an object, with comments and trailing commas, since some CLIs take them.
 * @throws {LullError} INSTALL_REFUSED with file:line:column where it is no such thing
 */
export function treeOf(text: string, file: string): Node {
  const errors: ParseError[] = []
  const root = parsed(text, file, errors)
  const [error] = errors
  if (error) {
    const what = printParseErrorCode(error.error)
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
    refuse(text, file, error.offset, `is not valid JSON (${what})`)
  }
  if (root === undefined) refuse(text, file, 0, 'is empty, and not JSON')
  if (root.type !== 'object') refuse(text, file, root.offset, `holds ${article(root.type)}, not an object`)
  return root
}

function parsed(text: string, file: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true })
  } catch (error) {
    if (error instanceof RangeError) throw leftAsItIs(`${file} is nested too deeply`)
    throw error
  }
}

/**
 * For programs that take JSON and nothing more: they pass over such a file as a whole, and with it our hooks.
 * @throws {LullError} INSTALL_REFUSED with file:line:column of the first comment or trailing comma
 */
export function checkPlain(text: string, file: string): void {
  treeOf(text, file)
  const errors: ParseError[] = []
  parseTree(text, errors, { allowTrailingComma: false, disallowComments: true, allowEmptyContent: true })
  const [error] = errors
  if (error)
    refuse(
      text,
      file,
      error.offset,
      'has a comment or a trailing comma, and the CLI skips such a file as a whole',
    )
}

/** @throws {LullError} INSTALL_REFUSED always: what is wrong with the file, and where */
export function refuse(text: string, file: string, offset: number, what: string): never {
  const where = `${file}:${position(text, offset)}`
  throw new LullError('INSTALL_REFUSED', `${where} ${what}; mend it first, nothing was changed`)
}

export const article = (type: string): string => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`)

/** The value of a member of an object, or undefined. A duplicate name is ambiguous: programs take either. */
export function member(object: Node, name: string): Node | undefined {
  return object.children?.find(property => property.children?.[0]?.value === name)?.children?.[1]
}

/** A duplicate name in an object, with the place of the second. */
export function doubled(object: Node, names: (name: string) => boolean): Node | undefined {
  const seen = new Set<unknown>()
  return object.children?.find(property => {
    const name: unknown = property.children?.[0]?.value
    if (typeof name !== 'string' || !names(name)) return false
    if (seen.has(name)) return true
    seen.add(name)
    return false
  })
}

export function styleOf(text: string, root: Node): Style {
  const eol = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n'
  const first = root.children?.[0]
  const body = text.slice(root.offset, root.offset + root.length)
  const before = first ? /(?:^|[\r\n])([ \t]+)$/.exec(text.slice(0, first.offset)) : null
  return { eol, indent: before?.[1] ?? '  ', isOneLine: first !== undefined && !/[\r\n]/.test(body) }
}

/** True where a value is the same as another, whatever the order of names. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((x, i) => isSame(x, b[i]))
  if (!isRecord(a) || !isRecord(b)) return Object.is(a, b)
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every(name => Object.hasOwn(b, name) && isSame(a[name], b[name]))
  )
}
