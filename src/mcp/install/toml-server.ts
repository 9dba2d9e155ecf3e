/**
 * lull's entry among the MCP servers of a file in TOML: a table of its own, `[TABLE.lull]`, at the end. The rest of the text
 * stays as it is, which a parser proves of each change.
 */
import { parse } from 'smol-toml'
import { oneLine } from '../../core/text/printable.ts'
import { isRecord } from '../../core/trace/trace.ts'
import { leftAsItIs } from '../../hooks/install/install-error.ts'
import { isSame } from '../../hooks/install/json-text.ts'
import { attempt } from '../../os/attempt.ts'
import { isOurs, serverName } from './our-entry.ts'

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
