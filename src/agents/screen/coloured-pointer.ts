/** Some programs show by its background alone which option the next Enter chooses: there a pointer is written before it. Pure. */
import type { ColouredRow } from '../../core/text/coloured-rows.ts'
import { buttonsOf, isBlank } from './screen-rows.ts'

const sign = '❯'

/** @returns the texts of the rows; those that have a pointer, or show none by a background, as they are */
export function withPointer(rows: readonly ColouredRow[]): readonly string[] {
  const texts = rows.map(({ text }) => text)
  const pointed = pointedRow(rows) ?? pointedButton(rows)
  return pointed
    ? texts.map((text, row) =>
        row === pointed.row ? `${text.slice(0, pointed.at)}${sign} ${text.slice(pointed.at)}` : text,
      )
    : texts
}

type Place = { readonly row: number; readonly at: number }

const numbered = /^[\s│┃|]*(?=(?<number>\d{1,2})\.\s)/u

/** In the lowest list of options numbered from 1: the option with a background that no other has. */
function pointedRow(rows: readonly ColouredRow[]): Place | undefined {
  const list: (Place & { readonly behind: string | undefined })[] = []
  let next: number | undefined
  for (let row = rows.length - 1; row >= 0 && next !== 0; row--) {
    const { text, behind } = rows[row] as ColouredRow
    const found = numbered.exec(text)
    const number = Number(found?.groups?.number)
    if (!found || (next !== undefined && number !== next)) continue
    list.push({ row, at: found[0].length, behind: behind[found[0].length] })
    next = number - 1
  }
  return next === 0 ? onlyOne(list) : undefined
}

/** Of options side by side. */
function pointedButton(rows: readonly ColouredRow[]): Place | undefined {
  for (let row = rows.length - 1; row >= 0; row--) {
    const { text, behind } = rows[row] as ColouredRow
    const bar = /^[\s│┃|]*/u.exec(text)?.[0].length ?? 0
    const rest = text.slice(bar)
    if (isBlank(rest) || !buttonsOf(rest, false)) continue
    const parts = [...rest.matchAll(/\S+(?: \S+)*/gu)].map(({ index }) => bar + index)
    return onlyOne(parts.map(at => ({ row, at, behind: behind[at] })))
  }
  return undefined
}

function onlyOne<One extends { readonly behind: string | undefined }>(all: readonly One[]): One | undefined {
  const words = [...new Set(all.map(({ behind }) => behind))]
  if (all.length < 2 || words.length !== 2) return undefined
  const alone = words.flatMap(word => {
    const those = all.filter(({ behind }) => behind === word)
    return those.length === 1 ? those : []
  })
  // Of two that differ nobody knows which one is meant.
  return alone.length === 1 ? alone[0] : undefined
}
