/** Some programs show by its colours alone which option the next Enter chooses: there a pointer is written before it. Pure. */
import type { ColouredRow, TextStyle } from '../../core/text/coloured-rows.ts'
import { buttonsOf, isBlank, isBoxBottom, isBoxTop, isEdge, unframed } from './screen-rows.ts'

const sign = '❯'

export type PointedRows = {
  /** The texts of the rows; as they are where one has a pointer, or no colour shows any. */
  readonly rows: readonly string[]
  /** Only the letters of the option are drawn otherwise: a program may draw one so that it recommends. */
  readonly isByLetters: boolean
}

export function withPointer(rows: readonly ColouredRow[]): PointedRows {
  const texts = rows.map(({ text }) => text)
  const list = numberedList(rows)
  const behind = alone(list, ({ behind }) => behind) ?? pointedButton(rows)
  if (behind) return { rows: texts.map(marked([behind], behind)), isByLetters: false }
  const lines = list.length > 0 ? list : boxedList(rows)
  const pointed = byLetters(lines)
  if (!pointed) return { rows: texts, isByLetters: false }
  // Without numbers only what is in one column is a list.
  const moved = list.length > 0 ? [pointed] : lines
  return { rows: texts.map(marked(moved, pointed)), isByLetters: true }
}

/** @param moved what moves to the right for the pointer */
const marked =
  (moved: readonly Place[], pointed: Place) =>
  (text: string, row: number): string => {
    const place = moved.find(one => one.row === row)
    if (!place) return text
    return `${text.slice(0, place.at)}${place === pointed ? sign : ' '} ${text.slice(place.at)}`
  }

type Place = {
  readonly row: number
  readonly at: number
  readonly behind: string | undefined
  readonly style: TextStyle | undefined
}

const placeIn = (rows: readonly ColouredRow[], row: number, at: number): Place => ({
  row,
  at,
  behind: rows[row]?.behind[at],
  style: rows[row]?.styles[at],
})

const numbered = /^[\s│┃|]*(?=(?<number>\d{1,2})\.\s)/u

/** The lowest list of options numbered from 1. */
function numberedList(rows: readonly ColouredRow[]): readonly Place[] {
  const list: Place[] = []
  let next: number | undefined
  for (let row = rows.length - 1; row >= 0 && next !== 0; row--) {
    const found = numbered.exec(rows[row]?.text ?? '')
    const number = Number(found?.groups?.number)
    if (!found || (next !== undefined && number !== next)) continue
    list.push(placeIn(rows, row, found[0].length))
    next = number - 1
  }
  return next === 0 ? list : []
}

/** Of options side by side. */
function pointedButton(rows: readonly ColouredRow[]): Place | undefined {
  for (let row = rows.length - 1; row >= 0; row--) {
    const text = rows[row]?.text ?? ''
    const bar = /^[\s│┃|]*/u.exec(text)?.[0].length ?? 0
    const rest = text.slice(bar)
    if (isBlank(rest) || !buttonsOf(rest, false)) continue
    const parts = [...rest.matchAll(/\S+(?: \S+)*/gu)].map(({ index }) => bar + index)
    return alone(
      parts.map(at => placeIn(rows, row, at)),
      ({ behind }) => behind,
    )
  }
  return undefined
}

/** The rows of the lowest box, where each begins in one column. */
function boxedList(rows: readonly ColouredRow[]): readonly Place[] {
  const texts = rows.map(({ text }) => text)
  const end = texts.findLastIndex(isBoxBottom)
  const start = texts.slice(0, Math.max(0, end)).findLastIndex(isBoxTop)
  const list: Place[] = []
  for (let row = start + 1; start >= 0 && row < end; row++) {
    const text = texts[row] as string
    if (isBlank(unframed(text))) continue
    if (isEdge(text)) return []
    list.push(placeIn(rows, row, /^[\s│┃|]*/u.exec(text)?.[0].length ?? 0))
  }
  return list.every(({ at }) => at === list[0]?.at) ? list : []
}

/** The only one whose letters are drawn otherwise than those of all others; of two the bold one. */
function byLetters(list: readonly Place[]): Place | undefined {
  const bold = list.filter(({ style }) => style?.isBold)
  if (list.length === 2) return bold.length === 1 ? bold[0] : undefined
  return alone(list, ({ style }) => `${style?.isBold} ${style?.isDim} ${style?.front}`)
}

function alone(list: readonly Place[], wordOf: (place: Place) => string | undefined): Place | undefined {
  const words = [...new Set(list.map(wordOf))]
  if (list.length < 2 || words.length !== 2) return undefined
  const found = words.flatMap(word => {
    const those = list.filter(place => wordOf(place) === word)
    return those.length === 1 ? those : []
  })
  // Of two that differ nobody knows which one is meant.
  return found.length === 1 ? found[0] : undefined
}
