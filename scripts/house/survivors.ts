/** docs/mutation.md: faults that no test notices, a section a room, and why each of them is let be. */

export type Survivor = {
  readonly file: string
  readonly line: number
  readonly original: string
  readonly replacement: string
}

/**
 * The page with a room's section written anew. A fault that stood there before keeps its reason: it is known by its file
 * and its code, whatever its line is by now.
 */
export function survivorPage(
  page: string,
  room: string,
  percent: number,
  survivors: readonly Survivor[],
): string {
  const reasons = reasonsOf(page)
  const heading = `## ${room}`
  const sections = page.split(/^(?=## )/m)
  const others = sections.filter(section => !section.startsWith(`${heading}\n`))
  const sorted = [...survivors].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line))
  const rows = sorted.map(one => {
    const key = keyOf(one)
    return `| ${key} | ${one.line} | ${reasons.get(key) ?? ''} |`
  })
  const table = ['| file | code | fault | line | reason |', '| --- | --- | --- | --- | --- |', ...rows]
  const section = `${heading}\n\n${percent} % are noticed. These are not:\n\n${table.join('\n')}\n`
  return `${[...others, section].map(part => part.trimEnd()).join('\n\n')}\n`
}

const keyOf = ({ file, original, replacement }: Survivor): string =>
  [file, code(original), code(replacement)].join(' | ')

/** Code on one line of a table, no longer than one reads at a glance. */
function code(text: string): string {
  const line = text
    .replaceAll(/\s+/g, ' ')
    .replaceAll('|', '¦')
    .replaceAll('`', 'ˋ')
    .replaceAll('](', '] (')
    .trim()
  return `\`${line.length > 70 ? `${line.slice(0, 69)}…` : line}\``
}

function reasonsOf(page: string): ReadonlyMap<string, string> {
  const rows = [...page.matchAll(/^\| (\S+ \| `[^`]*` \| `[^`]*`) \| \d+ \| (.+) \|$/gm)]
  return new Map(rows.map(([, key = '', reason = '']) => [key, reason]))
}
