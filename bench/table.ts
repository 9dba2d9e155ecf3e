/** Tables that read well in a terminal and in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const all = [head, ...rows.map(row => row.map(String))]
  const widths = head.map((_, column) => Math.max(...all.map(row => (row[column] ?? '').length)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  return [line(all[0] as string[]), rule, ...all.slice(1).map(row => line(row as string[]))].join('\n')
}

export const percent = (share: number, digits = 1): string => (100 * share).toFixed(digits)

export const seconds = (value: number | string | undefined): string =>
  typeof value === 'number' ? value.toFixed(3) : (value ?? '-')
