/** docs/mutation.md: faults that no test notices, a section a room, and below each reason those that are let be for it. */
import { usualReason } from './usual-reasons.ts'

export type Survivor = {
  readonly file: string
  readonly line: number
  readonly original: string
  readonly replacement: string
}

/** For faults that nobody has looked at yet. */
export const unknownReason = 'Nobody has said why yet'

/**
 * The page with a room's section written anew. A fault that stood there before keeps its reason, the heading above it: it
 * is known by its file and its code, whatever its line is by now. A new one gets that of its kind.
 */
export function survivorPage(
  page: string,
  room: string,
  percent: number,
  survivors: readonly Survivor[],
): string {
  const reasons = reasonsOf(page)
  const others = sectionsOf(page).filter(section => !isOf(room, section))
  const sorted = [...survivors].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line))
  const groups = Map.groupBy(sorted, one => reasons.get(keyOf(one)) ?? usualReason(one) ?? unknownReason)
  const said = `## ${room}\n\n${percent} % are noticed. ${survivors.length} are not:`
  return joined([
    ...others,
    sectionWith(said, new Map([...groups].map(([reason, faults]) => [reason, faults.map(rowOf)]))),
  ])
}

/** The page where each row of a room has the reason that is given for it, if one is. */
export function pageWithReasons(page: string, room: string, reasonOf: ReadonlyMap<string, string>): string {
  const sections = sectionsOf(page).map(section => {
    if (!isOf(room, section)) return section
    const [said = '', ...parts] = section.split(/^### /m)
    const rows = parts.flatMap(part => {
      const [reason = '', , ...all] = part.trimEnd().split('\n')
      return all.map(row => ({ row, reason: reasonOf.get(row) ?? reason }))
    })
    const groups = Map.groupBy(rows, ({ reason }) => reason)
    return sectionWith(
      said.trimEnd(),
      new Map([...groups].map(([reason, all]) => [reason, all.map(({ row }) => row)])),
    )
  })
  return joined(sections)
}

const sectionsOf = (page: string): readonly string[] => page.split(/^(?=## )/m)

const isOf = (room: string, section: string): boolean => section.startsWith(`## ${room}\n`)

const joined = (sections: readonly string[]): string =>
  `${sections.map(section => section.trimEnd()).join('\n\n')}\n`

const sectionWith = (said: string, rowsOf: ReadonlyMap<string, readonly string[]>): string =>
  [
    said,
    ...[...rowsOf]
      .sort(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1))
      .map(([reason, rows]) => `### ${reason}\n\n${rows.join('\n')}`),
  ].join('\n\n')

const rowOf = (one: Survivor): string =>
  `- ${one.file}:${one.line} ${code(one.original)} → ${code(one.replacement)}`

const keyOf = ({ file, original, replacement }: Survivor): string =>
  `${file} ${code(original)} → ${code(replacement)}`

/** Code on one line of a list, no longer than one reads at a glance. */
function code(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('`', 'ˋ').replaceAll('](', '] (').trim()
  return `\`${line.length > 70 ? `${line.slice(0, 69)}…` : line}\``
}

function reasonsOf(page: string): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>()
  let reason = unknownReason
  for (const line of page.split('\n')) {
    if (line.startsWith('### ')) reason = line.slice(4)
    const [, file, fault] = /^- (\S+):\d+ (`.*`)$/.exec(line) ?? []
    if (file !== undefined && reason !== unknownReason) reasons.set(`${file} ${fault}`, reason)
  }
  return reasons
}
