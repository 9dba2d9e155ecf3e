/** docs/mutation.json: the mutants that no test notices, by room and by the reason why each is accepted. */

export type Survivor = {
  readonly file: string
  readonly line: number
  readonly original: string
  readonly replacement: string
}

export type RoomResult = {
  /** Day of the last whole run. */
  readonly date: string
  /** Share of the mutants that a test notices. */
  readonly percent: number
  /** Rows by reason. A row is `FILE:LINE CODE → REPLACEMENT`. */
  readonly survivors: Readonly<Record<string, readonly string[]>>
}

export type Results = Readonly<Record<string, RoomResult>>

/** For mutants that nobody has reviewed yet. */
export const unknownReason = 'Not reviewed yet'

/**
 * The results with a new run of one room. File and code identify a mutant, its line may change. A known mutant keeps its
 * reason; a new mutant gets the reason of its kind.
 */
export function withRoom(
  results: Results,
  room: string,
  { date, percent }: Pick<RoomResult, 'date' | 'percent'>,
  survivors: readonly Survivor[],
): Results {
  const reasons = reasonsOf(results)
  const sorted = [...survivors].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line))
  const groups = Map.groupBy(
    sorted,
    one => reasons.get(keyOf(rowOf(one))) ?? usualReason(one) ?? unknownReason,
  )
  const rows = [...groups].map(([reason, all]) => [reason, all.map(rowOf)] as const)
  return { ...results, [room]: { date, percent, survivors: largestFirst(rows) } }
}

/** The results where each row of a room moves to the reason that `reasonOf` has for it, if any. */
export function withReasons(results: Results, room: string, reasonOf: ReadonlyMap<string, string>): Results {
  const old = results[room]
  if (!old) return results
  const rows = rowsOf(old).map(([reason, row]) => ({ row, reason: reasonOf.get(row) ?? reason }))
  const groups = Map.groupBy(rows, ({ reason }) => reason)
  const moved = [...groups].map(([reason, all]) => [reason, all.map(({ row }) => row)] as const)
  return { ...results, [room]: { ...old, survivors: largestFirst(moved) } }
}

/** Each row of a room with its reason. */
export const rowsOf = ({ survivors }: RoomResult): readonly (readonly [reason: string, row: string])[] =>
  Object.entries(survivors).flatMap(([reason, rows]) => rows.map(row => [reason, row] as const))

/** The page with its table written anew from the results. */
export function pageWithTable(page: string, results: Results): string {
  const rows = Object.entries(results).map(([room, result]) => [
    room,
    result.date,
    String(result.percent),
    String(rowsOf(result).length),
  ])
  return page.replace(/(?:^\|.*\n)+/m, () =>
    tableOf(['room', 'last whole run', 'noticed, %', 'survivors'], rows),
  )
}

/** A table as the formatter aligns it; columns from the third on are figures. */
function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((_, at) => Math.max(...[heads, ...rows].map(row => row[at]?.length ?? 0)))
  const lineOf = (row: readonly string[]): string =>
    `| ${row.map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(' | ')} |\n`
  const rule = widths.map((width, at) => (at < 2 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [heads, rule, ...rows].map(lineOf).join('')
}

export const jsonOf = (results: Results): string => `${JSON.stringify(results, null, 2)}\n`

const largestFirst = (
  groups: readonly (readonly [reason: string, rows: readonly string[]])[],
): RoomResult['survivors'] =>
  Object.fromEntries(
    groups.toSorted(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1)),
  )

const rowOf = ({ file, line, original, replacement }: Survivor): string =>
  `${file}:${line} ${code(original)} → ${code(replacement)}`

const keyOf = (row: string): string => row.replace(/:\d+ /, ' ')

/** Code as a row quotes it. */
export const onOneLine = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll('`', 'ˋ').replaceAll('](', '] (').trim()

/** Code on one line, short enough to read at a glance. */
function code(text: string): string {
  const line = onOneLine(text)
  return `\`${line.length > 70 ? `${line.slice(0, 69)}…` : line}\``
}

function reasonsOf(results: Results): ReadonlyMap<string, string> {
  const all = Object.values(results).flatMap(rowsOf)
  return new Map(
    all.filter(([reason]) => reason !== unknownReason).map(([reason, row]) => [keyOf(row), reason]),
  )
}

/** Why a kind of mutant survives everywhere. A mutant of no kind here needs a review. */
type Kind = {
  readonly reason: string
  readonly is: (fault: Pick<Survivor, 'original' | 'replacement'>) => boolean
}

const withoutTies = (code: string): string => code.replaceAll(/([<>])=/g, '$1')
const withoutGuards = (code: string): string => code.replaceAll('?.', '.')
const withoutAnchors = (code: string): string => code.replaceAll(/\^|\$(?!\{)/g, '')
const isText = (code: string): boolean => /^(['"`]).*\1$/s.test(code)
const isEmptied = (code: string): boolean => code === '""' || code === '``'

/** The first that fits counts. */
const kinds: readonly Kind[] = [
  {
    reason: 'Both differ only at a tie, where either is right',
    is: ({ original, replacement }) =>
      original !== replacement && withoutTies(original) === withoutTies(replacement),
  },
  {
    reason: 'The compiler requires the guard; the value is always present at run time',
    is: ({ original, replacement }) =>
      (replacement === 'true' && /^[\w.?[\]]+ !== undefined$/.test(original)) ||
      (replacement === 'false' && /^[\w.?[\]]+ === undefined$/.test(original)) ||
      (original !== replacement && withoutGuards(original) === withoutGuards(replacement)),
  },
  {
    reason: 'A default for a missing value that nothing reads',
    is: ({ original, replacement }) =>
      (original === '[]' && replacement.startsWith('["Stryker')) ||
      (original === "''" && replacement.startsWith('"Stryker')),
  },
  {
    reason: 'A pattern over whole names: nothing precedes or follows them',
    is: ({ original, replacement }) =>
      original.startsWith('/') &&
      original !== replacement &&
      withoutAnchors(original) === withoutAnchors(replacement),
  },
  {
    reason: 'Text for people, which the tests of the room do not quote',
    is: ({ original, replacement }) =>
      isText(original) && isEmptied(replacement) && /[^\w]/.test(original.slice(1, -1)),
  },
]

/** Undefined where the fault is of no such kind. */
const usualReason = (fault: Pick<Survivor, 'original' | 'replacement'>): string | undefined =>
  kinds.find(({ is }) => is(fault))?.reason
