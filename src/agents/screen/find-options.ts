/** The list of options that a dialog shows: which rows are its own, and which a text of its holds. Pure. */
import { columnOf, isBlank, isEdge, type Option, type OptionRow, optionOf } from './screen-rows.ts'

type Options = {
  readonly options: readonly Option[]
  /** Their first and last row. */
  readonly from: number
  readonly to: number
}

type Found = Options & { readonly column: number }

/** The explanation of an option is below it, further right. Between options at most one row is empty. */
const mostRowsBetween = 4
/** Numbers of two digits may begin a column further left. */
const mostAside = 1

/**
 * The lowest list of options of which one is pointed at: numbered from 1, or below each other at one column. What explains an
 * option, or the end of a long one, may look like a list itself: then the one around it counts, and none is known to be pointed
 * at where either may be the list.
 * @param rows without their frames
 */
export function findOptions(rows: readonly string[]): Options | undefined {
  const lists = listsIn(rows)
  const [lowest] = lists
  if (!lowest) return undefined
  const around = lists.filter(
    ({ from, to, column }) => from < lowest.from && to > lowest.to && column < lowest.column,
  )
  const found = around.toSorted((a, b) => a.column - b.column)[0] ?? unpointedAround(rows, lowest) ?? lowest
  const above = lists.find(one => one.from < found.from && isJoined(rows, one, found))
  if (!above) return found
  const { options, ...place } = above.column < found.column ? above : found
  return { ...place, options: options.map(option => ({ ...option, isPointed: false })) }
}

/** All of them, the lowest first. */
const listsIn = (rows: readonly string[]): readonly Found[] =>
  rows
    .flatMap((row, at) => {
      const pointed = optionOf(row)
      const list = pointed?.isPointed ? listAt(rows, at, pointed) : undefined
      return list ? [list] : []
    })
    .reverse()

function listAt(rows: readonly string[], at: number, pointed: OptionRow): Found | undefined {
  const { column, indent, number } = pointed
  // A pointer that is written for a colour moves its row to the right.
  const columns = number === undefined || indent === column ? [column] : [column, indent]
  for (const one of columns) {
    const list =
      number !== undefined
        ? numbered(rows, at, pointed, one)
        : (atSubmit(rows, at, pointed) ?? aligned(rows, at, pointed))
    if (list) return { ...list, column: one }
  }
  return undefined
}

/** The list is of an option's text, where its program shows by a colour alone what is pointed at. */
function unpointedAround(rows: readonly string[], inner: Found): Found | undefined {
  let leftmost = inner.column
  for (let at = inner.from - 1; at >= 0 && leftmost > 0; at--) {
    const row = rows[at] as string
    const option = optionOf(row)
    if (isBlank(row) || !option) continue
    const isNumber = option.number !== undefined && !option.isPointed && option.column < leftmost - mostAside
    const list = isNumber ? numbered(rows, at, option) : undefined
    const around = list && { ...list, column: option.column }
    if (around && (around.to > inner.to || isJoined(rows, around, inner))) return around
    leftmost = Math.min(leftmost, columnOf(row))
  }
  return undefined
}

/** Only rows that can belong to an option are between them: no empty row, no line, no row further left. */
const isJoined = (rows: readonly string[], above: Found, below: Found): boolean =>
  above.to < below.from &&
  rows
    .slice(above.to + 1, below.from)
    .every(row => !isBlank(row) && !isEdge(row) && columnOf(row) >= above.column)

function numbered(
  rows: readonly string[],
  at: number,
  pointed: OptionRow,
  column = pointed.column,
): Options | undefined {
  const options = new Map<number, readonly [number, Option]>([[pointed.number as number, [at, pointed]]])
  // A plan above the options, or a list below them, may be numbered as well.
  for (const step of [-1, 1] as const) {
    let next = (pointed.number as number) + step
    collect(rows, at, column, step, option => {
      if (option.number !== next || next < 1 || option.isPointed) return false
      if (option.column < pointed.indent - mostAside) return false
      options.set(next, [option.row, option])
      next += step
      return true
    })
  }
  const numbers = [...options.keys()].sort((a, b) => a - b)
  // One that has scrolled away leaves a list that does not begin with 1.
  if (numbers.length < 2) return undefined
  return withSubmit(rows, optionsOf(numbers.map(number => options.get(number) as readonly [number, Option])))
}

const submits = /^(?:submit|done|finish)\b/i

/** Where several can be chosen, a row below them hands them in. */
function withSubmit(rows: readonly string[], list: Options): Options {
  if (!list.options.some(({ isChecked }) => isChecked !== undefined)) return list
  for (let at = list.to + 1; at < rows.length && at <= list.to + mostRowsBetween; at++) {
    const text = rows[at] as string
    if (isEdge(text)) break
    const option = isBlank(text) ? undefined : optionOf(text)
    if (!option || option.number !== undefined || !submits.test(option.label)) continue
    const { label, isPointed } = option
    return { ...list, options: [...list.options, { label, isPointed, isSubmit: true }], to: at }
  }
  return list
}

/** The pointer is on the row that submits the choices above it. */
function atSubmit(rows: readonly string[], at: number, { label }: OptionRow): Options | undefined {
  if (!submits.test(label)) return undefined
  for (let above = at - 1; above >= Math.max(0, at - mostRowsBetween); above--) {
    const last = optionOf(rows[above] as string)
    if (last?.number === undefined) continue
    const list = numbered(rows, above, last)
    return list?.to === at ? list : undefined
  }
  return undefined
}

function aligned(rows: readonly string[], at: number, pointed: OptionRow): Options | undefined {
  const found: (readonly [number, Option])[] = [[at, pointed]]
  let { hasBox } = pointed
  const take = (add: (one: readonly [number, Option]) => void) => (option: OptionRow & { row: number }) => {
    if (option.isPointed || option.number !== undefined || option.column !== pointed.column) return false
    hasBox ||= option.hasBox
    add([option.row, option])
    return true
  }
  collect(
    rows,
    at,
    pointed.column,
    -1,
    take(one => found.unshift(one)),
    1,
  )
  collect(
    rows,
    at,
    pointed.column,
    1,
    take(one => found.push(one)),
    1,
  )
  // A round one may be the bullet of a message.
  const isRound = /^\s*[●◉]/u.test(rows[at] as string)
  if (isRound && !hasBox) return undefined
  return found.length < 2 ? undefined : optionsOf(found)
}

const optionsOf = (found: readonly (readonly [number, Option])[]): Options => ({
  options: found.map(([, { label, number, isPointed, isChecked }]) => ({
    label,
    isPointed,
    ...(number === undefined ? {} : { number }),
    ...(isChecked === undefined ? {} : { isChecked }),
  })),
  from: (found[0] as readonly [number, Option])[0],
  to: (found.at(-1) as readonly [number, Option])[0],
})

/** Walks from the pointed option on, past explanations, until `take` returns that the list is over. */
function collect(
  rows: readonly string[],
  at: number,
  column: number,
  step: 1 | -1,
  take: (option: OptionRow & { readonly row: number }) => boolean,
  most = mostRowsBetween,
): void {
  let between = 0
  for (let row = at + step; row >= 0 && row < rows.length && between < most; row += step) {
    const text = rows[row] as string
    // A row further right explains an option, whatever it draws and however long it is.
    if (most > 1 && !isBlank(text) && columnOf(text) > column + mostAside) {
      between = 0
      continue
    }
    if (isEdge(text)) return
    const option = isBlank(text) ? undefined : optionOf(text)
    if (!option) {
      between++
      continue
    }
    const isNumbered = option.number !== undefined
    if (isNumbered || most === 1) {
      if (!take({ ...option, row })) return
      between = 0
    } else {
      between++
    }
  }
}
