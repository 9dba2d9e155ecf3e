/** The list of options that a dialog shows: which rows are its own, and which a text of its holds. Pure. */
import {
  columnOf,
  isBlank,
  isEdge,
  isRound,
  namesKeys,
  type Option,
  type OptionRow,
  optionOf,
} from './screen-rows.ts'

type Options = {
  readonly options: readonly Option[]
  /** Their first and last row. */
  readonly from: number
  readonly to: number
  /** Circles, of which the filled one is the pointer: also a list of what runs. */
  readonly isRound?: true
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
 * @param below rows of the program that are not searched: they may tell how to choose
 */
export function findOptions(rows: readonly string[], below: readonly string[] = []): Options | undefined {
  const lists = listsIn(rows, below)
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
function listsIn(rows: readonly string[], below: readonly string[]): readonly Found[] {
  const keysAt = namesKeys(below) ? rows.length : rows.findLastIndex(row => namesKeys([row]))
  return rows
    .flatMap((row, at) => {
      const pointed = optionOf(row)
      const list = pointed?.isPointed ? listAt(rows, at, pointed, keysAt > at) : undefined
      return list ? [list] : []
    })
    .reverse()
}

function listAt(
  rows: readonly string[],
  at: number,
  pointed: OptionRow,
  isExplained: boolean,
): Found | undefined {
  const { column, indent, number } = pointed
  if (number === undefined) {
    const submit = atSubmit(rows, at, pointed)
    if (submit) return { ...submit, column }
    // Of round ones the filled one is the pointer: it stands where the others have their empty ones.
    const place = isRound(rows[at] as string) ? indent : column
    const list = aligned(rows, at, pointed, place, isExplained)
    return list && { ...list, column: place }
  }
  // A pointer that is written for a colour moves its row to the right.
  for (const one of indent === column ? [column] : [column, indent]) {
    const list = numbered(rows, at, pointed, one)
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

/**
 * One below the other at one column, without numbers.
 * @param isExplained the program tells how to choose: then what stands further right explains an option
 */
function aligned(
  rows: readonly string[],
  at: number,
  pointed: OptionRow,
  column: number,
  isExplained: boolean,
): Options | undefined {
  // A round one may be the bullet of a message: the others have empty ones.
  const isAlike = isRound(rows[at] as string)
    ? ({ hasBox, isChecked }: OptionRow) => hasBox && isChecked === undefined
    : () => true
  const found: (readonly [number, Option])[] = [[at, pointed]]
  for (const step of [-1, 1] as const)
    for (let row = at + step; row >= 0 && row < rows.length; row += step) {
      const text = rows[row] as string
      if (isBlank(text) || isEdge(text) || namesKeys([text])) break
      const option = optionOf(text)
      if (!option || option.isPointed || option.number !== undefined) break
      if (option.column === column && isAlike(option)) found[step < 0 ? 'unshift' : 'push']([row, option])
      else if (!isExplained || columnOf(text) <= column) break
    }
  if (found.length < 2) return undefined
  return { ...withSubmit(rows, optionsOf(found)), ...(isRound(rows[at] as string) ? { isRound: true } : {}) }
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
): void {
  let between = 0
  for (let row = at + step; row >= 0 && row < rows.length && between < mostRowsBetween; row += step) {
    const text = rows[row] as string
    // A row further right explains an option, whatever it draws and however long it is.
    if (!isBlank(text) && columnOf(text) > column + mostAside) {
      between = 0
      continue
    }
    if (isEdge(text)) return
    const option = isBlank(text) ? undefined : optionOf(text)
    if (option?.number === undefined) {
      between++
      continue
    }
    if (!take({ ...option, row })) return
    between = 0
  }
}
