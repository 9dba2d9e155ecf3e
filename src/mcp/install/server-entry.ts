/**
 * lull's entry among the MCP servers of a settings file: in JSON `{TABLE: {lull: {…}}}`, in TOML a table `[TABLE.lull]` at the
 * end. The rest of the text stays as it is.
 */

import { getNodeValue, type Node } from 'jsonc-parser'
import { parse } from 'smol-toml'
import { oneLine } from '../../core/text/printable.ts'
import { isRecord } from '../../core/trace/trace.ts'
import { leftAsItIs } from '../../hooks/install/install-error.ts'
import { append, isAllOfOurs, remove, show, splice } from '../../hooks/install/json-edit.ts'
import {
  article,
  isSame,
  member,
  refuse,
  type Style,
  styleOf,
  treeOf,
} from '../../hooks/install/json-text.ts'
import { attempt } from '../../os/attempt.ts'

/** @throws {LullError} INSTALL_REFUSED where the file is malformed, or the name is another server's, or written otherwise */
export function withTomlServer(
  text: string | undefined,
  file: string,
  table: string,
  entry: Readonly<Record<string, unknown>>,
): string {
  const before = text ?? ''
  const [found, rest] = [serverIn(read(before, file), table), withoutTomlServer(before, file, table)]
  if (found !== undefined && isSame(found, entry)) return before
  const gap = rest === '' ? '' : rest.endsWith('\n') ? '\n' : '\n\n'
  const next = `${rest}${gap}${shown(table, entry)}`
  const { [table]: servers = {}, ...others } = read(rest, file)
  const wanted = { ...others, [table]: { ...(servers as object), [serverName]: entry } }
  if (
    !isSame(
      attempt(() => parse(next)),
      wanted,
    )
  )
    throw leftAsItIs(`${file} can't take another table`)
  return next
}

/** @throws {LullError} INSTALL_REFUSED */
export function withoutTomlServer(text: string, file: string, table: string): string {
  const whole = read(text, file)
  const found = serverIn(whole, table)
  if (found === undefined) return text
  if (!isOurs(found)) throw leftAsItIs(`${file} has another MCP server called ${serverName}`)
  const block = shown(table, found)
  const at = text.lastIndexOf(block)
  const from = at > 0 && text.slice(0, at).endsWith('\n\n') ? at - 1 : at
  const next = at < 0 ? text : text.slice(0, from) + text.slice(at + block.length)
  const { [table]: servers, ...others } = whole
  const { [serverName]: _, ...left } = servers as Record<string, unknown>
  const wanted = Object.keys(left).length > 0 ? { ...others, [table]: left } : others
  if (
    at < 0 ||
    !isSame(
      attempt(() => parse(next)),
      wanted,
    )
  )
    throw leftAsItIs(
      `${file} has lull's server in words of its own: take [${table}.${serverName}] out by hand`,
    )
  return next
}

function read(text: string, file: string): Record<string, unknown> {
  try {
    return parse(text)
  } catch (error) {
    const [why = ''] = (error as Error).message.split('\n')
    throw leftAsItIs(`${file} is not valid TOML (${oneLine(why, 200)}); mend it first`)
  }
}

function serverIn(whole: Record<string, unknown>, table: string): Record<string, unknown> | undefined {
  const servers = whole[table]
  const found = isRecord(servers) ? servers[serverName] : undefined
  return isRecord(found) ? found : undefined
}

/** TOML takes JSON's texts and lists of them as they are. */
const shown = (table: string, entry: Readonly<Record<string, unknown>>): string =>
  `[${table}.${serverName}]\n${Object.entries(entry)
    .map(([name, value]) => `${name} = ${JSON.stringify(value).replaceAll('","', '", "')}\n`)
    .join('')}`

/** The name of the server, in all CLIs. */
const serverName = 'lull'

/** It starts `lull mcp`, whichever version wrote it, from wherever. */
function isOurs(entry: unknown): boolean {
  if (!isRecord(entry)) return false
  const { command, args } = entry
  const words = [command, args].flat().filter(word => typeof word === 'string')
  const at = words.indexOf('mcp')
  return at > 0 && /(?:^|[/\\])lull(?:\.js)?$/.test(words[at - 1] ?? '')
}

/** A file of our own making. */
const plain: Style = { eol: '\n', indent: '  ', isOneLine: false }

/**
 * The text with the entry in place; a right one stays as it is, an older one of ours is replaced in place.
 * @throws {LullError} INSTALL_REFUSED where the file is malformed, or the name is another server's
 */
export function withServer(
  text: string | undefined,
  file: string,
  name: string,
  entry: Readonly<Record<string, unknown>>,
): string {
  if (text === undefined || text.trim() === '')
    return `${show({ [name]: { [serverName]: entry } }, plain, 0)}${plain.eol}`
  const root = treeOf(text, file)
  const style = styleOf(text, root)
  const table = tableIn(text, file, root, name)
  if (!table) return append(text, root, 0, { name, value: { [serverName]: entry } }, style)
  const property = ownProperty(text, file, table)
  if (!property) return append(text, table, 1, { name: serverName, value: entry }, style)
  const value = property.children?.[1] as Node
  if (isSame(getNodeValue(value), entry)) return text
  const shown = show(entry, style, 2)
  return splice(text, [{ from: value.offset, to: value.offset + value.length, text: shown }])
}

/** The text without it, and without the table where that was made for it. @throws {LullError} INSTALL_REFUSED */
export function withoutServer(text: string, file: string, name: string): string | undefined {
  const root = treeOf(text, file)
  const style = styleOf(text, root)
  const table = tableIn(text, file, root, name)
  const property = table && ownProperty(text, file, table)
  if (!table || !property) return text
  if (!isAllOfOurs(text, table, property)) return remove(text, table, 1, property, style)
  const whole = table.parent as Node
  // A file that holds nothing else is one that lull has made.
  if (text === withServer(undefined, file, name, getNodeValue(property.children?.[1] as Node)))
    return undefined
  return remove(text, root, 0, whole, style)
}

function tableIn(text: string, file: string, root: Node, name: string): Node | undefined {
  const table = member(root, name)
  if (table && table.type !== 'object')
    refuse(text, file, table.offset, `has in ${name} ${article(table.type)}, not an object`)
  return table
}

function ownProperty(text: string, file: string, table: Node): Node | undefined {
  const property = table.children?.find(({ children }) => children?.[0]?.value === serverName)
  const value = property?.children?.[1]
  if (value && !isOurs(getNodeValue(value)))
    refuse(text, file, value.offset, `has another MCP server called ${serverName}`)
  return property
}
