/** lull's entry among the MCP servers of a settings file in JSON: `{TABLE: {lull: {…}}}`. Pure. */
import { getNodeValue, type Node } from 'jsonc-parser'
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
import { isOurs, serverName } from './our-entry.ts'

/** A file of our own making. */
const plain: Style = { eol: '\n', indent: '  ', isOneLine: false }

/**
 * The text with the entry in place; one that is right stays as it is, an older one of ours is replaced where it stands.
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
